import { connect, createServer as createTcpServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createEgressProxy } from './egress-proxy.ts';
import { createGuard, type ResolvedAddress } from './ssrf-guard.ts';
import { cleanUp, cleanups, listen, serve } from './testing-servers.ts';

afterEach(cleanUp);

async function startProxy(allowHosts: string[], resolve?: () => Promise<ResolvedAddress[]>) {
  const denied: string[] = [];
  const proxy = await createEgressProxy({
    guard: createGuard({ allowHosts, resolve }),
    onDenied: (host, why) => denied.push(`${host} ${why}`),
  });
  cleanups.push(() => proxy.close());
  const auth = `proxy-authorization: Basic ${btoa(`${proxy.username}:${proxy.password}`)}\r\n`;

  /** Sends bytes to the proxy. Resolves with its answer once it is complete or the connection ends. */
  const send = (bytes: string, then?: string) =>
    new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(proxy.port, '127.0.0.1', () => socket.write(bytes));
      socket.setTimeout(60_000, () => socket.destroy());
      socket.on('data', (chunk) => {
        if (received === '' && then) socket.write(then);
        received += chunk;
        if (!then && isWhole(received)) socket.destroy();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(received));
    });
  return { proxy, denied, auth, send };
}

/** True for a complete answer with a length or in chunks. */
function isWhole(answer: string): boolean {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return Buffer.byteLength(rest.join('\r\n\r\n')) >= Number(length);
  return /\r\ntransfer-encoding: chunked/i.test(head) && answer.endsWith('\r\n0\r\n\r\n');
}

const get = (url: string, headers: string) =>
  `GET ${url} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${headers}\r\n`;

test('a request with credentials is forwarded without the headers for the proxy', async () => {
  const { port, url, requests } = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => response.writeHead(201, { 'X-Case': 'Kept' }).end(`got ${body}`));
  });
  const { send, auth } = await startProxy([`127.0.0.1:${port}`]);
  const received = await send(
    `POST ${url}/a?b HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Mine: 1\r\nProxy-Connection: keep-alive\r\n${auth}content-length: 3\r\n\r\nabc`,
  );
  expect(received).toMatch(/^HTTP\/1.1 201 /);
  expect(received).toContain('X-Case: Kept');
  expect(received).toContain('got abc');
  expect(requests[0]!.url).toBe('/a?b');
  expect(requests[0]!.headers).toMatchObject({ host: `127.0.0.1:${port}`, 'x-mine': '1' });
  expect(requests[0]!.headers['proxy-authorization']).toBeUndefined();
  expect(requests[0]!.headers['proxy-connection']).toBeUndefined();
});

