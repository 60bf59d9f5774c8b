import { expect, test } from 'vitest';
import { cookieOf, SAME_ORIGIN, signIn } from '../../../test/people/console-session.ts';
import { newWorkspace, send, testApp } from '../../../test/service/harness.ts';
import { createServer } from '../../http/server/server.ts';
import { createOperatorLink } from '../../store/identity/sign-in-links.ts';
import { endpoints } from '../index.ts';

const refusalOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, body.error?.status];

test('the credentials of a workspace sign in as its owner, with a cookie that scripts cannot read', async () => {
  const w = await newWorkspace();
  const reply = await send('/v2/session/start', {
    data: { workspaceId: w.workspaceId, workspaceAuthToken: w.authToken },
  });
  expect(reply.status).toBe(200);
  expect(reply.headers['set-cookie']).toMatch(
    /^redpen=rps_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  const { data } = reply.body.result;
  expect(data).toMatchObject({
    account: { name: w.email, email: null },
    workspaces: [{ workspaceId: w.workspaceId, role: 'owner', apiKeys: [{ apiKeyId: w.apiKeyId }] }],
    session: { isCurrent: true },
    service: { mail: true },
  });
  const headers = { ...SAME_ORIGIN, cookie: cookieOf(reply) };
  const got = await send('/v2/session/get', {}, headers);
  expect(got.body.result.data).toEqual(data);
});

test('a session opens operations of its API keys and workspaces, and a member of no other', async () => {
  const [w, other] = [await newWorkspace(), await newWorkspace()];
  const session = await signIn(w);
  expect((await session.post('/v2/agents/create', { name: 'Mine' })).status).toBe(200);
  expect(
    (await session.post('/v2/commentannotations/count/get', { organizationId: 'acme' })).status,
  ).not.toBe(401);
  expect((await session.postAsWorkspace('/v2/workspace/get')).body.result.data.id).toBe(w.workspaceId);
  const theirs = await session.post('/v2/agents/get', {}, { 'x-redpen-key': other.apiKeyId });
  const unknown = await session.post('/v2/agents/get', {}, { 'x-redpen-key': 'unknown' });
  expect(refusalOf(theirs)).toEqual([403, 'PERMISSION_DENIED']);
  expect(theirs.body).toEqual(unknown.body);
  // The workspace is known by now, and its id is still none of an API key.
  const mixed = await session.post('/v2/agents/get', {}, { 'x-redpen-key': w.workspaceId });
  expect(refusalOf(mixed)).toEqual([403, 'PERMISSION_DENIED']);
  const { 'x-redpen-key': _, ...keyless } = session.headers;
  const missing = await send('/v2/agents/get', { data: {} }, keyless);
  expect(refusalOf(missing)).toEqual([400, 'INVALID_ARGUMENT']);
  expect(missing.body.error.message).toContain('x-redpen-key');
});

test('a session in a request of another page, or of none that is known, is refused', async () => {
  const w = await newWorkspace();
  const { cookie } = await signIn(w);
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'same-site', origin: 'http://other.localhost' },
    { origin: 'http://127.0.0.1:1' },
    {},
  ];
  for (const headers of foreign) {
    const sent = { cookie, 'x-redpen-key': w.apiKeyId, ...headers };
    expect(refusalOf(await send('/v2/agents/get', { data: {} }, sent))).toEqual([403, 'PERMISSION_DENIED']);
    expect(refusalOf(await send('/v2/session/get', {}, sent))).toEqual([403, 'PERMISSION_DENIED']);
  }
});

test('a session is accepted from a page whose origin is that of the service', async () => {
  const w = await newWorkspace();
  const { cookie } = await signIn(w);
  // A browser leaves out the port of the scheme, which this Host header has.
  const sent = { cookie, 'x-redpen-key': w.apiKeyId, origin: 'http://localhost' };
  expect((await send('/v2/agents/get', { data: {} }, sent)).status).toBe(200);
});

test('the password of a proxy in front does not hide the session, and a token of the API does', async () => {
  const w = await newWorkspace();
  const session = await signIn(w);
  const statusWith = async (authorization: string) =>
    (await session.post('/v2/agents/get', {}, { authorization })).status;
  expect(await statusWith('Basic dXNlcjpwYXNzd29yZA==')).toBe(200);
  expect(await statusWith('Bearer none')).toBe(401);
});

