import { request } from 'node:http';
import { expect, test } from 'vitest';
import { asKey, mcpStage } from '../../../test/mcp/mcp-stage.ts';
import { signIn } from '../../../test/people/console-session.ts';
import { addMember } from '../../../test/people/members.ts';
import { until } from '../../../test/run/until.ts';
import { newWorkspace, send, type TestWorkspace, testApp } from '../../../test/service/harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer of any operation.
type Any = any;

const LIST = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};
const HEADERS = {
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/list',
};

const list = (headers: Record<string, string>, path = '/mcp') => send(path, LIST, { ...HEADERS, ...headers });

test('a request without a session, as the newest protocol has it, is answered', async () => {
  const w = await newWorkspace();
  const { status, body } = await list(asKey(w));
  expect({ status, tools: body.result?.tools.length }).toEqual({ status: 200, tools: 9 });
});

test('callers without valid credentials are asked for a bearer token', async () => {
  for (const headers of [{}, { authorization: 'Bearer rp_wrong' }] as Record<string, string>[]) {
    const answer = await list(headers);
    expect([answer.status, answer.body.error.status]).toEqual([401, 'UNAUTHENTICATED']);
    const header = String(answer.headers['www-authenticate']);
    expect(header).toMatch(
      /^Bearer (error="invalid_token", )?resource_metadata="http:\/\/[^"]+\/\.well-known\/oauth-protected-resource\/mcp", scope="read comment review"$/,
    );
    expect(header.includes('invalid_token')).toBe('authorization' in headers);
  }
});

test('a personal token opens it within its scopes', async () => {
  const w = await newWorkspace();
  const { session } = await addMember(w, 'editor', 'Eve');
  const tokenWith = async (...scopes: string[]) => {
    const { body } = await session.post('/v2/tokens/create', { name: 'Assistant', scopes });
    return { authorization: `Bearer ${body.result.data.token}` };
  };
  expect((await list(await tokenWith('read'))).status).toBe(200);
  const without = await list(await tokenWith('review'));
  expect([without.status, without.body.error.message]).toEqual([
    403,
    'This needs a personal token with the scope read.',
  ]);
  expect(without.headers['www-authenticate']).toContain('error="insufficient_scope"');
});

test('pages of other origins, other hosts and the session of the console are refused', async () => {
  const w = await newWorkspace();
  const key = asKey(w);
  expect((await list({ ...key, origin: 'https://attacker.example' })).status).toBe(403);
  expect((await list({ ...key, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  const { app } = await testApp();
  const rebound = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...HEADERS, ...key, host: 'attacker.example', 'content-type': 'application/json' },
    payload: JSON.stringify(LIST),
    // The test app trusts loopback as a proxy, which answers for its host.
    remoteAddress: '192.0.2.7',
  });
  expect([rebound.statusCode, rebound.json().error.message]).toEqual([
    403,
    expect.stringContaining('The service is not known under the host "attacker.example"'),
  ]);
  const session = await signIn(w);
  expect((await list(session.headers)).status).toBe(401);
});

test('a stream that older clients open by GET is refused, as the protocol allows', async () => {
  const w = await newWorkspace();
  const { app } = await testApp();
  for (const method of ['GET', 'DELETE'] as const) {
    const { statusCode } = await app.inject({ method, url: '/mcp', headers: asKey(w) });
    expect(statusCode).toBe(405);
  }
});

test('a caller may have so many open requests, and another one is not concerned', async () => {
  const [w, other] = [await newWorkspace(), await newWorkspace()];
  const { url } = await mcpStage();
  const headersOf = (by: TestWorkspace) => ({
    ...HEADERS,
    ...asKey(by),
    'content-type': 'application/json',
  });
  const answer = (by: TestWorkspace) =>
    fetch(`${url}/mcp`, { method: 'POST', headers: headersOf(by), body: JSON.stringify(LIST) });
  // Each waits for the rest of its body.
  const waiting = Array.from({ length: 100 }, () => {
    const one = request(`${url}/mcp`, {
      method: 'POST',
      headers: { ...headersOf(w), 'content-length': '1000' },
      agent: false,
    });
    one.on('error', () => {});
    one.flushHeaders();
    return one;
  });
  let refused = new Response();
  await until(async () => {
    refused = await answer(w);
    return refused.status === 429;
  });
  expect(((await refused.json()) as Any).error.message).toContain(
    'a caller may have 100 that are not answered yet',
  );
  expect((await answer(other)).status).toBe(200);
  for (const one of waiting) one.destroy();
  await until(async () => (await answer(w)).status === 200);
});
