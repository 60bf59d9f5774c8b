import { expect, test } from 'vitest';
import type { ConsoleSession } from '../../../test/people/console-session.ts';
import { addMember } from '../../../test/people/members.ts';
import { answerIn, ISSUER, newPkce, requestOf, startClient } from '../../../test/people/oauth-client.ts';
import { newWorkspace, type Reply, testApp } from '../../../test/service/harness.ts';

const refusalOf = ({ status, body }: Reply) => [status, body.error?.status];

async function stage(role: 'editor' | 'viewer' = 'editor', changes: object = {}) {
  const w = await newWorkspace();
  const [{ session }, client] = [await addMember(w, role), await startClient(changes)];
  const { challenge } = newPkce();
  const request = (more: object = {}) => requestOf(client, challenge, more);
  return { w, session, client, request };
}

const get = (session: ConsoleSession, request: object) => session.post('/v2/oauth/request/get', request);
const allow = (session: ConsoleSession, request: object, scopes: string[] = ['read']) =>
  session.post('/v2/oauth/request/allow', { ...request, scopes });
const deny = (session: ConsoleSession, request: object) => session.post('/v2/oauth/request/deny', request);

test('a person sees the client, the host that gets the answer, and the scopes', async () => {
  const { session, client, request } = await stage();
  const { body } = await get(session, request({ scope: 'decide read offline_access unknown' }));
  const host = new URL(client.clientId).host;
  expect(body.result.data).toEqual({
    client: { clientId: client.clientId, name: 'Example Assistant', host },
    redirectHost: 'assistant.example.com',
    isLoopback: false,
    scopes: ['read', 'decide'],
    allowedScopes: ['read', 'comment', 'decide', 'review'],
  });
  const scopesOf = async (more: object) => {
    const { scopes, allowedScopes } = (await get(session, request(more))).body.result.data;
    return [scopes, allowedScopes];
  };
  const all = ['read', 'comment', 'decide', 'review'];
  expect(await scopesOf({})).toEqual([['read', 'comment', 'review'], all]);
  expect(await scopesOf({ scope: 'openid offline_access' })).toEqual([['read', 'comment', 'review'], all]);
  const readOnly = { resource: `${ISSUER}/mcp/readonly`, scope: 'read comment' };
  expect(await scopesOf(readOnly)).toEqual([['read'], ['read']]);
});

test('an allowed request returns a code with the state and the issuer, beside the query of the redirect URI', async () => {
  const redirectUri = 'https://assistant.example.com/callback?tenant=a%20b';
  const { session, request } = await stage('editor', { redirect_uris: [redirectUri] });
  const reply = await allow(session, request({ redirectUri }));
  const { redirectUrl } = reply.body.result.data;
  expect(redirectUrl.startsWith(`${redirectUri}&code=rpc_`)).toBe(true);
  expect(answerIn(reply)).toEqual({
    tenant: 'a b',
    code: expect.stringMatching(/^rpc_[\w-]{43}$/),
    state: 'a state',
    iss: ISSUER,
  });
});

test('a refused request returns access_denied', async () => {
  const { session, request } = await stage();
  expect(answerIn(await deny(session, request({ state: undefined })))).toEqual({
    error: 'access_denied',
    error_description: 'The person has not allowed the request.',
    iss: ISSUER,
  });
});

test('a mistake of the client has an error of its own, which the client learns', async () => {
  const { session, request } = await stage();
  for (const [more, error] of [
    [{ responseType: undefined }, 'invalid_request'],
    [{ responseType: 'token' }, 'unsupported_response_type'],
    [{ codeChallenge: undefined }, 'invalid_request'],
    [{ codeChallenge: 'short' }, 'invalid_request'],
    [{ codeChallengeMethod: undefined }, 'invalid_request'],
    [{ codeChallengeMethod: 'plain' }, 'invalid_request'],
    [{ scope: 'admin' }, 'invalid_scope'],
    [{ scope: 'decide', resource: `${ISSUER}/mcp/readonly` }, 'invalid_scope'],
    [{ resource: 'https://elsewhere.example.com/mcp' }, 'invalid_target'],
    [{ resource: `${ISSUER}/mcp/other` }, 'invalid_target'],
    [{ resource: 'mcp' }, 'invalid_target'],
  ] as const) {
    const { body } = await get(session, request(more));
    const { refusal } = body.result.data;
    expect([more, refusal]).toEqual([
      more,
      { error, message: expect.any(String), redirectUrl: expect.any(String) },
    ]);
    const answers = [
      Object.fromEntries(new URL(refusal.redirectUrl).searchParams),
      answerIn(await allow(session, request(more))),
      answerIn(await deny(session, request(more))),
    ];
    const expected = { error, error_description: refusal.message, state: 'a state', iss: ISSUER };
    expect(answers).toEqual([expected, expected, expected]);
  }
});

