import {
  type Attacker,
  addDocument,
  calls,
  from,
  type Load,
  next,
  place,
  send,
  times,
  word,
  words,
} from './attacker.ts';
import { post } from './closed-loop.ts';
import { eventStreams, hangingWebhooks, pageAgent, runs, silentSockets } from './lasting-loads.ts';

/** Creates an editor, then replaces its content with one that shares little with it. */
const replacing = (name: string, type: string, first: unknown, createContent: () => unknown): Load =>
  calls(name, 1, '/v2/crdt/update', () => ({ ...place, editorId: name, type, data: createContent() }), {
    samples: 3,
    prepare: async (attacker) => {
      await addDocument(attacker);
      await post(
        attacker.client,
        '/v2/crdt/add',
        { ...place, editorId: name, type, data: first },
        attacker.headers,
      );
    },
  });

const paragraphs = (count: number): string => times(count, () => `<p a="${word()}">${word()}</p>`).join('');
const bigMap = (keys: number) => Object.fromEntries(times(keys, (index) => [`k${index}`, Math.random()]));

const newJudgments = (count: number) =>
  times(count, (index) => ({
    decision: index % 2 ? 'approve' : 'reject',
    reasoning: words(40),
    content: words(60),
    organizationId: 'acme',
    actionUser: from,
  }));

const addJudgments = async ({ client, headers }: Attacker) => {
  for (let batch = 0; batch < 6; batch++)
    await post(client, '/v2/memory/judgments/add', { judgments: newJudgments(500) }, headers);
};

/** Adds 1,000 threads with long comments, the maximum of one page of a list. */
async function addThreads({ client, headers }: Attacker): Promise<void> {
  await addDocument({ client, headers } as Attacker);
  for (let batch = 0; batch < 10; batch++) {
    await post(
      client,
      '/v2/commentannotations/add',
      {
        ...place,
        commentAnnotations: times(100, () => ({
          commentData: times(5, () => ({
            commentText: words(100),
            commentHtml: `<p>${words(100)}</p>`,
            from,
          })),
        })),
      },
      headers,
    );
  }
}

/**
 * Loads of one caller, or of a client without credentials. Those up to `1,000 documents` each once stopped the
 * service for all other callers.
 */
