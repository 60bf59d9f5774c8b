import { afterEach, expect, test } from 'vitest';
import { cleanUp, failureOf, fetchAllowing, serve, text } from './testing-servers.ts';

afterEach(cleanUp);

test.each([301, 302, 303, 307, 308])(
  'a %i to an internal host is refused before a connection',
  async (status) => {
    let hits = 0;
    const internal = await serve((_request, response) => {
      hits++;
      response.end('secret');
    });
    const { url, port } = await serve((_request, response) => {
      response.writeHead(status, { location: `${internal.url}/admin` });
      response.end();
    });
    const failure = await failureOf(fetchAllowing([port])(`${url}/start`, { method: 'POST', body: 'x' }));
    expect(failure.kind).toBe('refused-host');
    expect(failure.redirects).toEqual([{ url: `${url}/start`, status }]);
    expect(failure.message).not.toMatch(/127|admin|secret/);
    expect(hits).toBe(0);
  },
);

test.each([
  'http://localhost/',
  'http://[::1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2130706433/',
  '//127.1/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'data:text/plain,x',
  'http://user:secret@example.com/',
  'http://example.com:6379/',
])('a redirect to %s is refused', async (location) => {
  const { url, port } = await serve((_request, response) => response.writeHead(302, { location }).end());
  expect((await failureOf(fetchAllowing([port])(url))).kind).toBe('refused-host');
});

test('a redirect to a name with an internal address is refused', async () => {
  const { url, port } = await serve((_request, response) =>
    response.writeHead(302, { location: 'http://rebind.example:8080/' }).end(),
  );
  const fetch = fetchAllowing([port], async () => [{ address: '127.0.0.1', family: 4 }]);
  expect((await failureOf(fetch(url))).kind).toBe('refused-host');
});

test('redirects with relative addresses, raw UTF-8 and fragments are followed', async () => {
  const { url, port, requests } = await serve((request, response) => {
    const to = (location: string) =>
      response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end();
    if (request.url === '/a/b') to('../c?d');
    else if (request.url === '/c?d') to('/straße');
    else if (request.url === '/stra%C3%9Fe') to('?q#mine');
    else response.end('here');
  });
  const fetch = fetchAllowing([port]);
  const answer = await fetch(`${url}/a/b#yours`);
  expect(answer.url).toBe(`${url}/stra%C3%9Fe?q#mine`);
  expect(answer.redirects).toEqual([
    { url: `${url}/a/b#yours`, status: 302 },
    { url: `${url}/c?d#yours`, status: 302 },
    { url: `${url}/stra%C3%9Fe#yours`, status: 302 },
  ]);
  expect(requests.map((request) => request.url)).toEqual(['/a/b', '/c?d', '/stra%C3%9Fe', '/stra%C3%9Fe?q']);
});

test.each([
  [301, 'POST', 'GET'],
  [302, 'POST', 'GET'],
  [303, 'POST', 'GET'],
  [303, 'PUT', 'GET'],
  [303, 'HEAD', 'HEAD'],
  [301, 'HEAD', 'HEAD'],
  [302, 'PUT', 'PUT'],
  [307, 'POST', 'POST'],
  [308, 'POST', 'POST'],
])('after a %i, a %s continues as a %s', async (status, method, expected) => {
  const seen: string[] = [];
  const { url, port } = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(`${request.method} ${request.url} ${body}${request.headers['content-type'] ?? ''}`);
    if (request.url === '/') response.writeHead(status, { location: '/next' });
    response.end();
  });
  const hasBody = method === 'POST' || method === 'PUT';
  await fetchAllowing([port])(url, {
    method,
    body: hasBody ? 'data:' : undefined,
    headers: hasBody ? { 'content-type': 'text/x' } : {},
  });
  const keeps = hasBody && method === expected ? 'data:text/x' : '';
  expect(seen[1]).toBe(`${expected} /next ${keeps}`);
});

test('headers of the caller are not sent to another origin', async () => {
  const other = await serve((_request, response) => response.end());
  const { url, port, requests } = await serve((request, response) => {
    const location = request.url === '/' ? '/same' : `${other.url}/`;
    response.writeHead(307, { location }).end();
  });
  await fetchAllowing([port, other.port])(url, {
    headers: {
      Authorization: 'Bearer secret',
      Cookie: 'a=secret',
      'X-Api-Key': 'secret',
      'Accept-Language': 'de',
    },
  });
  expect(requests[1]!.headers).toMatchObject({ authorization: 'Bearer secret', 'x-api-key': 'secret' });
  expect(JSON.stringify(other.requests[0]!.rawHeaders)).not.toContain('secret');
  expect(other.requests[0]!.headers).toMatchObject({ 'accept-language': 'de', 'user-agent': 'Redpen/1' });
});

test('cycles, long chains and unwanted redirects end', async () => {
  const { url, port, requests } = await serve((request, response) => {
    const n = Number(request.url!.slice(2));
    const location = request.url!.startsWith('/c') ? `/c${(n + 1) % 3}` : `/n${n + 1}`;
    response.writeHead(302, { location }).end('moved');
  });
  const fetch = fetchAllowing([port]);
  const circle = await failureOf(fetch(`${url}/c0`, { maxRedirects: 20 }));
  expect(circle.kind).toBe('redirect-loop');
  expect(circle.redirects.map((hop) => hop.url)).toEqual([`${url}/c0`, `${url}/c1`, `${url}/c2`]);
  expect(requests.length).toBe(3);
  const chain = await failureOf(fetch(`${url}/n0`, { maxRedirects: 2 }));
  expect(chain.kind).toBe('too-many-redirects');
  expect(chain.redirects.length).toBe(3);
  const unfollowed = await fetch(`${url}/n0`, { maxRedirects: 0 });
  expect(unfollowed).toMatchObject({ status: 302, redirects: [] });
  expect(text(unfollowed.body)).toBe('moved');
});

test('a redirect status without an address is an answer, and an invalid address is a failure', async () => {
  const { url, port } = await serve((request, response) => {
    response.writeHead(301, request.url === '/bad' ? { location: 'http://[oops' } : {}).end('body');
  });
  const fetch = fetchAllowing([port]);
  expect(await fetch(url)).toMatchObject({ status: 301, redirects: [] });
  expect(await failureOf(fetch(`${url}/bad`))).toMatchObject({ kind: 'invalid-url', url: 'http://[oops' });
});
