import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { newWorkspace, send, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { endpoints } from '../../api/index.ts';
import type { Settings } from '../../deps.ts';
import type { Authenticator } from '../request/authenticate.ts';
import { createServer } from '../server/server.ts';

const servers: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Starts a server with its own limits and an assumed number of processes. */
async function serve(
  settings: Partial<Settings>,
  processes = () => 1,
  authenticate?: Authenticator['authenticate'],
): Promise<FastifyInstance> {
  const { deps, authenticator } = await testApp();
  const app = await createServer({
    deps: { ...deps, settings: { ...deps.settings, ...settings } },
    endpoints,
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator: { ...authenticator, ...(authenticate && { authenticate }) },
    processes,
  });
  servers.push(app);
  return app;
}

const json = { 'content-type': 'application/json' };
const read = (app: FastifyInstance, { keyHeaders }: TestWorkspace, payload: unknown = { data: {} }) =>
  app.inject({
    method: 'POST',
    url: '/v2/agents/get',
    headers: { ...json, ...keyHeaders },
    payload: payload as object,
  });

const statusesOf = (replies: { statusCode: number }[]) =>
  replies.map(({ statusCode }) => statusCode).sort((a, b) => a - b);

test('requests over the rate of a key are refused with the remaining quota, and other keys are not affected', async () => {
  const app = await serve({ keyRate: 1 });
  const [one, other] = await Promise.all([newWorkspace(), newWorkspace()]);
  const replies = await Promise.all(Array.from({ length: 20 }, () => read(app, one)));
  const refused = replies.filter(({ statusCode }) => statusCode === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]!.json().error).toMatchObject({
    status: 'RESOURCE_EXHAUSTED',
    message: 'Too many requests: an API key may send 1 in a second.',
  });
  expect(refused[0]!.headers).toMatchObject({
    'retry-after': '1',
    'ratelimit-policy': '"key";q=1;w=1',
    ratelimit: '"key";r=0;t=1',
    'ratelimit-remaining': '0',
  });
  const answered = await read(app, other);
  expect(answered.statusCode).toBe(200);
  expect(answered.headers['ratelimit-policy']).toBe('"key";q=1;w=1');
  expect(answered.headers.ratelimit).toBe('"key";r=0;t=1');
});

test('processes share a quota, and together allow at most twice the quota', async () => {
  let processes = 1;
  const app = await serve({ keyRate: 1_000 }, () => processes);
  const workspace = await newWorkspace();
  const quotaOf = async () => (await read(app, workspace)).headers['ratelimit-policy'];
  expect(await quotaOf()).toBe('"key";q=1000;w=1');
  processes = 2;
  expect(await quotaOf()).toBe('"key";q=1000;w=1');
  processes = 8;
  expect(await quotaOf()).toBe('"key";q=250;w=1');
});