export const loads: Load[] = [
  { name: 'no load', begin: async () => ({ width: 0, act: async () => {} }) },
  runs,
  calls('data deletions of 1,000 unknown organizations', 4, '/v2/users/data/delete', () => ({
    userIds: times(100, word),
    organizationIds: times(1_000, word),
  })),
  replacing('XML of 19,000 tags', 'xml', '<p>first</p>', () => paragraphs(19_000)),
  replacing('text of 4 MB', 'text', 'first', () => words(500_000)),
  replacing('map of 150,000 keys', 'map', { first: 1 }, () => bigMap(150_000)),
  calls(
    'rejected maps of 330,000 keys',
    4,
    '/v2/crdt/update',
    () => ({
      ...place,
      editorId: 'rejected',
      type: 'array',
      data: [...times(3, () => bigMap(110_000)), '\0'],
    }),
    {
      samples: 1,
      prepare: async (attacker) => {
        await addDocument(attacker);
        const editor = { ...place, editorId: 'rejected', type: 'array', data: [1] };
        await post(attacker.client, '/v2/crdt/add', editor, attacker.headers);
      },
    },
  ),
  calls('reading a text of 4 MB', 8, '/v2/crdt/get', () => ({ ...place, editorId: 'text' }), {
    prepare: async (attacker) => {
      await addDocument(attacker);
      await post(
        attacker.client,
        '/v2/crdt/add',
        { ...place, editorId: 'text', type: 'text', data: words(500_000) },
        attacker.headers,
      );
    },
  }),
  calls('memory/search', 8, '/v2/memory/search', () => ({ query: words(2_000), limit: 50 }), {
    prepare: addJudgments,
  }),
  calls('memory/suggest', 8, '/v2/memory/suggest', () => ({ query: words(2_000) }), {
    prepare: addJudgments,
  }),
  calls(
    'comments with 5,000 tags',
    4,
    '/v2/commentannotations/add',
    () => ({
      ...place,
      commentAnnotations: times(20, () => ({
        commentData: [{ commentText: 'x', commentHtml: '<b>x</b>'.repeat(5_000), from }],
      })),
    }),
    { prepare: addDocument, samples: 2 },
  ),
  calls('1,000 users', 4, '/v2/users/add', () => ({
    organizationId: 'acme',
    users: times(1_000, () => ({ userId: word(), name: words(2), email: `${word()}@example.com` })),
  })),
  calls('bodies of 800 kB with many keys', 8, '/v2/activities/add', () => ({
    ...place,
    activities: times(10, () => ({
      featureType: 'custom',
      actionType: 'x',
      actionUser: from,
      targetEntityId: 'x',
      entityData: bigMap(4_500),
    })),
  })),
  {
    name: 'bodies of 800 kB without credentials',
    async begin(attacker) {
      const body = JSON.stringify({ data: bigMap(30_000) });
      const headers = { 'content-type': 'application/json' };
      return { width: 8, act: () => send(attacker, '/v1/auth/token/get', body, headers) };
    },
  },
  silentSockets,
  hangingWebhooks,
  calls('knowledge of 3 MB', 2, '/v2/memory/knowledge/ingest', () => {
    const text = times(30_000, () => `- ${words(12)}`).join('\n');
    return {
      source: 'inline',
      file: {
        base64: Buffer.from(text).toString('base64'),
        mimeType: 'text/markdown',
        fileName: 'rules.md',
        fileSize: Buffer.byteLength(text),
      },
    };
  }),
  calls('1,000 documents', 4, '/v2/organizations/documents/add', () => ({
    organizationId: 'acme',
    documents: times(1_000, () => ({ documentId: word(), documentName: words(3) })),
  })),
  // The other loads are as large as the limits allow.
  calls(
    '1,000 annotations',
    4,
    '/v2/commentannotations/add',
    () => ({
      ...place,
      commentAnnotations: times(1_000, () => ({ commentData: [{ commentText: words(20), from }] })),
    }),
    { prepare: addDocument },
  ),
  calls(
    'lists of 1,000 annotations',
    8,
    '/v2/commentannotations/get',
    () => ({ ...place, pageSize: 1_000 }),
    {
      prepare: addThreads,
    },
  ),
  calls('500 judgments', 4, '/v2/memory/judgments/add', () => ({ judgments: newJudgments(500) })),
  calls('1,000 activities', 4, '/v2/activities/add', () => ({
    ...place,
    activities: times(1_000, () => ({
      featureType: 'custom',
      actionType: 'x',
      actionUser: from,
      targetEntityId: 'x',
      displayMessageTemplate: words(60),
    })),
  })),
  calls(
    'live states of 60 kB',
    8,
    '/v2/livestate/broadcast',
    () => ({
      ...place,
      liveStateDataId: 'slide',
      data: { text: words(7_000) },
      merge: true,
    }),
    { prepare: addDocument },
  ),
  calls(
    'presence of 1,000 users',
    4,
    '/v2/presence/add',
    () => ({
      ...place,
      users: times(1_000, () => ({ userId: word(), name: words(2) })),
    }),
    { prepare: addDocument },
  ),
  calls('notifications to 1,000 users', 4, '/v2/notifications/add', () => ({
    organizationId: 'acme',
    actionUser: from,
    notifyUsers: times(1_000, () => ({ userId: word() })),
    displayHeadlineMessageTemplate: '{actionUser} wrote',
    displayBodyMessage: words(1_000),
  })),
  calls(
    'checklists of 3 MB',
    4,
    '/v2/agents/extract',
    () => ({
      fileBase64: Buffer.from(times(30_000, () => `- ${words(12)}`).join('\n')).toString('base64'),
      mimeType: 'text/markdown',
    }),
    { samples: 2 },
  ),
  calls('simple reads, 256 at once', 256, '/v2/commentannotations/get', () => place, {
    prepare: addDocument,
  }),
  calls('agents of 900 kB', 4, '/v2/agents/create', () => ({
    ...pageAgent,
    instructions: words(1_000),
    notes: words(100_000),
  })),
  {
    name: 'the OpenAPI document',
    async begin({ client }) {
      return {
        width: 16,
        async act() {
          const { body } = await client.request({ path: '/openapi.json', method: 'GET' });
          await body.dump();
        },
      };
    },
  },
  eventStreams,
  {
    name: 'moves of 1,000 annotations',
    async begin(attacker) {
      await addThreads(attacker);
      let documentId = 'home';
      return {
        width: 1,
        async act() {
          const newDocumentId = `home-${next()}`;
          const data = { organizationId: 'acme', documentId, newDocumentId };
          const status = await send(
            attacker,
            '/v2/organizations/documents/migrate',
            JSON.stringify({ data }),
          );
          if (status === 200) documentId = newDocumentId;
        },
      };
    },
  },
  calls('consolidations', 2, '/v2/memory/consolidate', () => ({ force: true }), { prepare: addJudgments }),
  {
    name: 'live editors at full speed',
    async begin(attacker) {
      await addDocument(attacker);
      const user = {
        userId: 'ada',
        userProperties: { name: 'Ada', email: 'ada@example.com' },
        permissions: { resources: [{ type: 'organization', id: 'acme' }] },
      };
      const { token } = await post(attacker.client, '/v2/auth/generate_token', user, attacker.headers);
      const { openLoad } = await import('./live-clients.ts');
      const open = (name: string) =>
        openLoad({
          url: `${attacker.url.replace('http', 'ws')}/v2/realtime`,
          dialect: 'hocuspocus',
          name: `acme/home/${name}`,
          token,
          clients: 20,
          updatesPerSecond: 1_000,
        });
      const editors = await Promise.all(times(4, (index) => open(`e${index}`)));
      return {
        width: 4,
        act: () => editors[next() % 4]!.run(1_000),
        end: () => {
          for (const editor of editors) editor.close();
        },
      };
    },
  },
];
