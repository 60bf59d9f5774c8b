import { afterEach, expect, test } from 'vitest';
import { bareFetchInput } from '../../../test/reviews/review-inputs.ts';
import { run } from '../../../test/reviews/runs.ts';
import { expectLog } from '../../../test/run/log-watch.ts';
import { newWorkspace } from '../../../test/service/harness.ts';
import { cleanUp, fetchAllowing, serve } from '../../outside/net/testing-servers.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import { createFetchText } from './requests/fetch-text.ts';
import { createRestCache } from './requests/rest-api-cache.ts';
import { restApiOptions } from './requests/rest-api-options.ts';
import { restApi } from './rest-api.ts';

afterEach(cleanUp);

type Endpoint = Record<string, unknown>;

/** A server that answers with the request that it received. */
const mirror = () =>
  serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ method: request.method, path: request.url, headers: request.headers, body }),
    );
  });

async function gather(
  ports: number[],
  endpoints: Endpoint[],
  more: { values?: Record<string, unknown>; cacheScope?: string; maxResponseBytes?: number } = {},
) {
  const { values = {}, cacheScope, maxResponseBytes } = more;
  const lines: LogLine[] = [];
  const fetch = fetchAllowing(ports);
  const { signal } = new AbortController();
  const options = restApiOptions.parse({
    endpoints: endpoints.map((one) => ({ description: 'About.', ...one })),
    ...(maxResponseBytes !== undefined && { maxResponseBytes }),
  });
  const input = {
    ...bareFetchInput,
    url: 'https://page.example/',
    options,
    fetch,
    signal,
    values,
    cacheScope,
  };
  const data = await restApi.gather({
    ...input,
    fetchText: createFetchText(fetch, signal),
    log: (line) => void lines.push(line),
  });
  const prompt = restApi.toPrompt(data, { url: input.url }).map((part) => ('text' in part ? part.text : ''));
  return { endpoints: data.endpoints, lines, prompt };
}

/** The request that the mirror received for a single endpoint. */
async function requestOf(port: number, endpoint: Endpoint, values: Record<string, unknown>) {
  const { endpoints } = await gather([port], [endpoint], { values });
  expect(endpoints[0]!.error).toBeUndefined();
  return endpoints[0]!.response as {
    method: string;
    path: string;
    headers: Record<string, string>;
    body: string;
  };
}

