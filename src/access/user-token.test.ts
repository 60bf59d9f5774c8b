import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { newUserToken } from '../../test/people/user-token.ts';
import { newWorkspace, send, testApp } from '../../test/service/harness.ts';

const list = '/v2/auth/permissions/get';
const listRequest = { organizationId: 'acme', userIds: ['ada'] };

test('a token works where users are accepted, is a JWT with the requested claims, and its key is published', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] });
  const resources = [{ type: 'organization', id: 'acme', accessRole: 'viewer', expiresAt: 4_000_000_000 }];
  const user = await newUserToken(workspace, { userId: 'ada', name: 'Ada', isAdmin: true, resources });
  const [header, payload] = user.token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  expect(header).toEqual({ alg: 'EdDSA', kid: expect.any(String), typ: 'JWT' });
  expect(payload).toEqual({
    iss: 'redpen',
    aud: workspace.apiKeyId,
    sub: 'ada',
    iat: expect.any(Number),
    exp: payload.iat + 48 * 3600,
    jti: expect.any(String),
    name: 'Ada',
    email: 'ada@example.com',
    isAdmin: true,
    resources,
  });
  const { app } = await testApp();
  const published = JSON.parse((await app.inject({ url: '/.well-known/jwks.json' })).body);
  expect(published.keys.map((key: { kid: string }) => key.kid)).toContain(header.kid);
  expect(JSON.stringify(published)).not.toContain('"d"');
  expect((await user.post(list, listRequest)).status).toBe(200);
});

test('resetting the token of the API key revokes the tokens that were made under it', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] });
  const user = await newUserToken(workspace, { resources: [{ type: 'organization', id: 'acme' }] });
  expect((await user.post(list, listRequest)).status).toBe(200);
  const { body } = await workspace.postAsWorkspace('/v2/workspace/authtoken/reset', {
    apiKey: workspace.apiKeyId,
  });
  expect((await user.post(list, listRequest)).status).toBe(401);
  const headers = { ...workspace.keyHeaders, 'x-service-auth-token': body.result.data.newAuthToken.token };
  const again = await newUserToken(
    { post: (path, data) => send(path, { data }, headers) },
    { resources: [{ type: 'organization', id: 'acme' }] },
  );
  expect((await again.post(list, listRequest)).status).toBe(200);
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('forged, altered and foreign tokens are all refused with the same answer', async () => {
  const workspace = await newWorkspace();
  const other = await newWorkspace();
  const { token } = await newUserToken(workspace, { resources: [{ type: 'organization', id: 'acme' }] });
  const [head = '', body = '', signature = ''] = token.split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString());
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(publicKey);
  const { app, deps } = await testApp();
  const [published] = JSON.parse((await app.inject({ url: '/.well-known/jwks.json' })).body).keys;
  const signed = (fields: object, protectedHeader: object, key: CryptoKey | Uint8Array = privateKey) =>
    new SignJWT({ ...claims, ...fields })
      .setProtectedHeader({ alg: 'EdDSA', kid: header.kid, typ: 'JWT', ...protectedHeader })
      .sign(key);
  const ours = async (fields: Record<string, unknown>) => {
    const [row] = await deps.db
      .selectFrom('signingKeys')
      .selectAll()
      .where('keyId', '=', header.kid)
      .execute();
    const { importJWK } = await import('jose');
    const secret = JSON.parse(deps.keyring.open(row!.privateSealed, ['signing_keys', row!.keyId]));
    return await signed(fields, {}, (await importJWK(secret, 'EdDSA')) as CryptoKey);
  };
  const now = Math.floor(Date.now() / 1_000);
  const forged = {
    none: `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`,
    'none with kid': `${encode({ ...header, alg: 'none' })}.${body}.${signature}`,
    'public key as HMAC secret': await signed({}, { alg: 'HS256' }, Buffer.from(published.x, 'base64url')),
    'HMAC with an empty-looking key': await signed({}, { alg: 'HS256' }, Buffer.alloc(32)),
    'own key under our id': await signed({}, {}),
    'own key in the header': await signed({}, { jwk, kid: undefined }),
    'own key by address': await signed({}, { jku: 'http://127.0.0.1:1/keys', kid: 'mine' }),
    'certificate by address': await signed({}, { x5u: 'http://127.0.0.1:1/cert' }),
    'unknown key': await signed({}, { kid: 'unknown' }),
    'key id as a path': await signed({}, { kid: '../../etc/passwd' }),
    'key id as SQL': await signed({}, { kid: "' or 1=1 --" }),
    'another signature': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
    'changed claims': `${head}.${encode({ ...claims, sub: 'root', isAdmin: true })}.${signature}`,
    'another audience': await ours({ aud: other.apiKeyId }),
    'many audiences': await ours({ aud: [workspace.apiKeyId, other.apiKeyId] }),
    'another issuer': await ours({ iss: 'somebody' }),
    expired: await ours({ iat: now - 49 * 3600, exp: now - 3600 }),
    'without an end': await ours({ exp: undefined }),
    'valid for too long': await ours({ iat: now - 49 * 3600, exp: now + 3600 }),
    'not yet valid': await ours({ nbf: now + 3600 }),
    'without an id': await ours({ jti: undefined }),
    'without a user': await ours({ sub: undefined }),
    'under another auth token': await ours({ jti: `0000000000000000.${'x'.repeat(20)}` }),
    empty: '',
    'two parts': `${head}.${body}`,
    'not base64': 'a.b.c',
    'very long': 'x'.repeat(61_000),
  };
  const good = await send(list, { data: listRequest }, { authorization: `Bearer ${token}` });
  expect(good.status).not.toBe(401);
  const bodies = new Set<string>();
  for (const [name, jwt] of Object.entries(forged)) {
    const reply = await send(list, { data: listRequest }, { authorization: `Bearer ${jwt}` });
    expect([name, reply.status]).toEqual([name, 401]);
    bodies.add(JSON.stringify(reply.body));
  }
  for (const authorization of [token, `Basic ${token}`, `bearer`, `Bearer ${token} x`]) {
    expect((await send(list, { data: listRequest }, { authorization })).status).toBe(401);
  }
  expect(bodies.size).toBe(1);
});

