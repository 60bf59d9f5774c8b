import { expect, test } from 'vitest';
import { addMember } from '../../../test/people/members.ts';
import { until } from '../../../test/run/until.ts';
import { newWorkspace, type Reply, send, testApp } from '../../../test/service/harness.ts';
import { createAuthenticator } from '../../http/request/authenticate.ts';
import { createServer } from '../../http/server/server.ts';
import { endpoints } from '../index.ts';

const refusalOf = ({ status, body }: Reply) => [status, body.error?.status];
const by = (token: string) => ({ authorization: `Bearer ${token}` });

test('a personal token is shown once, stored as a hash, and acts as its member', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const { session, memberId } = await addMember(w, 'editor', 'Eve');
  const { body } = await session.post('/v2/tokens/create', {
    name: 'Assistant',
    scopes: ['read', 'review'],
    expiresInDays: 30,
  });
  const { token, personalToken } = body.result.data;
  expect(token).toMatch(/^rp_[\w-]{43}$/);
  expect(personalToken).toMatchObject({
    name: 'Assistant',
    scopes: ['read', 'review'],
    apiKeyId: w.apiKeyId,
    member: { memberId, name: 'Eve' },
    lastUsedAt: null,
  });
  expect(personalToken.expiresAt - personalToken.createdAt).toBeCloseTo(30 * 86_400_000, -4);
  const rows = await deps.db
    .selectFrom('personalTokens')
    .selectAll()
    .where('apiKeyId', '=', w.apiKeyId)
    .execute();
  expect(JSON.stringify(rows)).not.toContain(token);

  const run = { urls: ['https://example.com/'], agents: ['spell-check'] };
  const started = await send('/v2/reviews/run', { data: run }, by(token));
  expect(started.status).toBe(200);
  const [executionId] = started.body.result.data.executionIds;
  const { execution } = await w.must('/v2/agents/execution/get', { executionId });
  const { accountId } = session.data.account;
  expect(execution.ranBy).toEqual({ userId: accountId, name: 'Eve', email: 'editor@example.com' });
  const asOther = { ...run, ranBy: { userId: 'bob' } };
  expect(refusalOf(await send('/v2/reviews/run', { data: asOther }, by(token)))).toEqual([
    403,
    'PERMISSION_DENIED',
  ]);
  const list = await session.post('/v2/tokens/list');
  expect(list.body.result.data.tokens[0].lastUsedAt).toBeGreaterThan(0);
  expect(JSON.stringify(list.body)).not.toContain(token);
});

test('a comment and a decision by a member are in their name, which a personal token cannot change', async () => {
  const w = await newWorkspace();
  const { session } = await addMember(w, 'editor', 'Eve');
  const { accountId } = session.data.account;
  const place = { organizationId: 'acme', documentId: 'home' };
  await w.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  const annotate = (annotationId: string, comment: object = {}) => ({
    ...place,
    commentAnnotations: [{ annotationId, commentData: [{ commentText: 'Hi', ...comment }] }],
  });
  const authorOf = async (annotationId: string) => {
    const [found] = await w.must('/v2/commentannotations/get', { ...place, annotationIds: [annotationId] });
    return found.from;
  };
  expect((await session.post('/v2/commentannotations/add', annotate('own'))).status).toBe(200);
  expect(await authorOf('own')).toEqual({ userId: accountId, name: 'Eve', email: 'editor@example.com' });
  const from = { userId: 'bob', name: 'Bob' };
  expect((await session.post('/v2/commentannotations/add', annotate('bob', { from }))).status).toBe(200);
  expect((await authorOf('bob')).userId).toBe('bob');
  const { body } = await session.post('/v2/tokens/create', { name: 'T', scopes: ['comment'] });
  const { token } = body.result.data;
  const reason = { title: 'A', description: 'A', severity: 'low' };
  const agent = { agentSource: 'external', agentName: 'Bot', reason };
  for (const comment of [{ from }, { from, agent }]) {
    const other = annotate('other', comment);
    const refused = await send('/v2/commentannotations/add', { data: other }, by(token));
    expect(refusalOf(refused)).toEqual([403, 'PERMISSION_DENIED']);
  }
  const added = await send('/v2/commentannotations/add', { data: annotate('by-token') }, by(token));
  expect(added.status).toBe(200);
  expect((await authorOf('by-token')).userId).toBe(accountId);
});

