import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { Deps } from '../src/deps.ts';
import { openBlobStore } from '../src/outside/storage/open-blob-store.ts';
import { openMetadata, openSecrets } from '../src/review/agents/agent-secrets.ts';
import { loadAgent } from '../src/review/agents/load-agent.ts';
import { runExecution } from '../src/review/run/run-execution.ts';
import { getAgent } from '../src/store/agents/agents.ts';
import { fakeModels } from './fakes/models/fake-models.ts';
import { newWebhookStage } from './messages/webhook-stage.ts';
import { stageModels } from './reviews/model-stage.ts';
import { siteOf } from './reviews/runs.ts';
import { until } from './run/until.ts';
import { newWorkspace, type Reply, type TestWorkspace, testApp } from './service/harness.ts';

const CANARY = /canary-\w+/g;
const canariesIn = (value: unknown): string[] => [
  ...new Set((typeof value === 'string' ? value : JSON.stringify(value)).match(CANARY) ?? []),
];

/** All rows of the database that contain a canary, as `table: row`. */
async function canariesInDatabase({ db }: Deps): Promise<string[]> {
  const { rows: tables } = await sql<{ tableSchema: string; tableName: string }>`
    select table_schema, table_name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(db);
  expect(tables.length).toBeGreaterThan(40);
  const found: string[] = [];
  for (const { tableSchema, tableName } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(`${tableSchema}.${tableName}`)} as t
      where t::text like '%canary-%' or t::text like ${`%${Buffer.from('canary-').toString('hex')}%`}`.execute(
      db,
    );
    found.push(...rows.map(({ row }) => `${tableName}: ${row}`));
  }
  return found;
}

