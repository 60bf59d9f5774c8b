import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { openSecrets } from '../../review/agents/agent-secrets.ts';
import { loadAgent } from '../../review/agents/load-agent.ts';
import { refuseMovedSecrets } from '../../review/agents/moved-secrets.ts';

const CANARY = 'canary-5f1c';

const endpoint = (auth: object, more: object = {}) => ({
  description: 'd',
  url: 'https://api.example.com/',
  auth,
  ...more,
});
const server = (auth: object, more: object = {}) => ({
  id: 'docs',
  url: 'https://mcp.example.com/',
  auth,
  ...more,
});

const agentWithSecrets = {
  name: 'Prices',
  instructions: 'Compare.',
  contextGathering: {
    strategies: ['rest-api'],
    strategyOptions: {
      'rest-api': {
        endpoints: [
          endpoint({ type: 'bearer', token: `${CANARY}-token` }, { id: 'prices' }),
          endpoint({ type: 'basic', username: 'jane', password: `${CANARY}-password` }),
        ],
      },
    },
  },
  execution: {
    executionStrategy: 'mcp-tools',
    mcpServers: [server({ type: 'header', headers: { 'x-key': `${CANARY}-header` } })],
  },
};

const secretsOf = async (w: Awaited<ReturnType<typeof newWorkspace>>, agentId: string) => {
  const { deps } = await testApp();
  const agent = (await loadAgent(deps.db, w, agentId))!;
  const opened = openSecrets(agent.behavior, deps.keyring, { apiKeyId: w.apiKeyId, agentId });
  const found = (JSON.stringify(opened).match(/canary-[\w-]+/g) ?? []).sort();
  return { found, behavior: opened as typeof agentWithSecrets };
};

test('a secret is stored sealed and redacted by every operation', async () => {
  const w = await newWorkspace();
  const created = await w.post('/v2/agents/create', agentWithSecrets, { 'idempotency-key': w.apiKeyId });
  const { agentId } = created.body.result.data;
  const replies = [
    created,
    await w.post('/v2/agents/version/update', { agentId, instructions: 'Compare prices.' }),
    await w.post('/v2/agents/version/update', {
      agentId,
      execution: { mcpServers: [server({ type: 'header', headers: { 'bad name': CANARY } })] },
      contextGathering: {
        strategyOptions: {
          'rest-api': { endpoints: [endpoint({ type: 'bearer', token: CANARY, other: CANARY })] },
        },
      },
    }),
    await w.post('/v2/agents/versions/restore', { agentId }),
    await w.post('/v2/agents/get', { agentId }),
    await w.post('/v2/agents/get'),
    await w.post('/v2/agents/versions/list', { agentId }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 400, 200, 200, 200, 200]);
  expect(JSON.stringify(replies.map(({ body }) => body))).not.toContain('canary');
  const [shown] = replies[4]!.body.result.data.agent.execution.mcpServers;
  expect(shown.auth).toEqual({ type: 'header', headers: { 'x-key': '__redacted__' } });

  const { deps } = await testApp();
  const rows = await Promise.all(
    (['agents', 'agentVersions', 'events', 'idempotencyKeys'] as const).map((table) =>
      deps.db.selectFrom(table).selectAll().execute(),
    ),
  );
  expect(rows[1]!.some((row) => (row as { agentId?: string }).agentId === agentId)).toBe(true);
  expect(JSON.stringify(rows)).not.toContain(CANARY);
  expect((await secretsOf(w, agentId)).found).toEqual([
    `${CANARY}-header`,
    `${CANARY}-password`,
    `${CANARY}-token`,
  ]);
});

test('a version keeps secrets that are omitted or redacted, replaces new ones and drops those of type none', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', agentWithSecrets);
  const fetched = (await w.must('/v2/agents/get', { agentId })).agent;
  await w.must('/v2/agents/version/update', {
    agentId,
    contextGathering: fetched.contextGathering,
    execution: { mcpServers: [server({ type: 'header', headers: { 'x-key': 'canary-rotated' } })] },
  });
  expect((await secretsOf(w, agentId)).found).toEqual([
    `${CANARY}-password`,
    `${CANARY}-token`,
    'canary-rotated',
  ]);

  await w.must('/v2/agents/version/update', {
    agentId,
    contextGathering: {
      strategyOptions: {
        'rest-api': {
          endpoints: [
            endpoint({ type: 'none' }),
            { ...endpoint({}), auth: undefined, id: 'prices', url: 'https://api.example.com/v2' },
          ],
        },
      },
    },
  });
  const { found, behavior } = await secretsOf(w, agentId);
  expect(found).toEqual([`${CANARY}-token`, 'canary-rotated']);
  expect(behavior.contextGathering.strategyOptions['rest-api'].endpoints[1]).toMatchObject({
    url: 'https://api.example.com/v2',
    auth: { type: 'bearer', token: `${CANARY}-token` },
  });
});