test('a revoked token and an expired one open nothing, in any process', async () => {
  const { deps, authenticator } = await testApp();
  const w = await newWorkspace();
  const { session } = await addMember(w, 'viewer');
  const other = await createServer({
    deps,
    endpoints,
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator: createAuthenticator(deps.db, deps.userTokens),
  });
  const statusThere = async (headers: Record<string, string>) => {
    const sent = { 'content-type': 'application/json', ...headers };
    const request = { method: 'POST', url: '/v2/agents/get', headers: sent, payload: '{"data":{}}' } as const;
    return (await other.inject(request)).statusCode;
  };
  const create = async () =>
    (await session.post('/v2/tokens/create', { name: 'T', scopes: ['read'] })).body.result.data;
  const { token, personalToken } = await create();
  expect([await statusThere(by(token)), await statusThere(session.headers)]).toEqual([200, 200]);
  const { tokenId } = personalToken;
  expect((await session.post('/v2/tokens/revoke', { tokenId })).status).toBe(200);
  expect((await send('/v2/agents/get', { data: {} }, by(token))).status).toBe(401);
  await until(async () => (await statusThere(by(token))) === 401);
  expect(refusalOf(await session.post('/v2/tokens/revoke', { tokenId }))).toEqual([404, 'NOT_FOUND']);

  const short = await create();
  await deps.db
    .updateTable('personalTokens')
    .set({ expiresAt: Date.now() - 1 })
    .where('tokenId', '=', short.personalToken.tokenId)
    .execute();
  authenticator.forgetAll();
  expect((await send('/v2/agents/get', { data: {} }, by(short.token))).status).toBe(401);

  const { sessionId } = session.data.session;
  expect((await session.post('/v2/session/revoke', { sessionId })).status).toBe(200);
  await until(async () => (await statusThere(session.headers)) === 401);
  await other.close();
});

test('members see and revoke their own tokens, and owners those of all', async () => {
  const w = await newWorkspace();
  const [owner, editor] = [await addMember(w, 'owner'), await addMember(w, 'editor')];
  const create = async ({ session }: typeof owner, name: string) =>
    (await session.post('/v2/tokens/create', { name, scopes: ['read'] })).body.result.data.personalToken
      .tokenId;
  const ofOwner = await create(owner, 'owner');
  const ofEditor = await create(editor, 'editor');
  const namesOf = async ({ session }: typeof owner) =>
    (await session.post('/v2/tokens/list')).body.result.data.tokens.map((one: { name: string }) => one.name);
  expect(await namesOf(owner)).toEqual(['editor', 'owner']);
  expect(await namesOf(editor)).toEqual(['editor']);
  const revoke = async ({ session }: typeof owner, tokenId: string) =>
    (await session.post('/v2/tokens/revoke', { tokenId })).status;
  expect(await revoke(editor, ofOwner)).toBe(404);
  expect(await revoke(owner, ofEditor)).toBe(200);
  expect(await namesOf(editor)).toEqual([]);
});

test('the answer to a repeated request contains no token again', async () => {
  const w = await newWorkspace();
  const { session } = await addMember(w, 'viewer');
  const create = () =>
    session.post('/v2/tokens/create', { name: 'T', scopes: ['read'] }, { 'idempotency-key': 'once' });
  const first = await create();
  const second = await create();
  expect(second.headers['idempotent-replayed']).toBe('true');
  expect(second.body.result.data).toEqual({ ...first.body.result.data, token: '__redacted__' });
});
