import { expect, test } from 'vitest';
import { addMember } from '../../../test/people/members.ts';
import {
  allowed,
  ISSUER,
  newGrant,
  newPkce,
  refreshOf,
  sendForm,
  startClient,
} from '../../../test/people/oauth-client.ts';
import { newWorkspace, send, testApp } from '../../../test/service/harness.ts';

const DAY_MS = 86_400_000;

/** A member, and a client that may be allowed to act as the member. */
async function stage(role: 'owner' | 'editor' | 'viewer' = 'editor') {
  const { deps, authenticator } = await testApp();
  const w = await newWorkspace();
  const [member, client] = [await addMember(w, role, 'Eve'), await startClient()];
  return { w, client, ...member, authenticator, db: deps.db };
}

const token = (form: Record<string, string> | string) => sendForm('/oauth/token', form);
/** The status of an operation that the scope `read` opens. */
const readBy = async (access: string): Promise<number> =>
  (await send('/v2/agents/get', { data: {} }, { authorization: `Bearer ${access}` })).status;
const refused = (error: string) => ({ status: 400, body: { error, error_description: expect.any(String) } });

test('a code gives an access token for an hour and a refresh token, which act as the member within scopes', async () => {
  const { session, client, db, w } = await stage();
  const form = await allowed(session, client);
  const { status, headers, body } = await token({ ...form, resource: `${ISSUER}/mcp` });
  expect([status, headers['cache-control'], headers['access-control-allow-origin']]).toEqual([
    200,
    'no-store',
    '*',
  ]);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^rp_[\w-]{43}$/),
    token_type: 'Bearer',
    expires_in: 3_600,
    refresh_token: expect.stringMatching(/^rpr_[\w-]{22}\.[\w-]{43}$/),
    scope: 'read comment',
  });
  const by = { authorization: `Bearer ${body.access_token}` };
  expect(await readBy(body.access_token)).toBe(200);
  const run = { data: { urls: ['https://example.com/'], agents: ['spell-check'] } };
  expect((await send('/v2/reviews/run', run, by)).status).toBe(403);
  const [listed] = (await session.post('/v2/tokens/list')).body.result.data.tokens;
  expect(listed).toMatchObject({
    name: 'Example Assistant',
    scopes: ['read', 'comment'],
    isAssistant: true,
    clientId: client.clientId,
    member: { name: 'Eve' },
  });
  expect((listed.expiresAt - listed.createdAt) / DAY_MS).toBeCloseTo(90, 4);
  const rows = [
    await db.selectFrom('personalTokens').selectAll().where('apiKeyId', '=', w.apiKeyId).execute(),
    await db.selectFrom('oauthCodes').selectAll().where('apiKeyId', '=', w.apiKeyId).execute(),
  ];
  const stored = JSON.stringify(rows);
  for (const secret of [form.code!, body.access_token, body.refresh_token, form.code_verifier!]) {
    expect(stored).not.toContain(secret);
  }
});

test('a code is for its client, redirect URI, verifier and resource, and stays for the one who has all of them', async () => {
  const { session, client } = await stage();
  const [other, form] = [await startClient(), await allowed(session, client)];
  const { code_verifier: _, ...withoutVerifier } = form;
  const { client_id: __, ...withoutClient } = form;
  for (const [wrong, error] of [
    [{ ...form, client_id: other.clientId }, 'invalid_grant'],
    [{ ...form, redirect_uri: `${client.redirectUri}/` }, 'invalid_grant'],
    [{ ...form, code_verifier: newPkce().verifier }, 'invalid_grant'],
    [{ ...form, code_verifier: 'short' }, 'invalid_request'],
    [{ ...form, code_verifier: 'x'.repeat(129) }, 'invalid_request'],
    [withoutVerifier, 'invalid_request'],
    [withoutClient, 'invalid_request'],
    [{ ...form, code: 'rpc_unknown' }, 'invalid_grant'],
    [{ ...form, code: '' }, 'invalid_request'],
    [{ ...form, resource: 'https://elsewhere.example.com/mcp' }, 'invalid_target'],
    [{ ...form, resource: `${ISSUER}/mcp/readonly` }, 'invalid_target'],
    [{ ...form, grant_type: 'password' }, 'unsupported_grant_type'],
    [{ ...form, grant_type: '' }, 'invalid_request'],
  ] as const) {
    expect(await token(wrong)).toMatchObject(refused(error));
  }
  expect((await token(form)).status).toBe(200);
});