test('a redirect URI that is not in the document is refused, and the browser is sent nowhere', async () => {
  const { session, request } = await stage();
  const unlisted = 'none of those in the document';
  for (const [redirectUri, why] of [
    ['https://assistant.example.com/other', unlisted],
    ['https://assistant.example.com/callback/', unlisted],
    ['https://assistant.example.com/callback?more', unlisted],
    ['https://assistant.example.com:444/callback', unlisted],
    ['https://ASSISTANT.example.com/callback', unlisted],
    ['http://127.0.0.1:3000/other', unlisted],
    ['http://localhost:3000/callback', unlisted],
    ['http://127.0.0.1.example.com/callback', 'must be an address with https'],
    ['http://assistant.example.com/callback', 'must be an address with https'],
    ['javascript:alert(1)', 'must be an address with https'],
    ['https://assistant.example.com/callback#part', 'must not have a fragment'],
    ['https://eve@assistant.example.com/callback', 'must not contain credentials'],
    ['https://assistant.example.com/call\nback', 'must be an address'],
    ['/callback', 'must be an address'],
  ] as const)
    for (const ask of [get, allow, deny]) {
      const reply = await ask(session, request({ redirectUri }));
      expect([redirectUri, ...refusalOf(reply)]).toEqual([redirectUri, 400, 'INVALID_ARGUMENT']);
      expect(reply.body.error.message).toContain(why);
    }
});

test('a loopback redirect URI may have any port, and the person learns of it', async () => {
  const { session, request } = await stage();
  const redirectUri = 'http://127.0.0.1:49152/callback';
  const { body } = await get(session, request({ redirectUri }));
  expect(body.result.data).toMatchObject({ redirectHost: '127.0.0.1:49152', isLoopback: true });
  const { redirectUrl } = (await allow(session, request({ redirectUri }))).body.result.data;
  expect(redirectUrl.startsWith(`${redirectUri}?code=`)).toBe(true);
});

test('a member gives no scope that their role does not allow, and none of no use for the resource', async () => {
  const { session, request } = await stage('viewer');
  expect(refusalOf(await allow(session, request(), ['read', 'comment']))).toEqual([403, 'PERMISSION_DENIED']);
  expect((await allow(session, request(), ['read'])).status).toBe(200);
  const editor = await stage('editor');
  const readOnly = editor.request({ resource: `${ISSUER}/mcp/readonly` });
  expect(refusalOf(await allow(editor.session, readOnly, ['comment']))).toEqual([400, 'INVALID_ARGUMENT']);
  expect((await allow(editor.session, editor.request({ scope: 'read' }), ['decide'])).status).toBe(200);
});

test('a member with too many tokens learns it before the client gets a code', async () => {
  const { w, session, request } = await stage('editor');
  const { deps } = await testApp();
  const create = () => session.post('/v2/tokens/create', { name: 'T', scopes: ['read'] });
  for (let count = 0; count < 50; count++) await create();
  expect(refusalOf(await allow(session, request()))).toEqual([429, 'RESOURCE_EXHAUSTED']);
  const codes = deps.db.selectFrom('oauthCodes').selectAll().where('apiKeyId', '=', w.apiKeyId);
  expect(await codes.execute()).toEqual([]);
});

test('what an assistant does with its token is marked, and tokens say whether they are for one', async () => {
  const { authenticator } = await testApp();
  const { session } = await stage();
  const callerOf = async (data: object) => {
    const { body } = await session.post('/v2/tokens/create', { name: 'Helper', scopes: ['read'], ...data });
    const { token, personalToken } = body.result.data;
    const known = await authenticator.authenticate({ authorization: `Bearer ${token}` }, 'apiKey');
    return [personalToken.isAssistant, known?.assistant];
  };
  expect(await callerOf({})).toEqual([false, undefined]);
  expect(await callerOf({ isAssistant: true })).toEqual([true, 'Helper']);
  const { tokens } = (await session.post('/v2/tokens/list')).body.result.data;
  expect(tokens.map((one: { isAssistant: boolean }) => one.isAssistant)).toEqual([true, false]);
  expect(tokens[0]).not.toHaveProperty('clientId');
});