test('an API key in the same request takes precedence over a token', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] });
  expect((await workspace.post(list, listRequest, { authorization: 'Bearer nonsense' })).status).toBe(200);
  const { token } = await newUserToken(workspace, { resources: [{ type: 'organization', id: 'acme' }] });
  const reply = await send(
    list,
    { data: listRequest },
    { authorization: `Bearer ${token}`, 'x-service-api-key': workspace.apiKeyId },
  );
  expect(reply.status).toBe(401);
});

test('a new signing key is used at once, and tokens of the old one stay valid', async () => {
  const { rotateSigningKey, createUserTokens } = await import('./user-token.ts');
  const { deps } = await testApp();
  const before = createUserTokens(deps.db, deps.keyring);
  const claims = { userId: 'ada', name: 'Ada', email: '', isAdmin: false, resources: [] };
  const old = await before.sign('key', 'auth', claims);
  const keyId = await rotateSigningKey(deps.db, deps.keyring);
  const after = createUserTokens(deps.db, deps.keyring);
  const fresh = await after.sign('key', 'auth', claims);
  expect(JSON.parse(Buffer.from(fresh.split('.')[0]!, 'base64url').toString()).kid).toBe(keyId);
  expect((await after.publicKeys()).keys.length).toBeGreaterThanOrEqual(2);
  expect(await after.verify(old)).toMatchObject({ apiKeyId: 'key', user: { userId: 'ada' } });
  expect(await after.verify(fresh)).toMatchObject({ authTokenId: 'auth' });
  // A node that cached the keys earlier loads the new one as soon as a token names it.
  await expect.poll(() => before.verify(fresh), { timeout: 300_000 }).toMatchObject({ apiKeyId: 'key' });
});
