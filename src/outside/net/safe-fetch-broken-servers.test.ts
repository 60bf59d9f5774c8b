import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { cleanUp, cleanups, failureOf, fetchAllowing, serve, serveRaw, text } from './testing-servers.ts';

afterEach(cleanUp);

const broken: [string, (socket: Socket) => void, string][] = [
  ['is not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'protocol'],
  [
    'has a broken chunk',
    (s) => s.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\nabc'),
    'protocol',
  ],
  [
    'has two lengths',
    (s) => s.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
    'protocol',
  ],
  ['ends before its length', (s) => s.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'), 'reset'],
  ['is closed without a byte', (s) => s.end(), 'reset'],
  ['is reset', (s) => s.resetAndDestroy(), 'reset'],
  [
    'is reset in the body',
    (s) => s.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na', () => s.resetAndDestroy()),
    'reset',
  ],
  ['has endless headers', (s) => s.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(50_000)}`), 'protocol'],
  ['has an endless status line', (s) => s.write(`HTTP/1.1 200 ${'K'.repeat(500_000)}`), 'timeout'],
  ['never stops sending hints', (s) => s.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)), 'timeout'],
  ['sends an unrequested 100', (s) => s.write('HTTP/1.1 100 Continue\r\n\r\n'), 'protocol'],
  [
    'switches protocols unrequested',
    (s) => s.write('HTTP/1.1 101 Hi\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    'protocol',
  ],
  ['never comes', () => {}, 'timeout'],
  ['stops in its headers', (s) => s.write('HTTP/1.1 200 OK\r\ncontent-'), 'timeout'],
  ['stops in its body', (s) => s.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'), 'timeout'],
  [
    'claims to be gzip',
    (s) => s.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc'),
    'protocol',
  ],
];

test.each(broken)('an answer that %s is a failure', async (_what, onRequest, kind) => {
  const { url, port } = await serveRaw(onRequest);
  // Failures other than timeouts end long before this limit.
  const timeoutMs = kind === 'timeout' ? 700 : 60_000;
  const failure = await failureOf(fetchAllowing([port])(url, { timeoutMs }));
  expect(failure).toMatchObject({ name: 'FetchFailure', kind, url });
});

test('a slow drip ends at the time limit for the whole exchange', async () => {
  const { url, port } = await serveRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 20);
    cleanups.push(() => clearInterval(timer));
  });
  expect((await failureOf(fetchAllowing([port])(url, { timeoutMs: 300 }))).kind).toBe('timeout');
});

test('all redirects share one time limit', async () => {
  let n = 0;
  // Each redirect is slow but within the limit, and all of them together exceed it.
  const { url, port } = await serve((_request, response) => {
    setTimeout(() => response.writeHead(302, { location: `/${n++}` }).end(), 100);
  });
  const failure = await failureOf(fetchAllowing([port])(url, { timeoutMs: 350, maxRedirects: 50 }));
  expect(failure.kind).toBe('timeout');
  expect(failure.redirects.length).toBeLessThan(5);
});

test('an answer without a length is complete when the connection closes', async () => {
  const { url, port } = await serveRaw((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nold'));
  expect(text((await fetchAllowing([port])(url)).body)).toBe('old');
});

test('early hints are skipped', async () => {
  const { url, port } = await serveRaw((socket) =>
    socket.end('HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
  );
  const answer = await fetchAllowing([port])(url);
  expect(answer.status).toBe(200);
  expect(answer.headers.link).toBeUndefined();
});

test('a truncated gzip body is decoded as far as possible', async () => {
  const packed = gzipSync('hello '.repeat(1000));
  const { url, port } = await serve((_request, response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(packed.subarray(0, packed.length - 8));
  });
  expect(text((await fetchAllowing([port])(url)).body)).toBe('hello '.repeat(1000));
});
