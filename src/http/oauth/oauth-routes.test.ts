import { auth, extractWWWAuthenticateParams, type OAuthClientProvider } from '@modelcontextprotocol/client';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { SAME_ORIGIN } from '../../../test/people/console-session.ts';
import { addMember } from '../../../test/people/members.ts';
import { ISSUER, sendForm, startClient } from '../../../test/people/oauth-client.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { endpoints } from '../../api/index.ts';
import type { Deps } from '../../deps.ts';
import { createServer } from '../server/server.ts';
import { challengeOf } from './challenge.ts';
import { addOAuth } from './oauth-routes.ts';

/** A server of its own, with a resource at /mcp that only answers with a challenge. */
async function openServer(change: (settings: Deps['settings']) => Partial<Deps['settings']> = () => ({})) {
  const { deps, authenticator } = await testApp();
  const own = { ...deps, settings: { ...deps.settings, ...change(deps.settings) } };
  const app = await createServer({
    deps: own,
    endpoints,
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
  });
  addOAuth(app, own, authenticator);
  app.post('/mcp', async (request, reply) =>
    reply
      .code(401)
      .header('www-authenticate', challengeOf(request, { path: '/mcp' }) ?? 'Bearer')
      .send(),
  );
  onTestFinished(async () => {
    await app.close();
  });
  return app;
}

const readJson = async (app: FastifyInstance, path: string) => {
  const response = await app.inject({ url: path, headers: { origin: 'https://page.example.com' } });
  expect([response.statusCode, response.headers['access-control-allow-origin']]).toEqual([200, '*']);
  return response.json();
};

test('the metadata of the resources names the server, and the scopes that are enough for most work', async () => {
  const { app } = await testApp();
  for (const [path, scopes, name] of [
    ['', ['read', 'comment', 'review'], 'Redpen'],
    ['/mcp', ['read', 'comment', 'review'], 'Redpen'],
    ['/mcp/readonly', ['read'], 'Redpen (read only)'],
  ] as const) {
    expect(await readJson(app, `/.well-known/oauth-protected-resource${path}`)).toEqual({
      resource: `${ISSUER}${path}`,
      authorization_servers: [ISSUER],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_name: name,
      resource_documentation: `${ISSUER}/docs/guides/oauth`,
    });
  }
});

test('the metadata of the server names its endpoints, and is the same for clients of OpenID Connect', async () => {
  const { app } = await testApp();
  const metadata = await readJson(app, '/.well-known/oauth-authorization-server');
  expect(metadata).toEqual({
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/console/authorize`,
    token_endpoint: `${ISSUER}/oauth/token`,
    revocation_endpoint: `${ISSUER}/oauth/revoke`,
    scopes_supported: ['read', 'comment', 'decide', 'review'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${ISSUER}/docs/guides/oauth`,
  });
  expect(await readJson(app, '/.well-known/openid-configuration')).toEqual(metadata);
});

test('the public address of the settings is the issuer', async () => {
  const app = await openServer(() => ({ publicUrl: 'https://redpen.example.com/' }));
  const metadata = await readJson(app, '/.well-known/oauth-authorization-server');
  expect([metadata.issuer, metadata.token_endpoint]).toEqual([
    'https://redpen.example.com',
    'https://redpen.example.com/oauth/token',
  ]);
});

test('pages of every origin may ask for tokens and metadata', async () => {
  const { app } = await testApp();
  for (const [url, method] of [
    ['/oauth/token', 'POST'],
    ['/oauth/revoke', 'POST'],
    ['/.well-known/oauth-authorization-server', 'GET'],
    ['/.well-known/oauth-protected-resource/mcp', 'GET'],
  ]) {
    const origin = 'https://page.example.com';
    const { statusCode, headers } = await app.inject({ method: 'OPTIONS', url: url!, headers: { origin } });
    expect([statusCode, headers['access-control-allow-methods']]).toEqual([204, method]);
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers['access-control-allow-headers']).toContain('mcp-protocol-version');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  }
});

test('a challenge leads to the metadata, and names the scopes and the error', async () => {
  const app = await openServer();
  const asked: (string | undefined)[] = [];
  app.get('/asked', async (request) => {
    asked.push(
      challengeOf(request, { path: '/mcp' }),
      challengeOf(request, { path: '/mcp/readonly', error: 'invalid_token' }),
      challengeOf(request, { path: '/mcp', error: 'insufficient_scope', scope: 'read decide' }),
    );
    return {};
  });
  await app.inject('/asked');
  const metadata = `resource_metadata="${ISSUER}/.well-known/oauth-protected-resource`;
  expect(asked).toEqual([
    `Bearer ${metadata}/mcp", scope="read comment review"`,
    `Bearer error="invalid_token", ${metadata}/mcp/readonly", scope="read"`,
    `Bearer error="insufficient_scope", ${metadata}/mcp", scope="read decide"`,
  ]);
});

test('without a console there is no authorization server, and a challenge names none', async () => {
  const app = await openServer(() => ({ console: false }));
  for (const url of [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/mcp',
  ]) {
    expect((await app.inject(url)).statusCode).toBe(404);
  }
  for (const url of ['/oauth/token', '/oauth/revoke']) {
    expect((await app.inject({ method: 'POST', url })).statusCode).toBe(404);
  }
  const { headers } = await app.inject({ method: 'POST', url: '/mcp' });
  expect(headers['www-authenticate']).toBe('Bearer');
});

