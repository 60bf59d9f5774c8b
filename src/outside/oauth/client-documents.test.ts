import type { RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { PATIENCE_MS } from '../../../test/run/patience.ts';
import { createSafeFetch } from '../net/safe-fetch.ts';
import { createGuard } from '../net/ssrf-guard.ts';
import { cleanUp, cleanups, serve } from '../net/testing-servers.ts';
import { createClientDocuments } from './client-documents.ts';

afterEach(cleanUp);

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Reads documents of hosts on an allow list. */
function reader(
  allowHosts: string[],
  { now, timeoutMs = PATIENCE_MS }: { now?: () => number; timeoutMs?: number } = {},
) {
  const guard = createGuard({ allowHosts });
  const fetch = createSafeFetch(guard, { userAgent: 'Redpen/1' });
  cleanups.push(() => fetch.close());
  const isRefused = (url: string) => guard.checkUrl(url) !== undefined;
  return createClientDocuments({ fetch, isRefused, timeoutMs, ...(now && { now }) });
}

/** A server of a document, with the address of the document. */
async function documentServer(
  change: (clientId: string) => object | string,
  headers: Record<string, string> = JSON_TYPE,
) {
  const answer: RequestListener = (request, response) => {
    const clientId = `http://${request.headers.host}${request.url}`;
    const changed = change(clientId);
    const valid = {
      client_id: clientId,
      client_name: 'Client',
      redirect_uris: ['https://client.example.com/'],
    };
    response.writeHead(200, headers);
    response.end(typeof changed === 'string' ? changed : JSON.stringify({ ...valid, ...changed }));
  };
  const { url, requests } = await serve(answer);
  return { clientId: `${url}/client`, requests };
}

const refusalOf = async (asked: Promise<unknown>): Promise<string> =>
  await asked.then(
    () => 'It was read.',
    (error: Error & { status?: string }) => `${error.status}: ${error.message}`,
  );
const CANNOT = 'INVALID_ARGUMENT: The document of the client at its client_id cannot be read:';

test('a client has the name, page and redirect URIs of its document', async () => {
  const { clientId, requests } = await documentServer((id) => ({
    client_name: `  Good\u202e\u0000\n Client ${'x'.repeat(200)}`,
    client_uri: new URL('/about', id).href.replace('http:', 'https:'),
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: ['https://client.example.com/', 'http://127.0.0.1/'],
  }));
  const client = await reader(['127.0.0.1']).read(clientId);
  expect(client).toEqual({
    clientId,
    name: `Good Client ${'x'.repeat(88)}`,
    uri: clientId.replace('http:', 'https:').replace('/client', '/about'),
    redirectUris: ['https://client.example.com/', 'http://127.0.0.1/'],
  });
  expect(requests[0]!.headers.accept).toBe('application/json');
});

test('a client without a name is called by its host, and a page elsewhere is none of its own', async () => {
  const { clientId } = await documentServer(() => ({
    client_name: '\u200b',
    client_uri: 'https://bank.example.com/',
  }));
  const { name, uri } = await reader(['127.0.0.1']).read(clientId);
  expect([name, uri]).toEqual([new URL(clientId).host, undefined]);
});

test.each([
  ['client', 'must be the address of a document that describes the client'],
  ['http://client.example.com/client', 'must be an address with https'],
  ['ftp://client.example.com/client', 'must be an address with https'],
  ['https://client.example.com', 'must have a path'],
  ['https://client.example.com/', 'must have a path'],
  ['https://client.example.com/client#part', 'must not have a fragment'],
  ['https://client.example.com/client#', 'must not have a fragment'],
  ['https://eve:secret@client.example.com/client', 'must not contain credentials'],
  ['https://client.example.com/a/../client', 'without dot segments'],
  ['https://client.example.com/a/%2e%2e/client', 'without dot segments'],
  ['https://CLIENT.example.com/client', 'must be spelled as browsers write addresses'],
  ['https://client.example.com:443/client', 'must be spelled as browsers write addresses'],
])('the client_id %s is refused without a request', async (clientId, why) => {
  const refusal = await refusalOf(reader([]).read(clientId));
  expect(refusal).toMatch(/^INVALID_ARGUMENT: The client_id must /);
  expect(refusal).toContain(why);
});

test('internal hosts are not asked, except for those that the operator allows', async () => {
  const { clientId, requests } = await documentServer(() => ({}));
  expect(await refusalOf(reader([]).read(clientId))).toContain('must be an address with https');
  for (const host of ['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', '[::1]']) {
    const refusal = await refusalOf(reader([]).read(`https://${host}/client`));
    expect(refusal).toBe(`${CANNOT} The address could not be reached.`);
  }
  expect(requests).toEqual([]);
  expect((await reader(['127.0.0.1']).read(clientId)).clientId).toBe(clientId);
});

test.each([
  [
    'a document for another address',
    { client_id: 'https://bank.example.com/client' },
    'Its client_id is another address.',
  ],
  ['no client_id', { client_id: undefined }, 'Its client_id is missing or wrong.'],
  ['no redirect URI', { redirect_uris: [] }, 'Its redirect_uris is missing or wrong.'],
  [
    'a secret',
    { token_endpoint_auth_method: 'client_secret_basic' },
    'Its token_endpoint_auth_method must be none',
  ],
  ['another grant', { grant_types: ['client_credentials'] }, 'Its grant_types lack authorization_code.'],
  ['another response', { response_types: ['token'] }, 'Its response_types lack code.'],
  ['no object', '[]', 'It is no JSON object.'],
  ['no JSON', '{', 'It is no JSON object.'],
  ['too much', { more: 'x'.repeat(20_000) }, 'It is larger than 20000 bytes.'],
] as const)('a document with %s is refused', async (_, change, why) => {
  const { clientId } = await documentServer(() => change);
  expect(await refusalOf(reader(['127.0.0.1']).read(clientId))).toContain(`${CANNOT} ${why}`);
});

test('HTML, redirects, failures and servers that do not answer are refused', async () => {
  const html = await documentServer(() => ({}), { 'content-type': 'text/html' });
  const documents = reader(['127.0.0.1']);
  expect(await refusalOf(documents.read(html.clientId))).toBe(
    `${CANNOT} The address does not answer with JSON.`,
  );
  const paths: Record<string, RequestListener> = {
    '/moved': (_, response) => response.writeHead(302, { location: html.clientId }).end(),
    '/missing': (_, response) => response.writeHead(404, JSON_TYPE).end('{}'),
    '/slow': (_, response) => void response.writeHead(200, JSON_TYPE).write('{'),
  };
  const { url, requests } = await serve((request, response) => paths[request.url!]!(request, response));
  expect(await refusalOf(documents.read(`${url}/moved`))).toBe(
    `${CANNOT} The address redirects, which is not allowed.`,
  );
  expect(await refusalOf(documents.read(`${url}/missing`))).toBe(
    `${CANNOT} The address answers with HTTP 404.`,
  );
  const hasty = reader(['127.0.0.1'], { timeoutMs: 200 });
  expect(await refusalOf(hasty.read(`${url}/slow`))).toBe(`${CANNOT} The address did not answer in time.`);
  expect([requests[0]?.url, html.requests.length]).toEqual(['/moved', 1]);
});

test.each([
  ['max-age=600', 600],
  ['public, max-age="7200"', 7_200],
  ['max-age=1', 60],
  ['no-store', 60],
  ['no-cache, max-age=600', 60],
  ['max-age=999999', 86_400],
  ['', 300],
])('a valid document with the cache-control %j is kept for %i seconds', async (cacheControl, seconds) => {
  let now = 0;
  const headers = { ...JSON_TYPE, ...(cacheControl !== '' && { 'cache-control': cacheControl }) };
  const { clientId, requests } = await documentServer(() => ({}), headers);
  const documents = reader(['127.0.0.1'], { now: () => now });
  await documents.read(clientId);
  now = seconds * 1_000 - 1;
  await documents.read(clientId);
  expect(requests).toHaveLength(1);
  now += 1;
  await documents.read(clientId);
  expect(requests).toHaveLength(2);
});

test('a document that was refused is read again', async () => {
  let isValid = false;
  const { clientId } = await documentServer(() => (isValid ? {} : '{}'));
  const documents = reader(['127.0.0.1']);
  expect(await refusalOf(documents.read(clientId))).toContain(CANNOT);
  isValid = true;
  expect((await documents.read(clientId)).name).toBe('Client');
});