/** Starts a server that records each request and repeats it in its answer. */
async function echo() {
  const requests: { url: string; headers: object; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push({ url: request.url ?? '', headers: request.headers, body });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(requests.at(-1)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const agentWith = (url: string) => ({
  name: 'Prices',
  instructions: 'Compare. {{restApiData}}',
  metadata: { crm: { token: 'canary-metadata', team: 'web' } },
  contextGathering: {
    strategies: ['rest-api'],
    strategyOptions: {
      'rest-api': {
        endpoints: [
          {
            id: 'prices',
            description: 'Prices',
            url: `${url}/prices?page=1&api_key=canary-inurl`,
            method: 'POST',
            headers: {
              accept: 'application/json',
              'X-Api-Key': 'canary-header',
              cookie: 'session=canary-cookie',
              'x-trace': '{{trace}}',
            },
            query: { q: 'all', access_token: 'canary-query' },
            body: { filter: 'new', client_secret: 'canary-body' },
            auth: { type: 'bearer', token: 'canary-bearer' },
          },
          {
            id: 'stock',
            description: 'Stock',
            url: `${url}/stock`,
            method: 'POST',
            headers: { Authorization: 'Bearer canary-authorization' },
            body: 'grant_type=client_credentials&client_secret=canary-form',
          },
        ],
      },
      'in-house': { apiKey: 'canary-strategy' },
    },
  },
  execution: { executionStrategy: 'ai', vault: { privateKey: 'canary-private' } },
  customThing: {
    auth: { type: 'oauth', token: 'canary-custom', scopes: ['canary-scope'] },
    mirror: 'https://jane:canary-userinfo@example.com/',
    steps: [{ id: 'a', secret: 'canary-list' }],
  },
});
const PLANTED = canariesIn(agentWith('')).sort();

/** Executes a run as a worker would, and returns the answers of all operations about it. */
async function runOf(w: TestWorkspace, deps: Deps, agentId: string, url: string): Promise<Reply[]> {
  const { executionId } = await w.must('/v2/agents/execution/run', {
    agentId,
    url,
    variables: { trace: 't1' },
  });
  await runExecution(
    { workspaceId: w.workspaceId, apiKeyId: w.apiKeyId, executionId },
    deps as Parameters<typeof runExecution>[1],
    new AbortController().signal,
  );
  return [
    await w.post('/v2/agents/execution/get', { executionId, includeResults: true, includeLog: true }),
    await w.post('/v2/agents/execution/list', { agentId }),
    await w.post('/v2/agents/execution/events', { executionId }),
  ];
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one run is checked at all places that a secret could reach.
test('secrets of agents are used, but are in no table, answer, file, prompt or log line', async () => {
  const { deps } = await testApp();
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  const prompts: string[] = [];
  const fake = await fakeModels(({ system, texts }) => {
    prompts.push(system, ...texts);
    return { json: { findings: [] } };
  });
  onTestFinished(() => fake.close());
  stageModels(fake.models);
  const folder = mkdtempSync(join(tmpdir(), 'canary-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outside = { ...deps.outside, blobs: openBlobStore(pathToFileURL(folder).href) };
  const site = await siteOf({ '/': '<p>Prices</p>' });
  const { requests, url } = await echo();
  const w = await newWorkspace();

  const created = await w.post('/v2/agents/create', agentWith(url), { 'idempotency-key': w.apiKeyId });
  const { agentId } = created.body.result.data;
  const { agent } = await w.must('/v2/agents/get', { agentId });
  // The answer is sent back, as by a form that shows and saves an agent.
  const { contextGathering, execution, customThing, metadata } = agent;
  const saved = {
    agentId,
    contextGathering,
    execution,
    customThing,
    metadata,
    instructions: agent.instructions,
  };
  const replies = [
    created,
    await w.post('/v2/agents/version/update', saved),
    ...(await runOf(w, { ...deps, log, outside }, agentId, site.url)),
    await w.post('/v2/agents/versions/restore', { agentId }),
    await w.post('/v2/agents/get', { agentId }),
    await w.post('/v2/agents/get'),
    await w.post('/v2/agents/versions/list', { agentId }),
    await w.post('/v2/agents/version/update', {
      agentId,
      other: { token: '__redacted__' },
      contextGathering: {
        strategyOptions: { 'rest-api': { endpoints: [{ url: 7, headers: { cookie: 'canary-bad' } }] } },
      },
    }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 400]);
  expect(replies[2]!.body.result.data.execution.status).toBe('passed');

  const used = canariesIn(requests);
  expect(used.sort()).toEqual(
    ['authorization', 'bearer', 'body', 'cookie', 'form', 'header', 'inurl', 'query'].map(
      (name) => `canary-${name}`,
    ),
  );
  expect(requests).toHaveLength(2);
  expect(prompts.join()).toContain('[secret removed]');
  expect(canariesIn(prompts)).toEqual([]);
  expect(canariesIn(replies.map(({ body }) => body))).toEqual([]);
  expect(canariesIn(logged)).toEqual([]);
  expect(await canariesInDatabase(deps)).toEqual([]);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  expect(files.join()).toContain('[secret removed]');
  expect(canariesIn(files)).toEqual([]);

  const owner = { apiKeyId: w.apiKeyId, agentId };
  for (const version of [1, 2, 3]) {
    const { behavior } = (await loadAgent(deps.db, w, agentId, version))!;
    const stored = {
      ...openSecrets(behavior, deps.keyring, owner),
      metadata: openMetadata((await getAgent(deps.db, w, agentId))!.metadata, deps.keyring, owner),
    };
    expect(canariesIn(stored).sort()).toEqual(PLANTED);
  }

  expect(agent.contextGathering.strategyOptions['rest-api'].endpoints[0]).toMatchObject({
    url: `${url}/prices?page=1&api_key=__redacted__`,
    headers: {
      accept: 'application/json',
      'X-Api-Key': '__redacted__',
      cookie: '__redacted__',
      'x-trace': '{{trace}}',
    },
    query: { q: 'all', access_token: '__redacted__' },
    body: { filter: 'new', client_secret: '__redacted__' },
  });
  expect(agent.customThing).toEqual({
    auth: { type: 'oauth', token: '__redacted__', scopes: ['__redacted__'] },
    mirror: 'https://jane:__redacted__@example.com/',
    steps: [{ id: 'a', secret: '__redacted__' }],
  });
  expect(agent.metadata).toEqual({ crm: { token: '__redacted__', team: 'web' } });
});

test('secrets of webhooks are only in the row of their endpoint, which its owner may see', async () => {
  const { deps } = await testApp();
  await using stage = await newWebhookStage();
  const { workspace: w } = stage;
  const { requests, url } = await echo();
  const hook = `${url}/hook?token=canary-hook`;
  const basic = { authToken: 'canary-basic', rawNotificationUrl: `${url}/raw` };
  const replies = [
    await w.post('/v2/workspace/webhookconfig/update', {
      useWebhookService: true,
      webhookServiceConfig: basic,
    }),
    await w.post('/v2/workspace/webhookconfig/get'),
    await w.post('/v2/workspace/permissionproviderconfig/update', {
      permissionProviderConfig: {
        permissionProviderUrl: 'https://example.com/',
        authToken: 'canary-provider',
      },
    }),
    await w.post('/v2/workspace/permissionproviderconfig/get'),
  ];
  expect(canariesIn(replies.map(({ body }) => body))).toEqual([]);
  const endpoint = await w.must('/v2/workspace/advancedwebhook/endpoints/create', { url: hook });
  expect(endpoint.url).toBe(hook);
  await stage.change('home');
  await until(() => requests.some((request) => request.url.includes('canary-hook')));
  await until(async () =>
    (await stage.deliveries(endpoint.id)).every(({ status }) => status === 'delivered'),
  );
  const deliveries = await w.post('/v2/workspace/advancedwebhook/deliveries/get', {
    endpointId: endpoint.id,
  });
  expect(deliveries.status).toBe(200);
  expect(canariesIn(deliveries.body)).toEqual([]);
  const rows = await canariesInDatabase(deps);
  expect(rows.map((row) => row.split(':')[0])).toEqual(['webhook_endpoints']);
});

test('a canary in the database is found', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await w.must('/v2/agents/create', { name: 'canary-seen' });
  const found = await canariesInDatabase(deps);
  expect(found.some((row) => row.startsWith('agents: '))).toBe(true);
  await deps.db.deleteFrom('agents').where('apiKeyId', '=', w.apiKeyId).execute();
  await deps.db.deleteFrom('events').where('apiKeyId', '=', w.apiKeyId).execute();
});