test('a request with wrong credentials is refused', async () => {
  const { port, url, requests } = await serve((_request, response) => response.end('secret'));
  const { send } = await startProxy([`127.0.0.1:${port}`]);
  for (const wrong of ['', 'proxy-authorization: Basic YTpi\r\n', 'proxy-authorization: Bearer x\r\n']) {
    expect(await send(get(`${url}/`, wrong))).toMatch(/^HTTP\/1.1 407 /);
    expect(await send(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${wrong}\r\n`)).toMatch(/^HTTP\/1.1 407 /);
  }
  expect(requests.length).toBe(0);
});

test('a denied host gets the same short answer whether its port is open or closed, and is reported', async () => {
  const { port, requests } = await serve((_request, response) => response.end('secret'));
  const { send, auth, denied, proxy } = await startProxy([]);
  const open = await send(get(`http://127.0.0.1:${port}/`, auth));
  const closed = await send(get('http://127.0.0.1:65000/', auth));
  expect(open).toMatch(/^HTTP\/1.1 403 /);
  expect(open.split('\r\n\r\n')[1]).toBe(closed.split('\r\n\r\n')[1]);
  expect(open).not.toContain('secret');
  expect(await send(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${auth}\r\n`)).toMatch(/^HTTP\/1.1 403 /);
  expect(await send(`CONNECT [::1]:443 HTTP/1.1\r\n${auth}\r\n`)).toMatch(/^HTTP\/1.1 403 /);
  expect(requests.length).toBe(0);
  expect(denied).toEqual([
    `127.0.0.1:${port} host`,
    '127.0.0.1:65000 host',
    `127.0.0.1:${port} host`,
    '[::1]:443 host',
  ]);
  expect(proxy.hasDenied('127.0.0.1', port)).toBe(true);
  expect(proxy.hasDenied('127.0.0.1', 1)).toBe(false);
});

test('a name that resolves to an internal address is denied, even if only for a later connection', async () => {
  // Connections close after their answer, so that the next request resolves the name again.
  const { port, requests } = await serve((_request, response) =>
    response.writeHead(200, { connection: 'close' }).end(),
  );
  const answers = ['127.0.0.1', '127.0.0.2'];
  const { send, auth, denied } = await startProxy([`127.0.0.1:${port}`], async () => [
    { address: answers.shift()!, family: 4 },
  ]);
  const close = 'connection: close\r\n';
  expect(await send(get(`http://rebind.example:${port}/`, auth + close))).toMatch(/^HTTP\/1.1 200 /);
  expect(await send(get(`http://rebind.example:${port}/`, auth + close))).toMatch(/^HTTP\/1.1 403 /);
  expect(denied).toEqual([`rebind.example:${port} host`]);
  expect(requests.length).toBe(1);
});

test('a tunnel carries bytes both ways, and only exempted hosts may use ports other than 443', async () => {
  const port = await listen(
    createTcpServer((socket) => {
      socket.on('data', (chunk) => socket.end(`echo ${chunk}`));
    }),
  );
  const { send, auth } = await startProxy([`127.0.0.1:${port}`], async () => [
    { address: '127.0.0.1', family: 4 },
  ]);
  const warnings: Error[] = [];
  const collect = (warning: Error) => warnings.push(warning);
  process.on('warning', collect);
  cleanups.push(async () => void process.off('warning', collect));
  expect(await send(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${auth}\r\n`, 'hello')).toMatch(
    /200 .*\r\n\r\necho hello$/s,
  );
  expect(await send(`CONNECT named.example:${port} HTTP/1.1\r\n${auth}\r\n`, 'hello')).toContain(
    'echo hello',
  );
  const { send: sayOther, auth: otherAuth, denied } = await startProxy([]);
  expect(await sayOther(`CONNECT 93.184.216.34:8443 HTTP/1.1\r\n${otherAuth}\r\n`)).toMatch(
    /^HTTP\/1.1 403 /,
  );
  expect(denied).toEqual(['93.184.216.34:8443 port']);
  expect(warnings).toEqual([]);
});

test('the proxy survives upstreams that fail and clients that disconnect', async () => {
  const broken = [
    (socket: import('node:net').Socket) => socket.resetAndDestroy(),
    (socket: import('node:net').Socket) => socket.end('not http at all\r\n\r\n'),
    (socket: import('node:net').Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'),
    (socket: import('node:net').Socket) =>
      socket.end('HTTP/1.1 200 OK\r\nbad name: x\r\ncontent-length: 2\r\n\r\nok'),
    (socket: import('node:net').Socket) => socket.end('HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\nok'),
  ];
  let next = 0;
  const port = await listen(
    createTcpServer((socket) => socket.once('data', () => broken[next++ % 5]!(socket))),
  );
  const { send, auth, proxy } = await startProxy([`127.0.0.1:${port}`]);
  const target = `http://127.0.0.1:${port}/`;
  const received = [];
  for (let round = 0; round < 5; round++) received.push((await send(get(target, auth))).split('\r\n')[0]);
  expect(received.slice(0, 2)).toEqual(['HTTP/1.1 502 Bad Gateway', 'HTTP/1.1 502 Bad Gateway']);
  await send('nonsense\r\n\r\n');
  await send(`GET /relative HTTP/1.1\r\n${auth}\r\n`);
  await send(`GET ftp://example.com/ HTTP/1.1\r\n${auth}\r\n`);
  await send(`CONNECT ::: HTTP/1.1\r\n${auth}\r\n`);
  const sockets = Array.from({ length: 20 }, () => connect(proxy.port, '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => {});
    socket.write(get(target, auth));
    socket.resetAndDestroy();
  }
  expect(await send(get(proxy.greetingUrl, auth))).toMatch(/^HTTP\/1.1 200 /);
});

test('a kept upstream connection that closes during the next request is replaced', async () => {
  let answered = 0;
  const port = await listen(
    createTcpServer((socket) => {
      let onThis = 0;
      socket.on('data', () => {
        if (onThis++ > 0) return socket.resetAndDestroy();
        answered++;
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
    }),
  );
  const { send, auth } = await startProxy([`127.0.0.1:${port}`]);
  for (let round = 0; round < 3; round++) {
    expect(await send(get(`http://127.0.0.1:${port}/`, auth))).toMatch(/^HTTP\/1.1 200 /);
  }
  expect(answered).toBe(3);
});
