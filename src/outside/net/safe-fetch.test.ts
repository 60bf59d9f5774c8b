import { createServer as createTcpServer } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { FetchOptions } from './outbound-fetch.ts';
import { cleanUp, cleanups, failureOf, fetchAllowing, listen, serve, text } from './testing-servers.ts';

afterEach(cleanUp);

test('an answer has its status, headers and body', async () => {
  const { url, port, requests } = await serve((_request, response) => {
    response.writeHead(418, [
      ['X-Tea', 'green'],
      ['Link', '<a>'],
      ['Link', '<b>'],
    ] as never);
    response.end('short and stout');
  });
  const answer = await fetchAllowing([port])(`${url}/a b?c=d#e`, { headers: { 'X-Mine': '1' } });
  expect(answer).toMatchObject({
    url: `${url}/a%20b?c=d#e`,
    status: 418,
    truncated: false,
    redirects: [],
  });
  expect(answer.headers['x-tea']).toBe('green');
  expect(answer.headers.link).toBe('<a>, <b>');
  expect(text(answer.body)).toBe('short and stout');
  expect(requests[0]!.url).toBe('/a%20b?c=d');
  expect(requests[0]!.headers).toMatchObject({
    'user-agent': 'Redpen/1',
    'x-mine': '1',
    host: `127.0.0.1:${port}`,
  });
});

test('a caller cannot choose the host header or the framing', async () => {
  const { url, port, requests } = await serve((_request, response) => response.end());
  await fetchAllowing([port])(url, {
    method: 'post',
    body: 'abc',
    headers: {
      Host: 'internal',
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
      Connection: 'upgrade',
    },
  });
  expect(requests[0]!.headers).toMatchObject({ host: `127.0.0.1:${port}`, 'content-length': '3' });
  expect(requests[0]!.headers['transfer-encoding']).toBeUndefined();
});

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('a body in %s is decoded, and cut by its decoded size', async (encoding, compress) => {
  const plain = `begin${'x'.repeat(40_000_000)}`;
  const packed = compress(plain);
  expect(packed.length).toBeLessThan(100_000);
  const { url, port } = await serve((_request, response) => {
    response.setHeader('content-encoding', encoding);
    response.end(packed);
  });
  const fetch = fetchAllowing([port]);
  const cut = await fetch(url, { maxBytes: 1000 });
  expect(cut.truncated).toBe(true);
  expect(cut.body.length).toBe(1000);
  expect(text(cut.body.subarray(0, 5))).toBe('begin');
  const whole = await fetch(url, { maxBytes: plain.length });
  expect(whole.truncated).toBe(false);
  expect(whole.body.length).toBe(plain.length);
});

test('a body of exactly the limit is not truncated', async () => {
  const { url, port } = await serve((_request, response) => response.end('12345'));
  const fetch = fetchAllowing([port]);
  expect(await fetch(url, { maxBytes: 5 })).toMatchObject({ truncated: false });
  const cut = await fetch(url, { maxBytes: 4 });
  expect(cut.truncated).toBe(true);
  expect(text(cut.body)).toBe('1234');
});

test('an endless body is cut, and its connection closed', async () => {
  let dropped = false;
  const { url, port } = await serve((_request, response) => {
    response.on('close', () => {
      dropped = true;
    });
    const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
    cleanups.push(() => clearInterval(timer));
  });
  const answer = await fetchAllowing([port])(url, { maxBytes: 50_000 });
  expect(answer.body.length).toBe(50_000);
  await expect.poll(() => dropped).toBe(true);
});

test('an unwanted body is not read', async () => {
  const { url, port } = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' });
    response.write('x');
  });
  const answer = await fetchAllowing([port])(url, {
    timeoutMs: 60_000,
    wantBody: (status, headers) => status !== 200 || headers['content-type'] !== 'video/mp4',
  });
  expect(answer).toMatchObject({ status: 200, truncated: false });
  expect(answer.body.length).toBe(0);
});

test('the answer to a HEAD has no body, even if the server sends one', async () => {
  const port = await listen(
    createTcpServer((socket) =>
      socket.on('data', () =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nbody'),
      ),
    ),
  );
  const fetch = fetchAllowing([port]);
  for (let round = 0; round < 5; round++) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.body.length).toBe(0);
  }
});

test('a kept connection that the server closes during the next request is replaced', async () => {
  let requests = 0;
  const port = await listen(
    createTcpServer((socket) => {
      let onThis = 0;
      socket.on('data', () => {
        requests++;
        if (onThis++ > 0) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
    }),
  );
  const fetch = fetchAllowing([port]);
  for (let round = 0; round < 4; round++) expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  expect(requests).toBeGreaterThan(4);
  const post: FetchOptions = { method: 'POST', body: 'once' };
  await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' }).catch(() => {});
  const before = requests;
  await fetch(`http://127.0.0.1:${port}/`, post).catch(() => {});
  expect(requests).toBeLessThanOrEqual(before + 1);
});

test('connection failures are distinguished by kind', async () => {
  const port = await listen(createTcpServer());
  await cleanups.pop()!();
  expect(await failureOf(fetchAllowing([port])(`http://127.0.0.1:${port}/`))).toMatchObject({
    kind: 'connect',
    message: 'Nothing listens there (connection refused).',
  });
  expect(await failureOf(fetchAllowing([])(`http://127.0.0.1:${port}/`))).toMatchObject({
    kind: 'refused-host',
    message: 'The address could not be reached.',
  });

  const fetchUnknownName = fetchAllowing([], async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  });
  expect(await failureOf(fetchUnknownName('http://nowhere.example/'))).toMatchObject({
    kind: 'dns',
    message: 'The host name does not exist.',
  });

  const plain = await serve((_request, response) => response.end());
  expect((await failureOf(fetchAllowing([plain.port])(`https://127.0.0.1:${plain.port}/`))).kind).toBe('tls');

  const fetch = fetchAllowing([plain.port]);
  expect((await failureOf(fetch('nonsense'))).kind).toBe('invalid-url');
  expect((await failureOf(fetch('http://10.0.0.1/'))).kind).toBe('refused-host');
  expect((await failureOf(fetch(plain.url, { headers: { 'x-bad': 'a\r\nx-evil: 1' } }))).kind).toBe(
    'protocol',
  );
});

test('an abort ends the exchange while it waits for headers or body', async () => {
  let waitsForHeaders = () => {};
  const { url, port } = await serve((request, response) => {
    if (request.url === '/body') response.write('begun');
    else waitsForHeaders();
  });
  const fetch = fetchAllowing([port]);
  const beforeHeaders = new AbortController();
  waitsForHeaders = () => beforeHeaders.abort();
  expect((await failureOf(fetch(`${url}/headers`, { signal: beforeHeaders.signal }))).kind).toBe('aborted');
  const inBody = new AbortController();
  const wantBody = () => {
    setImmediate(() => inBody.abort());
    return true;
  };
  expect((await failureOf(fetch(`${url}/body`, { signal: inBody.signal, wantBody }))).kind).toBe('aborted');
  expect((await failureOf(fetch(url, { signal: AbortSignal.abort() }))).kind).toBe('aborted');
});