test('templates fill address, query, headers and body, and the user agent is sent', async () => {
  const { port, url } = await mirror();
  const values = { id: 'a/b', variables: { id: 'a/b', n: 5 }, userContext: { locale: 'de' } };
  const got = await requestOf(
    port,
    {
      url: `${url}/users/{{id}}?x=1`,
      query: { l: '{{userContext.locale}}', n: '{{n}}', gone: '{{gone}}', all: true },
      headers: { 'X-Locale': '{{userContext.locale}}-AT' },
      body: { never: 'sent' },
      auth: { type: 'bearer', token: 'sesame-4711' },
    },
    values,
  );
  expect(got.path).toBe('/users/a%2Fb?x=1&l=de&n=5&all=true');
  expect(got.headers).toMatchObject({ 'x-locale': 'de-AT', authorization: 'Bearer sesame-4711' });
  expect(got).toMatchObject({ method: 'GET', body: '' });

  const post = { url, method: 'POST' };
  const basic = { type: 'basic', username: 'me', password: 'pä' };
  const sent = await requestOf(
    port,
    { ...post, auth: basic, body: { n: '{{n}}', s: 'id {{id}}', no: '{{gone}}' } },
    values,
  );
  expect(JSON.parse(sent.body)).toEqual({ n: 5, s: 'id a/b' });
  expect(sent.headers).toMatchObject({
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from('me:pä').toString('base64')}`,
  });
  const text = await requestOf(port, { ...post, body: 'id {{id}}' }, values);
  expect(text).toMatchObject({ method: 'POST', body: 'id a/b' });
  expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
});

test('a value cannot change the structure of a request', async () => {
  const { port, url, requests } = await mirror();
  const attack = '","admin":true,"x":"';
  for (const body of ['{"q":"{{q}}"}', '{"n":{{n}},"q":"{{q}}"}']) {
    const sent = await requestOf(port, { url, method: 'POST', body }, { q: attack, n: 7 });
    expect(JSON.parse(sent.body)).toMatchObject({ q: attack });
    expect(JSON.parse(sent.body).admin).toBeUndefined();
  }
  // Outside a string, a text stays one value, and an object inside a string stays text.
  const bare = await requestOf(
    port,
    { url, method: 'POST', body: '{"a":[{{q}},{{n}}],"s":"\\"{{o}}"}' },
    { q: '1,2', n: '7', o: { b: 1 } },
  );
  expect(JSON.parse(bare.body)).toEqual({ a: ['1,2', 7], s: '"{"b":1}' });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const inForm = { url, method: 'POST', headers, body: 'q={{q}}&n={{n}}' };
  const form = await requestOf(port, inForm, { q: 'a&admin=1', n: 7 });
  expect(form.body).toBe('q=a%26admin%3D1&n=7');
  const body = '{"n":"{{n}}","text":"n {{n}}","gone":"{{gone}}"}';
  const { body: typed } = await requestOf(port, { url, method: 'POST', body }, { n: 7 });
  expect(JSON.parse(typed)).toEqual({ n: 7, text: 'n 7' });
  const before = requests.length;
  const { endpoints } = await gather(
    [port],
    [
      { url: `${url}/{{up}}/x` },
      { url: 'http://{{host}}/x' },
      { url, headers: { 'x-a': '{{line}}' } },
      { url, headers: { 'x-a': 'a {{gone}}' } },
      { url: `${url}/{{gone}}` },
      { url, auth: { type: 'header', headers: { 'x-key': 'schlüssel-\u{1f511}' } } },
    ],
    { values: { up: '../admin', host: 'evil.example/', line: 'a\r\nx-evil: 1' } },
  );
  expect(endpoints.map(({ error }) => error)).toEqual([
    'The value of {{up}} would lead to another path.',
    'The value of {{host}} is no part of a host.',
    'The value of the header x-a contains characters that no header can contain.',
    'The header x-a has no value for {{gone}}.',
    'There is no value for {{gone}}.',
    'The value of the header x-key contains characters that no header can contain.',
  ]);
  expect(requests.length).toBe(before);
});

test('each endpoint has its own result, and no result shows a secret', async () => {
  const inside = await serve((_, response) => response.end('intranet'));
  const site = await serve((request, response) => {
    if (request.url!.startsWith('/missing')) response.writeHead(404).end('No.');
    else if (request.url!.startsWith('/binary')) response.end(Buffer.from([0, 1, 2]));
    else if (request.url!.startsWith('/deep')) response.end('['.repeat(100_000) + ']'.repeat(100_000));
    else if (request.url!.startsWith('/text')) response.end('plain words');
    else if (request.url!.startsWith('/long')) response.end('{"a":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}');
    else response.end('{"items":[{"name":"one"}],"__proto__":{"a":1}}');
  });
  const secret = { auth: { type: 'header', headers: { 'x-key': 'sesame-4711' } } };
  const { endpoints, lines, prompt } = await gather(
    [site.port],
    [
      { url: `${site.url}/items?api_key=k-1&page=2&t=sesame-4711`, id: 'i', name: 'Items', ...secret },
      { url: `${site.url}/items`, responsePath: 'items[0].name' },
      { url: `${site.url}/items`, responsePath: 'items[7].name' },
      { url: `${site.url}/items`, responsePath: 'constructor' },
      { url: `${site.url}/text` },
      { url: `${site.url}/text`, responsePath: 'a' },
      { url: `${site.url}/missing` },
      { url: `${site.url}/binary` },
      { url: `${site.url}/deep` },
      { url: `http://127.0.0.1:${inside.port}/`, name: 'Inside' },
    ],
  );
  expect(endpoints[0]).toEqual({
    id: 'i',
    name: 'Items',
    description: 'About.',
    url: `${site.url}/items?api_key=***&page=2&t=[secret removed]`,
    status: 200,
    response: { items: [{ name: 'one' }], ['__proto__']: { a: 1 } },
  });
  expect(endpoints.slice(1).map(({ response, error }) => error ?? response)).toEqual([
    'one',
    'Its answer has nothing at items[7].name.',
    'Its answer has nothing at constructor.',
    'plain words',
    'Its answer is not JSON, so a matches nothing.',
    'It answered with HTTP 404.',
    'Its answer is no text.',
    expect.stringMatching(/^\[+\]+$/),
    'The address could not be reached.',
  ]);
  expect(inside.requests).toEqual([]);
  expect(prompt[0]).toContain('"items":[{"name":"one"}]');
  expect(prompt[9]).toBe(
    `Endpoint: Inside\nDescription: About.\nURL: http://127.0.0.1:${inside.port}/\nIt could not be fetched: The address could not be reached.`,
  );
  const line = lines.find(({ data }) => String(data?.url).includes('api_key'))!;
  expect(line).toMatchObject({
    kind: 'fetch',
    data: { method: 'GET', status: 200, cached: false, bytes: 46 },
  });
  expect(JSON.stringify([lines, prompt])).not.toMatch(/sesame|k-1/);

  const cut = await gather(
    [site.port],
    [{ url: `${site.url}/long` }, { url: `${site.url}/long`, responsePath: 'a' }],
    { maxResponseBytes: 10 },
  );
  expect(cut.endpoints).toMatchObject([
    { response: '{"a":"xxxx', truncated: true },
    { error: 'Its answer was cut off, so that a cannot be looked up in it.' },
  ]);
  expect(cut.prompt[0]).toContain('Response (cut off, the beginning only): "{\\"a\\":\\"xxxx"');
});

