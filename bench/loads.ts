import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pool } from 'undici';
import { WebSocket } from 'ws';
import { post } from './closed-loop.ts';

/** One caller, who may do what the limits allow, and as much of it as they can. */
export interface Attacker {
  url: string;
  client: Pool;
  headers: Record<string, string>;
}

export interface Load {
  name: string;
  /** Brings what is needed, and answers what is then done over and over until it is time to end. */
  begin(attacker: Attacker): Promise<{ act: () => Promise<unknown>; width: number; end?: () => void }>;
}

export const ATTACKER_ADDRESS = '127.0.0.9';

const place = { organizationId: 'acme', documentId: 'home' };
const from = { userId: 'ada', name: 'Ada', email: 'ada@example.com' };
let count = 0;
const next = (): number => count++;
const letters = 'abcdefghijklmnopqrstuvwxyz';
const word = (): string =>
  Array.from({ length: 7 }, () => letters[Math.floor(Math.random() * letters.length)]).join('');
const words = (many: number): string => Array.from({ length: many }, word).join(' ');
const times = <T>(many: number, make: (index: number) => T): T[] =>
  Array.from({ length: many }, (_, at) => make(at));

/** Sends and forgets the answer: whether it is refused is the service's to say. */
async function send(
  { client, headers }: Attacker,
  path: string,
  body: string | Buffer,
  others?: Record<string, string>,
): Promise<number> {
  const answer = await client.request({ method: 'POST', path, headers: others ?? headers, body });
  await answer.body.dump();
  return answer.statusCode;
}

/** One operation at a width, with bodies that are made before. */
const calls = (
  name: string,
  width: number,
  path: string,
  bodies: (turn: number) => object,
  { samples = 4, prepare }: { samples?: number; prepare?: (attacker: Attacker) => Promise<unknown> } = {},
): Load => ({
  name,
  async begin(attacker) {
    await prepare?.(attacker);
    const made = times(samples, (turn) => JSON.stringify({ data: bodies(turn) }));
    return { width, act: () => send(attacker, path, made[next() % made.length]!) };
  },
});

const addDocument = ({ client, headers }: Attacker) =>
  post(
    client,
    '/v2/organizations/documents/add',
    { organizationId: 'acme', documents: [{ documentId: 'home' }] },
    headers,
  );

