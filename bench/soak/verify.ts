import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import { isWebhookEvent, webhookEvents } from '../../src/webhooks/catalog/webhook-catalog.ts';
import type { WebhookReceiver } from '../../test/fakes/webhook-receiver.ts';
import type { Any, Caller } from './caller.ts';
import type { Ledger } from './ledger.ts';
import { HOME } from './loads.ts';

/** One promise of the service, and whether it was kept. */
export interface Check {
  name: string;
  isKept: boolean;
  found: string;
}

export interface Verification {
  caller: Caller;
  ledger: Ledger;
  receiver: WebhookReceiver;
  databaseUrl: string;
  apiKeyId: string;
  endpointId: string;
}

const SETTLED_WITHIN_MS = 300_000;

const lostOf = (name: string, count: number, lost: readonly string[]): Check => ({
  name,
  isKept: lost.length === 0 && count > 0,
  found: lost.length === 0 ? `${count} read back` : `${lost.length} of ${count} lost, such as ${lost[0]}`,
});

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));

/** Reads every acknowledged write back over HTTP. */
export async function verifyWrites({ caller, ledger, databaseUrl }: Verification): Promise<Check[]> {
  const { organizationId } = HOME;
  const documents = new Map<string, string>();
  const ids = await rowsOf(databaseUrl, 'select document_id as id from documents where document_id like $1', [
    'document-%',
  ]);
  for (const documentIds of chunks(
    ids.map(({ id }) => String(id)),
    30,
  )) {
    const found = await caller.read('/v2/organizations/documents/get', { organizationId, documentIds });
    const records = (Array.isArray(found) ? found : Object.values(found)) as Any[];
    for (const one of records) documents.set(one.documentId ?? one.id, one.documentName);
  }
  const comments = new Map<string, string>();
  const pages = await rowsOf(
    databaseUrl,
    'select distinct document_id as id from annotations where annotation_id like $1',
    ['thread-%'],
  );
  for (const { id: documentId } of pages) {
    const threads = await rowsOf(
      databaseUrl,
      'select annotation_id as id from annotations where document_id = $1 and annotation_id like $2',
      [documentId, 'thread-%'],
    );
    for (const annotationIds of chunks(
      threads.map(({ id }) => String(id)),
      30,
    )) {
      const found = (await caller.read('/v2/commentannotations/get', {
        organizationId,
        documentId,
        annotationIds,
      })) as Any[];
      for (const { annotationId, comments: all } of found)
        for (const { commentId, commentText } of all)
          comments.set(`${annotationId}${commentId}`, commentText);
    }
  }
  return [
    lostOf('documents', ledger.documents.size, ledger.documents.lost(documents)),
    lostOf('comments', ledger.comments.size, ledger.comments.lost(comments)),
    await verifyNotifications(caller, ledger),
    await verifyJudgments(caller, ledger),
    await verifyUploads(caller, ledger),
  ];
}

async function verifyNotifications(caller: Caller, { notifications }: Ledger): Promise<Check> {
  const found = new Set<string>();
  for (const notificationIds of chunks(notifications, 30)) {
    const place = { organizationId: HOME.organizationId, userId: 'bob', notificationIds };
    for (const { notificationId, id } of (await caller.read('/v2/notifications/get', place)) as Any[])
      found.add(notificationId ?? id);
  }
  const lost = notifications.filter((id) => !found.has(id));
  return lostOf('notifications', notifications.length, lost);
}

async function verifyJudgments(caller: Caller, { judgments }: Ledger): Promise<Check> {
  const found = new Set<string>();
  for (const documentId of new Set(judgments.map((one) => one.documentId))) {
    const place = { organizationId: HOME.organizationId, documentId, limit: 100 };
    const { results } = await caller.read('/v2/memory/judgments/query', place);
    for (const { recordId } of results as Any[]) found.add(recordId);
  }
  const lost = judgments.map(({ id }) => id).filter((id) => !found.has(id));
  return lostOf('judgments', judgments.length, lost);
}

async function verifyUploads(caller: Caller, { uploads }: Ledger): Promise<Check> {
  const lost: string[] = [];
  for (const { attachmentId, sha256 } of uploads) {
    const { url } = await caller.read('/v2/attachments/get', { ...HOME, attachmentId });
    const { statusCode, body } = await request(url);
    const bytes = Buffer.from(await body.arrayBuffer());
    if (statusCode !== 200 || createHash('sha256').update(bytes).digest('hex') !== sha256)
      lost.push(attachmentId);
  }
  return lostOf('uploads', uploads.length, lost);
}

/**
 * Waits until every accepted run has ended. `failed` says which of those that began without a fault ended with an error, and
 * why: no broken promise, because a later fault may have interrupted them.
 */