test('a page that lets its own name resolve to the service can neither sign in nor use a session', async () => {
  const { deps, authenticator } = await testApp();
  const w = await newWorkspace();
  const { headers } = await signIn(w);
  const strict = await createServer({
    deps: { ...deps, settings: { ...deps.settings, trustProxy: [], consoleHosts: ['console.internal'] } },
    endpoints,
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
  });
  const statusAt = async (host: string, path: string, more: Record<string, string>, data: object) =>
    (
      await strict.inject({
        method: 'POST',
        url: path,
        headers: { host, 'content-type': 'application/json', ...more },
        payload: JSON.stringify({ data }),
      })
    ).statusCode;
  const start = { workspaceId: w.workspaceId, workspaceAuthToken: w.authToken };
  for (const host of ['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', 'a b']) {
    expect([host, await statusAt(host, '/v2/session/start', {}, start)]).toEqual([host, 403]);
    expect([host, await statusAt(host, '/v2/agents/get', headers, {})]).toEqual([host, 403]);
    // An API key is no credential that a browser adds by itself.
    expect([host, await statusAt(host, '/v2/agents/get', w.keyHeaders, {})]).toEqual([host, 200]);
  }
  for (const host of ['localhost:8080', '127.0.0.1', '[::1]:80', '192.168.1.7:8080', 'console.internal:81']) {
    expect([host, await statusAt(host, '/v2/session/start', {}, start)]).toEqual([host, 200]);
    expect([host, await statusAt(host, '/v2/agents/get', headers, {})]).toEqual([host, 200]);
    // Browsers mark no request that goes to another machine over plain HTTP, and state its origin.
    const { 'sec-fetch-site': _, ...plain } = headers as Record<string, string>;
    const fromPage = { ...plain, origin: new URL(`http://${host}`).origin };
    expect([host, await statusAt(host, '/v2/agents/get', fromPage, {})]).toEqual([host, 200]);
    const fromOther = { ...plain, origin: 'http://console.internal' };
    expect([host, await statusAt(host, '/v2/agents/get', fromOther, {})]).toEqual([host, 403]);
  }
  await strict.close();
});

test('the code of a link signs in once', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const code = await deps.db
    .transaction()
    .execute((tx) => createOperatorLink(tx, { workspaceId: w.workspaceId }));
  const first = await send('/v2/session/start', { data: { code } });
  expect(first.body.result.data.workspaces.map((one: { workspaceId: string }) => one.workspaceId)).toContain(
    w.workspaceId,
  );
  for (const used of [code, `${code}x`, 'x']) {
    expect(refusalOf(await send('/v2/session/start', { data: { code: used } }))).toEqual([
      401,
      'UNAUTHENTICATED',
    ]);
  }
  const rows = await deps.db.selectFrom('signInLinks').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(code);
});

test('an expired link signs in no more', async () => {
  const { deps } = await testApp();
  const code = await deps.db.transaction().execute((tx) => createOperatorLink(tx));
  await deps.db
    .updateTable('signInLinks')
    .set({ expiresAt: Date.now() - 1 })
    .execute();
  const reply = await send('/v2/session/start', { data: { code } });
  expect(refusalOf(reply)).toEqual([401, 'UNAUTHENTICATED']);
});

test('a session ends when it is ended, and after 12 hours without use or 30 days in any case', async () => {
  const { deps, authenticator } = await testApp();
  const w = await newWorkspace();
  const session = await signIn(w);
  const ended = await send('/v2/session/end', {}, session.headers);
  expect(ended.headers['set-cookie']).toMatch(/^redpen=; Max-Age=0; /);
  expect(refusalOf(await session.post('/v2/agents/get'))).toEqual([401, 'UNAUTHENTICATED']);
  const hours = (count: number) => count * 3_600_000;
  for (const [lastUsedAt, endsAt, status] of [
    [-hours(11.9), hours(1), 200],
    [-hours(12), hours(1), 401],
    [0, -1, 401],
  ] as const) {
    const next = await signIn(w);
    const now = Date.now();
    const { sessionId } = next.data.session;
    await deps.db
      .updateTable('sessions')
      .set({ lastUsedAt: now + lastUsedAt, endsAt: now + endsAt })
      .where('sessionId', '=', sessionId)
      .execute();
    authenticator.forget(sessionId);
    expect([lastUsedAt, (await next.post('/v2/agents/get')).status]).toEqual([lastUsedAt, status]);
  }
});

test('files take the API key of a session in the query', async () => {
  const { app } = await testApp();
  const w = await newWorkspace();
  const { cookie } = await signIn(w);
  const get = async (url: string, headers: Record<string, string>) =>
    (await app.inject({ url, headers: { ...SAME_ORIGIN, ...headers } })).statusCode;
  expect(await get(`/v2/blobs/none?key=${w.apiKeyId}`, { cookie })).toBe(404);
  expect(await get('/v2/blobs/none', { cookie })).toBe(400);
  expect(await get('/v2/blobs/none?key=unknown', { cookie })).toBe(403);
  expect(await get(`/v2/blobs/none?key=${w.apiKeyId}`, {})).toBe(401);
  const foreign = { cookie, 'sec-fetch-site': 'cross-site' };
  expect(await get(`/v2/blobs/none?key=${w.apiKeyId}`, foreign)).toBe(403);
});