test('secrets are not sent along a redirect to another origin', async () => {
  const other = await mirror();
  const { port, url } = await serve((_, response) =>
    response.writeHead(307, { location: `${other.url}/there` }).end(),
  );
  const auth = { type: 'header', headers: { 'x-key': 'sesame-4711' } };
  const { endpoints } = await gather([port, other.port], [{ url, auth, headers: { 'x-other': 'too' } }]);
  const { headers } = endpoints[0]!.response as { headers: Record<string, string> };
  expect(headers).not.toHaveProperty('x-key');
  expect(headers).not.toHaveProperty('x-other');
});

test('answers are cached for the time that the endpoint sets, per tenant', async () => {
  let count = 0;
  const { port, url, requests } = await serve((request, response) => {
    count += 1;
    response.writeHead(request.url === '/failing' ? 500 : 200).end(String(count));
  });
  const kept = { url: `${url}/a`, cacheTtlSeconds: 60 };
  const answer = async (endpoint: Endpoint, cacheScope?: string) => {
    const { endpoints, lines } = await gather([port], [endpoint], cacheScope ? { cacheScope } : {});
    return [endpoints[0]!.response, lines[0]!.data?.cached];
  };
  expect(await answer(kept, 'one')).toEqual([1, false]);
  expect(await answer(kept, 'one')).toEqual([1, true]);
  expect(await answer(kept, 'other')).toEqual([2, false]);
  expect(await answer({ ...kept, auth: { type: 'bearer', token: 't-2' } }, 'one')).toEqual([3, false]);
  expect(await answer({ ...kept, cacheTtlSeconds: 0 }, 'one')).toEqual([4, false]);
  expect(await answer(kept)).toEqual([5, false]);
  await answer({ ...kept, url: `${url}/failing` }, 'one');
  await answer({ ...kept, url: `${url}/failing` }, 'one');
  expect(requests.map((request) => request.url).slice(-2)).toEqual(['/failing', '/failing']);
});

test('a full cache drops the entry that was unused for the longest time', () => {
  const answer = (size: number) => ({
    status: 200,
    contentType: '',
    body: new Uint8Array(size),
    truncated: false,
  });
  const cache = createRestCache(5_000, 3);
  for (const key of ['a', 'b', 'c']) cache.put(key, answer(10));
  cache.get('a', 1_000);
  cache.put('d', answer(10));
  expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key, 1_000))).toEqual(['a', 'c', 'd']);
  cache.put('large', answer(3_900));
  expect(['a', 'c', 'd', 'large'].filter((key) => cache.get(key, 1_000))).toEqual(['d', 'large']);
  cache.put('huge', answer(6_000));
  expect(cache.get('huge', 1_000)).toBeUndefined();
  expect(cache.get('d', 0)).toBeUndefined();
});

test('a run fetches the endpoints of its agent with the stored secrets', async () => {
  expectLog(/page fails.*it is no HTML/);
  const { url, requests } = await mirror();
  const w = await newWorkspace();
  const endpoint = {
    description: 'A.',
    url: `${url}/{{id}}`,
    auth: { type: 'bearer', token: 'sesame-4711' },
  };
  const agent = {
    contextGathering: {
      strategies: ['rest-api'],
      strategyOptions: { 'rest-api': { endpoints: [endpoint] } },
    },
    execution: { executionStrategy: 'service', serviceId: 'broken-links' },
  };
  const execution = await run(w, agent, { url: `${url}/page`, variables: { id: 'x y' } });
  const request = requests.find((one) => one.url === '/x%20y');
  expect(request?.headers.authorization).toBe('Bearer sesame-4711');
  expect(execution.log).toContainEqual(
    expect.objectContaining({
      kind: 'fetch',
      data: expect.objectContaining({ url: `${url}/x%20y`, status: 200 }),
    }),
  );
  expect(JSON.stringify(execution)).not.toContain('sesame-4711');
});