test('a refusal does not wait for the body', async () => {
  const app = await serve({ requestsAtOnce: 1, turns: 1 });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const { keyHeaders } = await newWorkspace();
  const head = [
    'POST /v2/agents/get HTTP/1.1',
    'host: x',
    'content-type: application/json',
    'content-length: 1000000',
    ...Object.entries(keyHeaders).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n');
  const first = connect(port, '127.0.0.1');
  const second = connect(port, '127.0.0.1');
  const answered = (socket: typeof first) =>
    new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
  // One request takes the only slot and waits for its body.
  const answer = Promise.race([answered(first), answered(second)]);
  for (const socket of [first, second]) socket.write(`${head}\r\n\r\n`);
  expect(await answer).toMatch(/^HTTP\/1\.1 429 [\s\S]*Too many requests at once/);
  first.destroy();
  second.destroy();
});

test('a client that disconnects during the lookup of its credentials keeps no slot', async () => {
  const { authenticator } = await testApp();
  const isFound = Promise.withResolvers<void>();
  const isGone = Promise.withResolvers<void>();
  const app = await serve({ requestsAtOnce: 1 }, undefined, async (...args) => {
    const identity = await authenticator.authenticate(...args);
    isFound.resolve();
    await isGone.promise;
    return identity;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const workspace = await newWorkspace();
  const accepted = once(app.server, 'connection') as Promise<[Socket]>;
  const client = connect(port, '127.0.0.1');
  const head = Object.entries(workspace.keyHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  client.write(`POST /v2/agents/get HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n${head.join('')}\r\n`);
  const [socket] = await accepted;
  await isFound.promise;
  const closed = once(socket, 'close');
  client.destroy();
  await closed;
  isGone.resolve();
  expect((await read(app, workspace)).statusCode).toBe(200);
});

test('a request with unknown credentials counts against its address before its body is read', async () => {
  const app = await serve({ addressRate: 3 });
  const workspace = await newWorkspace();
  const wrong = { ...workspace, keyHeaders: { ...workspace.keyHeaders, 'x-service-auth-token': 'wrong' } };
  const guesses = await Promise.all(Array.from({ length: 20 }, () => read(app, wrong)));
  expect(new Set(statusesOf(guesses))).toEqual(new Set([401, 429]));
  const broken = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.inject({ method: 'POST', url: '/v2/workspace/create', headers: json, payload: '{' }),
    ),
  );
  expect(statusesOf(broken)).toContain(429);
});

test('valid credentials do not count against their address', async () => {
  const app = await serve({ addressRate: 2 });
  const workspaces = await Promise.all(Array.from({ length: 4 }, newWorkspace));
  for (const workspace of workspaces) expect((await read(app, workspace)).statusCode).toBe(200);
});

test('the rate limit of an operation counts requests with an invalid body', async () => {
  const app = await serve({ workspaceRate: 3 });
  const from = { ...json, 'x-forwarded-for': `192.0.2.${Math.floor(Math.random() * 250)}` };
  const create = (payload: string) =>
    app.inject({ method: 'POST', url: '/v2/workspace/create', headers: from, payload });
  const replies = [];
  // The window may end between two requests.
  for (let i = 0; i < 8; i++) replies.push(await create('{}'));
  expect(new Set(statusesOf(replies))).toEqual(new Set([400, 429]));
  const { deps } = await testApp();
  const { used } = await deps.db
    .selectFrom('rateCounters')
    .select('used')
    .where('bucket', 'like', `% ${from['x-forwarded-for']}`)
    .executeTakeFirstOrThrow();
  // A bucket over its quota is not counted in the database.
  expect(used).toBeLessThanOrEqual(4);
  // The check of the domain comes before the rate limit.
  const disposable = await create(JSON.stringify({ data: { ownerEmail: 'x@mailinator.com' } }));
  expect(disposable.json().error.message).toBe('This email domain is not supported.');
});

test('a public operation accepts 16 kB', async () => {
  const app = await serve({});
  const create = (size: number) =>
    app.inject({
      method: 'POST',
      url: '/v2/workspace/create',
      headers: json,
      payload: JSON.stringify({ data: { ownerEmail: 'nobody', name: 'x'.repeat(size) } }),
    });
  expect((await create(16_000)).statusCode).toBe(400);
  const refused = await create(17_000);
  expect([refused.statusCode, refused.json().error.status]).toEqual([413, 'INVALID_ARGUMENT']);
});

test('the concurrent requests of a caller are limited, and callers take turns', async () => {
  const app = await serve({ requestsAtOnce: 50, turns: 2 });
  const [busy, other] = await Promise.all([newWorkspace(), newWorkspace()]);
  // Now the credentials are cached, so that all requests are admitted before the first is answered.
  expect((await read(app, busy)).statusCode).toBe(200);
  const replies = Array.from({ length: 80 }, () => read(app, busy));
  const answered = await read(app, other);
  expect(answered.statusCode).toBe(200);
  const statuses = statusesOf(await Promise.all(replies));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(50);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  // All slots are free again.
  expect(statusesOf(await Promise.all(Array.from({ length: 50 }, () => read(app, busy))))).toEqual(
    Array(50).fill(200),
  );
});

test('the replayed answer of a creation has its token redacted', async () => {
  const headers = { 'idempotency-key': `k${Date.now()}` };
  const body = { data: { ownerEmail: `once.${Date.now()}@example.com` } };
  const first = await send('/v2/workspace/create', body, headers);
  const again = await send('/v2/workspace/create', body, headers);
  expect(again.headers['idempotent-replayed']).toBe('true');
  const { authToken, ...workspace } = first.body.result.data;
  expect(authToken).toMatch(/./);
  expect(again.body.result.data).toEqual({ ...workspace, authToken: '__redacted__' });
});
