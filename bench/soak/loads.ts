import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Any, Caller } from './caller.ts';
import type { Ledger } from './ledger.ts';

const ORGANIZATION = 'acme';
const DOCUMENTS = 20;
const from = { userId: 'ada', name: 'Ada', email: 'ada@example.com' };
export const HOME = { organizationId: ORGANIZATION, documentId: 'home' };

export interface LoadContext {
  caller: Caller;
  ledger: Ledger;
  site: string;
  agents: string[];
  isOn: () => boolean;
  isCalm: () => boolean;
}

/** Creates the documents, the agents and the users of the load. */
export async function prepareLoad(caller: Caller): Promise<string[]> {
  const documents = [HOME.documentId, ...Array.from({ length: DOCUMENTS }, (_, n) => `page-${n}`)];
  await caller.read('/v2/organizations/documents/add', {
    organizationId: ORGANIZATION,
    documents: documents.map((documentId) => ({ documentId, documentName: documentId })),
  });
  await caller.read('/v2/users/add', {
    organizationId: ORGANIZATION,
    users: ['ada', 'bob'].map((userId) => ({ userId, name: userId, email: `${userId}@example.com` })),
  });
  const agents: string[] = [];
  for (const serviceId of ['accessibility-checker', 'screenshot', 'broken-links']) {
    const { agentId } = await caller.read('/v2/agents/create', {
      name: serviceId,
      execution: { executionStrategy: 'service', serviceId },
    });
    agents.push(agentId);
  }
  return agents;
}

/** One kind of load: a turn is made after each pause, one after the other. */
interface Load {
  name: string;
  everyMs: number;
  turn(n: number, context: LoadContext): Promise<void>;
}

const documentOf = (n: number) => `page-${n % DOCUMENTS}`;

const loads: Load[] = [
  {
    name: 'documents',
    everyMs: 1_000,
    async turn(n, { caller, ledger }) {
      const documentId = `document-${n}.`;
      for (const [event, operation, documentName] of [
        ['document.add', 'add', `name-${n}`],
        ['document.update', 'update', `changed-${n}`],
      ] as const) {
        const acknowledge = ledger.documents.send(documentId, documentName);
        const { isDone } = await caller.call(`/v2/organizations/documents/${operation}`, {
          organizationId: ORGANIZATION,
          documents: [{ documentId, documentName }],
        });
        if (!isDone) return;
        acknowledge();
        ledger.webhooks.push(`${event} ${documentId}`);
      }
    },
  },
  {
    name: 'comments',
    everyMs: 500,
    async turn(n, { caller, ledger }) {
      const annotationId = `thread-${n}.`;
      const place = { organizationId: ORGANIZATION, documentId: documentOf(n) };
      const first = `first-${n}.`;
      const acknowledge = ledger.comments.send(`${annotationId}1`, first);
      const comment = { commentId: 1, commentText: first, from, triggerNotification: true };
      const added = await caller.call('/v2/commentannotations/add', {
        ...place,
        commentAnnotations: [{ annotationId, commentData: [comment] }],
      });
      if (!added.isDone) return;
      acknowledge();
      ledger.webhooks.push(`comment_annotation.add ${annotationId}`);
      const [answer, changed] = [`answer-${n}.`, `better-${n}.`];
      const acknowledgeAnswer = ledger.comments.send(`${annotationId}2`, answer);
      const answered = await caller.call('/v2/commentannotations/comments/add', {
        ...place,
        annotationId,
        commentData: [{ commentId: 2, commentText: answer, from, triggerNotification: true }],
      });
      if (!answered.isDone) return;
      acknowledgeAnswer();
      ledger.webhooks.push(`comment.add ${answer}`);
      const acknowledgeChange = ledger.comments.send(`${annotationId}2`, changed);
      const updated = await caller.call('/v2/commentannotations/comments/update', {
        ...place,
        annotationId,
        commentIds: [2],
        updatedData: { commentText: changed, from, triggerNotification: true },
      });
      if (!updated.isDone) return;
      acknowledgeChange();
      ledger.webhooks.push(`comment.update ${changed}`);
    },
  },
  {
    name: 'notifications',
    everyMs: 1_000,
    async turn(n, { caller, ledger }) {
      const notificationId = `note-${n}`;
      const { isDone } = await caller.call('/v2/notifications/add', {
        ...HOME,
        notificationId,
        actionUser: from,
        notifyAll: false,
        notifyUsers: [{ userId: 'bob' }],
        displayHeadlineMessageTemplate: '{actionUser} wrote',
        displayBodyMessage: `Note ${n}`,
      });
      if (isDone) ledger.notifications.push(notificationId);
    },
  },
  {
    name: 'judgments',
    everyMs: 2_000,
    async turn(n, { caller, ledger }) {
      const id = `judgment-${n}`;
      const documentId = `memory-${Math.floor(n / 50)}`;
      const reasoning = `The price of plan ${n} is without tax, and its label is too small.`;
      const { isDone } = await caller.call('/v2/memory/judgments/add', {
        judgments: [
          { id, organizationId: ORGANIZATION, documentId, decision: 'reject', reasoning, actionUser: from },
        ],
      });
      if (isDone) ledger.judgments.push({ id, documentId });
    },
  },
  {
    name: 'searches',
    everyMs: 2_000,
    async turn(n, { caller }) {
      const query = `price of plan ${n % 50} without tax`;
      await caller.call('/v2/memory/search', { query, organizationId: ORGANIZATION, limit: 10 });
    },
  },
  {
    name: 'uploads',
    everyMs: 4_000,
    async turn(n, { caller, ledger }) {
      const bytes = Buffer.from(randomBytes(20_000).toString('hex'));
      const announced = await caller.call('/v2/attachments/create', {
        ...HOME,
        fileName: `notes-${n}.txt`,
        mimeType: 'text/plain',
        size: bytes.length,
      });
      if (!announced.isDone) return;
      const { attachmentId, uploadUrl } = announced.data as Any;
      const { isDone } = await caller.put(uploadUrl, bytes, 'text/plain');
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      if (isDone) ledger.uploads.push({ attachmentId, sha256 });
    },
  },
  {
    name: 'runs',
    everyMs: 12_000,
    async turn(n, { caller, ledger, site, agents, isCalm }) {
      const wasCalm = isCalm();
      const run = await caller.call('/v2/agents/execution/run', {
        ...HOME,
        agentId: agents[n % agents.length],
        url: `${site}/page/${n}`,
      });
      if (run.isDone) ledger.runs.push({ executionId: run.data.executionId, wasCalm });
    },
  },
  {
    name: 'reads',
    everyMs: 500,
    async turn(n, { caller }) {
      const place = { organizationId: ORGANIZATION, documentId: documentOf(n) };
      await caller.call('/v2/commentannotations/get', { ...place, pageSize: 20 });
      await caller.call('/v2/notifications/get', {
        organizationId: ORGANIZATION,
        userId: 'bob',
        pageSize: 20,
      });
    },
  },
];

/** Makes all loads until `isOn` is false; a failed call never ends a load. */
export async function runLoads(context: LoadContext): Promise<void> {
  await Promise.all(
    loads.map(async ({ everyMs, turn }, index) => {
      await sleep((everyMs * index) / loads.length);
      for (let n = 0; context.isOn(); n++) {
        await turn(n, context);
        await sleep(everyMs);
      }
    }),
  );
}