export async function verifyRuns({
  caller,
  ledger,
}: Verification): Promise<{ check: Check; failed: string[] }> {
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  const statuses = new Map<string, number>();
  const running: string[] = [];
  const failed: string[] = [];
  for (const { executionId, wasCalm } of ledger.runs) {
    for (;;) {
      const { execution } = await caller.read('/v2/agents/execution/get', { executionId });
      if (execution.status !== 'running' || performance.now() > deadline) {
        statuses.set(execution.status, (statuses.get(execution.status) ?? 0) + 1);
        if (execution.status === 'running') running.push(executionId);
        if (execution.status === 'error' && wasCalm)
          failed.push(`${executionId}: ${execution.error?.message}`);
        break;
      }
      await sleep(500);
    }
  }
  const found = [...statuses].map(([status, count]) => `${count} ${status}`).join(', ');
  const check = {
    name: 'runs end',
    isKept: running.length === 0 && ledger.runs.length > 0,
    found: running.length === 0 ? found : `${found}; still running: ${running[0]}`,
  };
  return { check, failed };
}

/** The object of an event: webhooks about one object arrive in the order of the events. */
function objectOf({ name, id, payload }: Any): string {
  if (name.startsWith('comment')) return `annotation ${payload.annotationId}`;
  if (name.startsWith('document.')) return `document ${payload.documentId}`;
  return name.startsWith('user.') ? `user ${payload.userId}` : id;
}

/** Waits until nothing is to be delivered any more, and compares what arrived with what was committed and acknowledged. */
export async function verifyWebhooks(verification: Verification): Promise<Check[]> {
  const { caller, ledger, receiver, databaseUrl, apiKeyId, endpointId } = verification;
  const last = 'the-last-document';
  await caller.read('/v2/organizations/documents/add', {
    organizationId: HOME.organizationId,
    documents: [{ documentId: last }],
  });
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  const isLate = () => performance.now() > deadline;
  while (!receiver.received.some(({ text }) => text.includes(last)) && !isLate()) await sleep(500);
  for (;;) {
    const waiting = { endpointId, status: 'waiting', limit: 1 };
    const { deliveries } = await caller.read('/v2/workspace/advancedwebhook/deliveries/get', waiting);
    if (deliveries.length === 0 || isLate()) break;
    await sleep(500);
  }
  let events = await committedEvents(databaseUrl, apiKeyId);
  const hasArrived = () => {
    const ids = new Set(receiver.received.map(({ id }) => id));
    return events.every(({ id }) => ids.has(id));
  };
  // A live text that everyone has left writes an event a moment later.
  while (!hasArrived() && !isLate()) {
    await sleep(500);
    events = await committedEvents(databaseUrl, apiKeyId);
  }
  const received = [...new Set(receiver.received.map(({ id }) => id))];
  const at = new Map(received.map((id, index) => [id, index]));
  const missing = events.filter(({ id }) => !at.has(id)).map(({ id, name }) => `${name} ${id}`);
  const outOfOrder = [...Map.groupBy(events, objectOf)].flatMap(([object, list]) => {
    const places = list.map(({ id }) => at.get(id) ?? -1);
    return places.some((place, index) => index > 0 && place < places[index - 1]!) ? [object] : [];
  });
  const delivered = new Set<string>();
  for (const { text } of receiver.received) {
    const { event } = JSON.parse(text) as { event: string };
    for (const [, mark] of text.matchAll(/"([^"]*\.)"/g)) delivered.add(`${event} ${mark}`);
  }
  const lost = ledger.webhooks.filter((one) => !delivered.has(one));
  const faults = receiver.faults();
  return [
    lostOf('acknowledged changes at the webhook receiver', ledger.webhooks.length, lost),
    lostOf('committed events at the webhook receiver', events.length, missing),
    {
      name: 'order of the webhooks of each subject',
      isKept: outOfOrder.length === 0,
      found:
        outOfOrder.length === 0
          ? `kept; ${receiver.received.length - received.length} repeats`
          : `broken for ${outOfOrder.length} subjects, such as ${outOfOrder[0]}`,
    },
    {
      name: 'signatures of webhooks',
      isKept: faults.length === 0,
      found:
        faults.length === 0 ? `${receiver.received.length} verified` : `${faults.length} wrong: ${faults[0]}`,
    },
  ];
}

/** Events that webhooks announce, in their order. */
const committedEvents = async (databaseUrl: string, apiKeyId: string): Promise<Any[]> =>
  (
    await rowsOf(
      databaseUrl,
      'select event_id as id, name, payload from events where api_key_id = $1 order by seq',
      [apiKeyId],
    )
  ).filter(
    ({ name, payload }) =>
      payload.loud !== false && isWebhookEvent(name) && !(webhookEvents as Any)[name].optIn,
  );

async function rowsOf(databaseUrl: string, statement: string, values: unknown[] = []): Promise<Any[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}