test('requests for tokens are limited for a network, and the refusal is one of OAuth', async () => {
  const app = await openServer(() => ({ keyRateFactor: 1 / 600 }));
  const ask = (address: string) =>
    app.inject({ method: 'POST', url: '/oauth/token', headers: { 'x-forwarded-for': address } });
  expect((await ask('198.51.100.7')).json().error).toBe('invalid_request');
  const { statusCode, headers, body } = await ask('198.51.100.7');
  expect([statusCode, JSON.parse(body)]).toEqual([
    429,
    {
      error: 'temporarily_unavailable',
      error_description: 'Too many requests for tokens. Try again after 1 minute.',
    },
  ]);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask('203.0.113.7')).json().error).toBe('invalid_request');
});

test('the log of requests has no codes and no tokens', async () => {
  const lines: string[] = [];
  const { deps, authenticator } = await testApp();
  const write = (...parts: unknown[]) => void lines.push(JSON.stringify(parts));
  const log = Object.assign(Object.create(deps.log), { info: write, warn: write, error: write });
  const app = await createServer({
    deps: { ...deps, log },
    endpoints: [],
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
    slowMs: 0,
  });
  addOAuth(app, { ...deps, log }, authenticator);
  onTestFinished(async () => {
    await app.close();
  });
  const form = { grant_type: 'authorization_code', code: 'rpc_canary', client_id: 'x', code_verifier: 'v' };
  const payload = new URLSearchParams({ ...form, refresh_token: 'rpr_canary' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await app.inject({ method: 'POST', url: '/oauth/token', headers, payload });
  expect(lines.join('\n')).toContain('/oauth/token');
  expect(lines.join('\n')).not.toContain('canary');
});

/** What a program with the official client remembers. The person allows what it opens. */
function programOf(clientId: string, redirectUrl: string) {
  const kept: { opened?: URL; verifier?: string; tokens?: never; client?: never; discovery?: never } = {};
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    // The library takes only https addresses as its clientMetadataUrl, and sends them as the client_id.
    clientInformation: () => kept.client ?? { client_id: clientId },
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    state: () => 'the state',
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (opened) => void Object.assign(kept, { opened }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier!,
    invalidateCredentials: () => void Object.assign(kept, { tokens: undefined }),
    saveDiscoveryState: (discovery) => void Object.assign(kept, { discovery }),
    discoveryState: () => kept.discovery,
  };
  return { provider, kept };
}

const nameOf = (parameter: string): string =>
  parameter.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

test('the official client finds the server by the challenge, gets tokens, refreshes them and uses them', async () => {
  const app = await openServer();
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const { session } = await addMember(await newWorkspace(), 'editor');
  const redirectUrl = 'http://127.0.0.1:3000/callback';
  const client = await startClient();
  const { provider, kept } = programOf(client.clientId, redirectUrl);
  const serverUrl = `${address}/mcp`;
  const challenge = extractWWWAuthenticateParams(await fetch(serverUrl, { method: 'POST' }));
  expect(challenge.resourceMetadataUrl?.href).toBe(`${address}/.well-known/oauth-protected-resource/mcp`);
  const { resourceMetadataUrl, scope } = challenge;
  const options = { serverUrl, ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope && { scope }) };
  expect(await auth(provider, options)).toBe('REDIRECT');
  expect(`${kept.opened!.origin}${kept.opened!.pathname}`).toBe(`${address}/console/authorize`);

  // The page of the console sends what is in its address.
  const query = Object.fromEntries(
    [...kept.opened!.searchParams].map(([name, value]) => [nameOf(name), value]),
  );
  const post = async (path: string, data: object) => {
    const headers = { ...session.headers, ...SAME_ORIGIN, 'content-type': 'application/json' };
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ data }),
    });
    return ((await response.json()) as { result: { data: Record<string, never> } }).result.data;
  };
  const shown = await post('/v2/oauth/request/get', query);
  expect(shown).toMatchObject({ isLoopback: true, scopes: ['read', 'comment', 'review'] });
  const { redirectUrl: answered } = await post('/v2/oauth/request/allow', { ...query, scopes: shown.scopes });
  const answer = new URL(answered!).searchParams;
  expect(answer.get('state')).toBe('the state');
  const authorizationCode = answer.get('code')!;
  await expect(
    auth(provider, { ...options, authorizationCode, iss: 'https://elsewhere.example.com' }),
  ).rejects.toThrow(/iss/i);
  expect(await auth(provider, { ...options, authorizationCode, iss: answer.get('iss')! })).toBe('AUTHORIZED');

  const readAs = async () => {
    const { access_token } = kept.tokens as unknown as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    return (await fetch(`${address}/v2/agents/get`, { method: 'POST', headers, body: '{"data":{}}' })).status;
  };
  expect(await readAs()).toBe(200);
  const before = kept.tokens;
  expect(await auth(provider, options)).toBe('AUTHORIZED');
  expect(kept.tokens).not.toEqual(before);
  expect(await readAs()).toBe(200);
  const { refresh_token } = kept.tokens as unknown as { refresh_token: string };
  expect((await sendForm('/oauth/revoke', { token: refresh_token })).status).toBe(200);
  expect(await readAs()).toBe(401);
  expect(await auth(provider, options)).toBe('REDIRECT');
});