/** Makes the editor, whose content is then replaced by others that share little with it. */
const replaces = (name: string, type: string, first: unknown, content: () => unknown): Load =>
  calls(name, 1, '/v2/crdt/update', () => ({ ...place, editorId: name, type, data: content() }), {
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

const paragraphs = (many: number): string => times(many, () => `<p a="${word()}">${word()}</p>`).join('');
const bigMap = (keys: number) => Object.fromEntries(times(keys, (index) => [`k${index}`, Math.random()]));

const judgments = (many: number) =>
  times(many, (index) => ({
    decision: index % 2 ? 'approve' : 'reject',
    reasoning: words(40),
    content: words(60),
    organizationId: 'acme',
    actionUser: from,
  }));

const someJudgments = async ({ client, headers }: Attacker) => {
  for (let batch = 0; batch < 6; batch++)
    await post(client, '/v2/memory/judgments/add', { judgments: judgments(500) }, headers);
};

/** Threads with long comments, as many as one page of a list may have. */
async function someThreads({ client, headers }: Attacker): Promise<void> {
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

/** Never answers. */
export async function hangingServer(): Promise<{ server: Server; url: string; open: () => number }> {
  let open = 0;
  const server = createServer(() => {});
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open: () => open };
}

/** A page that takes its time. */
export async function slowSite(ms: number): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => {
    setTimeout(() => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Page</title><h1>Page</h1><p>Some words.</p>');
    }, ms);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export const pageAgent = {
  name: 'Text',
  contextGathering: { strategies: ['web-page-text'] },
  execution: { executionStrategy: 'service', serviceId: 'og-image-checker' },
};

const runs: Load = {
  name: 'runs of 2 s each',
  async begin(attacker) {
    const { server, url } = await slowSite(2_000);
    const { agentId } = await post(attacker.client, '/v2/agents/create', pageAgent, attacker.headers);
    return {
      width: 4,
      act: () =>
        send(
          attacker,
          '/v2/agents/execution/run',
          JSON.stringify({ data: { agentId, url: `${url}/${next()}` } }),
        ),
      end: () => server.close(),
    };
  },
};

const silentSockets: Load = {
  name: '2,500 WebSockets that say nothing',
  async begin({ url }) {
    const sockets = new Set<WebSocket>();
    const open = () =>
      new Promise<void>((done) => {
        const ws = new WebSocket(`${url.replace('http', 'ws')}/v2/realtime`, {
          perMessageDeflate: false,
          localAddress: ATTACKER_ADDRESS,
        });
        sockets.add(ws);
        const ended = () => {
          sockets.delete(ws);
          done();
        };
        ws.on('close', ended);
        ws.on('error', () => ws.terminate());
      });
    return {
      width: 2_500,
      act: open,
      end: () => {
        for (const ws of sockets) ws.terminate();
      },
    };
  },
};

const hangingWebhooks: Load = {
  name: 'webhook endpoints that hang',
  async begin(attacker) {
    const { server, url } = await hangingServer();
    await addDocument(attacker);
    for (let index = 0; index < 1_000; index++) {
      const status = await send(
        attacker,
        '/v2/workspace/advancedwebhook/endpoints/create',
        JSON.stringify({ data: { url: `${url}/${index}` } }),
      );
      if (status !== 200) break;
    }
    return {
      width: 4,
      act: () =>
        send(
          attacker,
          '/v2/organizations/documents/add',
          JSON.stringify({ data: { organizationId: 'acme', documents: [{ documentId: `d${next()}` }] } }),
        ),
      end: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  },
};

const eventStreams: Load = {
  name: 'event streams that are opened and left',
  async begin({ client, headers }) {
    return {
      width: 64,
      async act() {
        const { body } = await client.request({
          method: 'GET',
          path: '/v2/events?organizationId=acme',
          headers,
        });
        body.on('error', () => {});
        body.destroy();
      },
    };
  },
};

/** What one caller, or a client that has no credentials, does. The first sixteen after nothing stopped the service for all once. */
export const loads: Load[] = [
  { name: 'nothing', begin: async () => ({ width: 0, act: async () => {} }) },
  runs,
  calls('data deletions of 1,000 unknown organizations', 4, '/v2/users/data/delete', () => ({
    userIds: times(100, word),
    organizationIds: times(1_000, word),
  })),
  replaces('XML of 19,000 tags', 'xml', '<p>first</p>', () => paragraphs(19_000)),
  replaces('text of 4 MB', 'text', 'first', () => words(500_000)),
  replaces('map of 150,000 keys', 'map', { first: 1 }, () => bigMap(150_000)),
  calls(
    'maps of 330,000 keys that are refused',
    4,
    '/v2/crdt/update',
    () => ({
      ...place,
      editorId: 'refused',
      type: 'array',
      data: [...times(3, () => bigMap(110_000)), '\0'],
    }),
    {
      samples: 1,
      prepare: async (attacker) => {
        await addDocument(attacker);
        const editor = { ...place, editorId: 'refused', type: 'array', data: [1] };
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
    prepare: someJudgments,
  }),
  calls('memory/suggest', 8, '/v2/memory/suggest', () => ({ query: words(2_000) }), {
    prepare: someJudgments,
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
  calls('a body of 800 kB with many keys', 8, '/v2/activities/add', () => ({
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
  // Further loads, each as large as the limits allow.
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
      prepare: someThreads,
    },
  ),
  calls('500 judgments', 4, '/v2/memory/judgments/add', () => ({ judgments: judgments(500) })),
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
    '1,000 in presence',
    4,
    '/v2/presence/add',
    () => ({
      ...place,
      users: times(1_000, () => ({ userId: word(), name: words(2) })),
    }),
    { prepare: addDocument },
  ),
  calls('1,000 notified', 4, '/v2/notifications/add', () => ({
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
      await someThreads(attacker);
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
  calls('consolidations', 2, '/v2/memory/consolidate', () => ({ force: true }), { prepare: someJudgments }),
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