test('a code that is used twice ends the grant that it gave, also when both uses are at once', async () => {
  const { session, client } = await stage();
  const form = await allowed(session, client);
  const { body } = await token(form);
  expect(await readBy(body.access_token)).toBe(200);
  expect(await token(form)).toMatchObject(refused('invalid_grant'));
  expect(await readBy(body.access_token)).toBe(401);
  expect(await token(refreshOf(client, body.refresh_token))).toMatchObject(refused('invalid_grant'));
  expect(await token(form)).toMatchObject(refused('invalid_grant'));

  const twice = await allowed(session, client);
  const replies = await Promise.all([token(twice), token(twice)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  const winner = replies.find(({ status }) => status === 200)!;
  expect(await readBy(winner.body.access_token)).toBe(401);
});

test('a code ends after two minutes', async () => {
  const { session, client, db, w } = await stage();
  const form = await allowed(session, client);
  const codes = await db
    .updateTable('oauthCodes')
    .set({ expiresAt: Date.now() - 1 })
    .where('apiKeyId', '=', w.apiKeyId)
    .returningAll()
    .execute();
  expect(codes).toHaveLength(1);
  expect(await token(form)).toMatchObject(refused('invalid_grant'));
});

test('a refresh replaces both tokens, and moves the end of the grant', async () => {
  const { session, client, db, w } = await stage();
  const first = await newGrant(session, client);
  expect(await readBy(first.access)).toBe(200);
  const soon = Date.now() + DAY_MS;
  await db
    .updateTable('personalTokens')
    .set({ expiresAt: soon })
    .where('apiKeyId', '=', w.apiKeyId)
    .execute();
  const { status, body } = await token({ ...refreshOf(client, first.refresh), scope: 'read' });
  expect([status, body.expires_in, body.scope]).toEqual([200, 3_600, 'read comment']);
  expect([await readBy(first.access), await readBy(body.access_token)]).toEqual([401, 200]);
  const [{ expiresAt }, ...others] = (await session.post('/v2/tokens/list')).body.result.data.tokens;
  expect(others).toEqual([]);
  expect((expiresAt - Date.now()) / DAY_MS).toBeCloseTo(90, 2);
  expect(await token({ ...refreshOf(client, body.refresh_token), scope: 'read decide' })).toMatchObject(
    refused('invalid_scope'),
  );
  expect(await token(refreshOf(await startClient(), body.refresh_token))).toMatchObject(
    refused('invalid_grant'),
  );
  const elsewhere = { resource: 'https://elsewhere.example.com/mcp' };
  expect(await token({ ...refreshOf(client, body.refresh_token), ...elsewhere })).toMatchObject(
    refused('invalid_target'),
  );
  expect((await token(refreshOf(client, body.refresh_token))).status).toBe(200);
});

test('refreshes at once get the same tokens, and so does one whose answer was lost', async () => {
  const { session, client } = await stage();
  const { refresh } = await newGrant(session, client);
  const replies = await Promise.all([1, 2, 3].map(() => token(refreshOf(client, refresh))));
  replies.push(await token(refreshOf(client, refresh)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(replies.map(({ body }) => `${body.access_token} ${body.refresh_token}`)).size).toBe(1);
  const [{ body }] = replies as [(typeof replies)[0]];
  expect(await readBy(body.access_token)).toBe(200);
  const next = await token(refreshOf(client, body.refresh_token));
  expect(next.body.refresh_token).not.toBe(body.refresh_token);
});

test('a refresh token that was replaced earlier ends the grant, however often it was replaced', async () => {
  const { session, client, db, w } = await stage();
  /** Makes the latest refresh a minute older. */
  const age = () =>
    db
      .updateTable('personalTokens')
      .set(({ eb }) => ({ accessEndsAt: eb('accessEndsAt', '-', 60_000) }))
      .where('apiKeyId', '=', w.apiKeyId)
      .execute();
  for (const times of [1, 2]) {
    const { refresh } = await newGrant(session, client);
    let latest = refresh;
    let access = '';
    for (let count = 0; count < times; count++) {
      const { body } = await token(refreshOf(client, latest));
      [latest, access] = [body.refresh_token, body.access_token];
    }
    if (times === 1) await age();
    expect(await readBy(access)).toBe(200);
    expect(await token(refreshOf(client, refresh))).toMatchObject(refused('invalid_grant'));
    expect(await readBy(access)).toBe(401);
    expect(await token(refreshOf(client, latest))).toMatchObject(refused('invalid_grant'));
  }
});

test('an access token ends before its grant, and a grant that is not refreshed ends as well', async () => {
  const { session, client, db, w, authenticator } = await stage();
  const { access, refresh } = await newGrant(session, client);
  const update = (set: { accessEndsAt?: number; expiresAt?: number }) =>
    db.updateTable('personalTokens').set(set).where('apiKeyId', '=', w.apiKeyId).execute();
  await update({ accessEndsAt: Date.now() - 1 });
  authenticator.forgetAll();
  expect(await readBy(access)).toBe(401);
  const { status, body } = await token(refreshOf(client, refresh));
  expect([status, await readBy(body.access_token)]).toEqual([200, 200]);
  await update({ expiresAt: Date.now() - 1 });
  authenticator.forgetAll();
  expect(await readBy(body.access_token)).toBe(401);
  expect(await token(refreshOf(client, body.refresh_token))).toMatchObject(refused('invalid_grant'));
});

test('grants and codes end with the membership, and a grant with its revocation in the console', async () => {
  const { w, session, memberId, client } = await stage();
  const [form, grant] = [await allowed(session, client), await newGrant(session, client)];
  expect(await readBy(grant.access)).toBe(200);
  const other = await newGrant(session, client);
  const { tokens } = (await session.post('/v2/tokens/list')).body.result.data;
  expect((await session.post('/v2/tokens/revoke', { tokenId: tokens[0].tokenId })).status).toBe(200);
  expect(await readBy(other.access)).toBe(401);
  expect(await token(refreshOf(client, other.refresh))).toMatchObject(refused('invalid_grant'));
  expect((await w.postAsWorkspace('/v2/members/remove', { memberId })).status).toBe(200);
  expect(await readBy(grant.access)).toBe(401);
  expect(await token(refreshOf(client, grant.refresh))).toMatchObject(refused('invalid_grant'));
  expect(await token(form)).toMatchObject(refused('invalid_grant'));
});

test('a grant is for the workspace in which it was allowed, and never more than the role of the member', async () => {
  const { w, session, memberId, client } = await stage();
  const elsewhere = await newWorkspace();
  const { access } = await newGrant(session, client);
  const by = { authorization: `Bearer ${access}` };
  const documents = [{ documentId: 'home' }];
  await elsewhere.must('/v2/organizations/documents/add', { organizationId: 'acme', documents });
  const get = { organizationId: 'acme', documentIds: ['home'] };
  const foundBy = async (headers: Record<string, string>) =>
    JSON.stringify((await send('/v2/organizations/documents/get', { data: get }, headers)).body);
  expect(await foundBy(by)).toContain('not-found');
  expect(await foundBy(elsewhere.keyHeaders)).not.toContain('not-found');
  const commentAnnotations = [{ commentData: [{ commentText: 'Hi' }] }];
  const data = { organizationId: 'acme', documentId: 'home', commentAnnotations };
  const add = async () => (await send('/v2/commentannotations/add', { data }, by)).status;
  await w.must('/v2/organizations/documents/add', { organizationId: 'acme', documents });
  expect(await add()).toBe(200);
  await w.postAsWorkspace('/v2/members/update', { memberId, role: 'viewer' });
  expect(await add()).toBe(403);
});

test('a revoked token ends its grant, whichever of the two it is, and other tokens are left alone', async () => {
  const { session, client } = await stage();
  const revoke = (form: Record<string, string>) => sendForm('/oauth/revoke', form);
  const { token: plain } = (await session.post('/v2/tokens/create', { name: 'T', scopes: ['read'] })).body
    .result.data;
  for (const kind of ['access', 'refresh'] as const) {
    const grant = await newGrant(session, client);
    expect(await readBy(grant.access)).toBe(200);
    const other = await startClient();
    expect(await revoke({ token: grant[kind], client_id: other.clientId })).toMatchObject(
      refused('invalid_grant'),
    );
    expect(await readBy(grant.access)).toBe(200);
    expect((await revoke({ token: grant[kind], client_id: client.clientId })).status).toBe(200);
    expect(await readBy(grant.access)).toBe(401);
    expect((await revoke({ token: grant[kind] })).status).toBe(200);
  }
  expect((await revoke({ token: plain })).status).toBe(200);
  expect(await readBy(plain)).toBe(200);
  expect(await revoke({})).toMatchObject(refused('invalid_request'));
});

test('requests that are no form, repeat a parameter, are too large or authenticate are refused as OAuth says', async () => {
  const { session, client } = await stage();
  const form = await allowed(session, client);
  const json = await sendForm('/oauth/token', JSON.stringify(form), { 'content-type': 'application/json' });
  expect(json).toMatchObject(refused('invalid_request'));
  expect(await token(`${new URLSearchParams(form)}&code=twice`)).toMatchObject(refused('invalid_request'));
  expect(await token('')).toMatchObject(refused('invalid_request'));
  const large = await token({ ...form, more: 'x'.repeat(17_000) });
  expect([large.status, large.body.error]).toEqual([413, 'invalid_request']);
  const basic = await sendForm('/oauth/token', form, { authorization: 'Basic eDp5' });
  expect([basic.status, basic.body.error, basic.headers['www-authenticate']]).toEqual([
    401,
    'invalid_client',
    'Basic realm="oauth"',
  ]);
  const secret = await token({ ...form, client_secret: 'secret' });
  expect([secret.status, secret.body.error]).toEqual([401, 'invalid_client']);
  expect((await token({ ...form, client_secret: '' })).status).toBe(200);
});