test('behind TLS the cookie is bound to the host', async () => {
  const w = await newWorkspace();
  const tls = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'redpen.example.com' };
  const start = { workspaceId: w.workspaceId, workspaceAuthToken: w.authToken };
  const reply = await send('/v2/session/start', { data: start }, tls);
  expect(reply.headers['set-cookie']).toMatch(
    /^__Host-redpen=rps_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
  const sent = { ...SAME_ORIGIN, cookie: cookieOf(reply) };
  expect((await send('/v2/session/get', {}, { ...sent, ...tls })).status).toBe(200);
  expect((await send('/v2/session/get', {}, sent)).status).toBe(401);
});

test('concurrent sign-ins with the credentials of a workspace share one account', async () => {
  const w = await newWorkspace();
  const sessions = await Promise.all(Array.from({ length: 8 }, () => signIn(w)));
  const accounts = new Set(sessions.map(({ data }) => data.account.accountId));
  expect(accounts.size).toBe(1);
  const list = await send('/v2/session/list', { data: {} }, sessions[0]!.headers);
  expect(list.body.result.data.sessions).toHaveLength(8);
});

test('a person lists their sessions, and ends another one', async () => {
  const w = await newWorkspace();
  const [first, second] = [await signIn(w), await signIn(w)];
  const list = async () => (await send('/v2/session/list', {}, first.headers)).body.result.data.sessions;
  expect((await list()).map((one: { isCurrent: boolean }) => one.isCurrent)).toEqual([false, true]);
  expect(JSON.stringify(await list())).not.toContain(first.cookie.split('=')[1]);
  const { sessionId } = second.data.session;
  expect((await send('/v2/session/revoke', { data: { sessionId } }, first.headers)).status).toBe(200);
  expect(await list()).toHaveLength(1);
  expect((await second.post('/v2/agents/get')).status).toBe(401);
  const again = await send('/v2/session/revoke', { data: { sessionId } }, first.headers);
  expect(refusalOf(again)).toEqual([404, 'NOT_FOUND']);
});

test('a person changes their name', async () => {
  const w = await newWorkspace();
  const session = await signIn(w);
  const reply = await send('/v2/account/update', { data: { name: 'Ada' } }, session.headers);
  expect(reply.body.result.data.name).toBe('Ada');
  expect((await send('/v2/session/get', {}, session.headers)).body.result.data.account.name).toBe('Ada');
});

test('without a console no operation signs in, and no cookie is read', async () => {
  const { deps, authenticator } = await testApp();
  const w = await newWorkspace();
  const { headers } = await signIn(w);
  const off = await createServer({
    deps: { ...deps, settings: { ...deps.settings, console: false } },
    endpoints,
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
  });
  const statusOf = async (url: string, data: object, more: Record<string, string>) =>
    (
      await off.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...more },
        payload: JSON.stringify({ data }),
      })
    ).statusCode;
  const start = { workspaceId: w.workspaceId, workspaceAuthToken: w.authToken };
  expect(await statusOf('/v2/session/start', start, {})).toBe(403);
  expect(await statusOf('/v2/session/get', {}, headers)).toBe(401);
  expect(await statusOf('/v2/agents/get', {}, headers)).toBe(401);
  expect(await statusOf('/v2/agents/get', {}, w.keyHeaders)).toBe(200);
  const guest = { email: 'guest@example.com', role: 'viewer' };
  expect(await statusOf('/v2/members/invite', guest, w.workspaceHeaders)).toBe(403);
  const open = await w.postAsWorkspace('/v2/members/invitations/list');
  expect(open.body.result.data.invitations).toEqual([]);
  await off.close();
});

test('a repeated sign-in with an idempotency key is a new attempt, since no stored answer has the cookie', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const headers = { ...SAME_ORIGIN, 'idempotency-key': `sign-in ${w.workspaceId}`.replace(' ', '-') };
  const byWorkspace = { data: { workspaceId: w.workspaceId, workspaceAuthToken: w.authToken } };
  const replies = [];
  for (let count = 0; count < 2; count++) replies.push(await send('/v2/session/start', byWorkspace, headers));
  for (const reply of replies) {
    expect([reply.status, reply.headers['idempotent-replayed']]).toEqual([200, undefined]);
    const got = await send('/v2/session/get', {}, { ...SAME_ORIGIN, cookie: cookieOf(reply) });
    expect(got.body.result.data).toEqual(reply.body.result.data);
  }
  const code = await deps.db
    .transaction()
    .execute((tx) => createOperatorLink(tx, { workspaceId: w.workspaceId }));
  const again = { ...headers, 'idempotency-key': `code-${w.workspaceId}` };
  expect((await send('/v2/session/start', { data: { code } }, again)).status).toBe(200);
  expect(refusalOf(await send('/v2/session/start', { data: { code } }, again))).toEqual([
    401,
    'UNAUTHENTICATED',
  ]);
});