test('a redacted secret is refused if none is stored', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', agentWithSecrets);
  const rejected = await w.post('/v2/agents/version/update', {
    agentId,
    execution: {
      mcpServers: [
        server({ type: 'bearer', token: '__redacted__' }),
        server({ type: 'bearer', token: '__redacted__' }, { id: 'new' }),
      ],
    },
  });
  expect(rejected.status).toBe(400);
  expect(rejected.body.error.message.split('\n')).toEqual([
    'execution.mcpServers[0].auth.token is __redacted__, but no secret is stored for it.',
    'execution.mcpServers[1].auth.token is __redacted__, but no secret is stored for it.',
  ]);
  const typed = await w.post('/v2/agents/version/update', {
    agentId,
    execution: { mcpServers: [server({ type: 'bearer' })] },
  });
  expect(typed.body.error.message).toBe('execution.mcpServers[0].auth.token is required.');
  expect((await secretsOf(w, agentId)).found).toHaveLength(3);
});

test('a value that is redacted by its shape is refused if none is stored', async () => {
  const w = await newWorkspace();
  const sent = {
    name: 'A',
    custom: [{ token: '__redacted__' }, { url: 'https://a.example/?token=__redacted__' }],
    metadata: { crm: { apiSecret: '__redacted__' } },
    instructions: '__redacted__',
  };
  const { body } = await w.post('/v2/agents/create', sent);
  expect(body.error.message.split('\n')).toEqual([
    'metadata.crm.apiSecret is __redacted__, but no secret is stored for it.',
    'custom[0].token is __redacted__, but no secret is stored for it.',
    'custom[1].url is __redacted__, but no secret is stored for it.',
  ]);
});

const refusal = (place: string): string =>
  `${place} leads to another origin than the one for which the secrets beside it are stored: send these secrets again.`;
const inList = (entry: object) => ({ strategyOptions: { 'rest-api': { endpoints: [entry] } } });

test('a template in the place of a scheme hides no host', () => {
  const stored = { execution: { url: '{{scheme}}://api.example.com/', auth: { token: 'secret' } } };
  const sent = (url: string) => ({ execution: { url, auth: {} } });
  const kept = (url: string) => ({ execution: { url, auth: { token: 'secret' } } });
  const move = (url: string) => () => refuseMovedSecrets(sent(url), kept(url), stored);
  expect(move('{{scheme}}://api.example.com/v2')).not.toThrow();
  expect(move('{{scheme}}://evil.example.com/')).toThrow(refusal('execution.url'));
});

test.each([
  [
    'an MCP server',
    { execution: { mcpServers: [{ id: 'docs', url: 'https://evil.example.com/' }] } },
    refusal('execution.mcpServers[0].url'),
  ],
  [
    'an endpoint with a redacted token',
    {
      contextGathering: inList(
        endpoint({ type: 'bearer', token: '__redacted__' }, { id: 'prices', url: 'http://api.example.com/' }),
      ),
    },
    refusal('contextGathering.strategyOptions.rest-api.endpoints[0].url'),
  ],
  [
    'an address that contains a secret',
    {
      contextGathering: inList({
        id: 'keyed',
        description: 'd',
        url: 'https://evil.example.com/?token=__redacted__',
      }),
    },
    refusal('contextGathering.strategyOptions.rest-api.endpoints[0].url'),
  ],
  [
    'credentials for pages',
    { auth: { headers: { 'x-key': '__redacted__' }, origins: ['https://evil.example.com'] } },
    refusal('auth.origins'),
  ],
])('%s keeps no secret that a change would send to another host', async (_, change, message) => {
  const w = await newWorkspace();
  const keyed = { id: 'keyed', description: 'd', url: `https://api.example.com/?token=${CANARY}-query` };
  const { endpoints } = agentWithSecrets.contextGathering.strategyOptions['rest-api'];
  const { agentId } = await w.must('/v2/agents/create', {
    ...agentWithSecrets,
    contextGathering: {
      strategies: ['rest-api'],
      strategyOptions: { 'rest-api': { endpoints: [...endpoints, keyed] } },
    },
    auth: { headers: { 'x-key': `${CANARY}-page` }, origins: ['https://staging.example.com'] },
  });
  const before = (await secretsOf(w, agentId)).found;
  const updated = await w.post('/v2/agents/version/update', { agentId, ...change });
  expect(updated.body.error).toMatchObject({ status: 'INVALID_ARGUMENT', message });
  const { contextGathering, execution, scope, auth } = (await w.must('/v2/agents/get', { agentId })).agent;
  const whole = { agentId, contextGathering, execution, scope, auth, instructions: 'Compare.', ...change };
  const created = await w.post('/v2/agents/versions/create', {
    ...whole,
    contextGathering: { ...contextGathering, ...whole.contextGathering },
    execution: { ...execution, ...whole.execution },
  });
  expect(created.body.error).toMatchObject({ status: 'INVALID_ARGUMENT', message });
  expect((await secretsOf(w, agentId)).found).toEqual(before);
});

test('a secret is kept beside another path of its origin, and moves if it is sent again', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', agentWithSecrets);
  const move = (url: string, auth?: object) =>
    w.post('/v2/agents/version/update', {
      agentId,
      execution: { mcpServers: [{ id: 'docs', url, ...(auth && { auth }) }] },
    });
  expect((await move('https://mcp.example.com/v2')).status).toBe(200);
  expect((await secretsOf(w, agentId)).found).toContain(`${CANARY}-header`);
  expect((await move('https://mcp.example.org/')).status).toBe(400);
  const sent = { type: 'header', headers: { 'x-key': `${CANARY}-header` } };
  expect((await move('https://mcp.example.org/', sent)).status).toBe(200);
  expect((await move('https://mcp.example.com/', { type: 'none' })).status).toBe(200);
});
