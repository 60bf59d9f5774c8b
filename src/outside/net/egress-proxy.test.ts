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

  /** Sends bytes to the proxy and answers with all it says until its answer is whole, it closes, or it falls silent. */
  const say = (bytes: string, then?: string) =>
    new Promise<string>((resolve) => {
      let heard = '';
      const socket = connect(proxy.port, '127.0.0.1', () => socket.write(bytes));
      socket.setTimeout(60_000, () => socket.destroy());
      socket.on('data', (chunk) => {
        if (heard === '' && then) socket.write(then);
        heard += chunk;
        if (!then && isWhole(heard)) socket.destroy();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(heard));
    });
  return { proxy, denied, auth, say };
}

/** Whether an answer that says its length, or comes in chunks, is at its end. */
function isWhole(answer: string): boolean {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return Buffer.byteLength(rest.join('\r\n\r\n')) >= Number(length);
  return /\r\ntransfer-encoding: chunked/i.test(head) && answer.endsWith('\r\n0\r\n\r\n');
}

const get = (url: string, headers: string) =>
  `GET ${url} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${headers}\r\n`;

test('a request with credentials is passed on, without what was meant for the proxy', async () => {
  const { port, url, requests } = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => response.writeHead(201, { 'X-Case': 'Kept' }).end(`got ${body}`));
  });
  const { say, auth } = await startProxy([`127.0.0.1:${port}`]);
  const heard = await say(
    `POST ${url}/a?b HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Mine: 1\r\nProxy-Connection: keep-alive\r\n${auth}content-length: 3\r\n\r\nabc`,
  );
  expect(heard).toMatch(/^HTTP\/1.1 201 /);
  expect(heard).toContain('X-Case: Kept');
  expect(heard).toContain('got abc');
  expect(requests[0]!.url).toBe('/a?b');
  expect(requests[0]!.headers).toMatchObject({ host: `127.0.0.1:${port}`, 'x-mine': '1' });
  expect(requests[0]!.headers['proxy-authorization']).toBeUndefined();
  expect(requests[0]!.headers['proxy-connection']).toBeUndefined();
});

test('who does not know the secret gets nothing through', async () => {
  const { port, url, requests } = await serve((_request, response) => response.end('secret'));
  const { say } = await startProxy([`127.0.0.1:${port}`]);
  for (const wrong of ['', 'proxy-authorization: Basic YTpi\r\n', 'proxy-authorization: Bearer x\r\n']) {
    expect(await say(get(`${url}/`, wrong))).toMatch(/^HTTP\/1.1 407 /);
    expect(await say(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${wrong}\r\n`)).toMatch(/^HTTP\/1.1 407 /);
  }
  expect(requests.length).toBe(0);
});

test('a denied host gets the same short answer open or closed, and is reported', async () => {
  const { port, requests } = await serve((_request, response) => response.end('secret'));
  const { say, auth, denied, proxy } = await startProxy([]);
  const open = await say(get(`http://127.0.0.1:${port}/`, auth));
  const closed = await say(get('http://127.0.0.1:65000/', auth));
  expect(open).toMatch(/^HTTP\/1.1 403 /);
  expect(open.split('\r\n\r\n')[1]).toBe(closed.split('\r\n\r\n')[1]);
  expect(open).not.toContain('secret');
  expect(await say(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${auth}\r\n`)).toMatch(/^HTTP\/1.1 403 /);
  expect(await say(`CONNECT [::1]:443 HTTP/1.1\r\n${auth}\r\n`)).toMatch(/^HTTP\/1.1 403 /);
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

test('a name that resolves inside is denied, and one that turns inside between connections too', async () => {
  // Closes each connection behind its answer, so that the next request looks the name up again.
  const { port, requests } = await serve((_request, response) =>
    response.writeHead(200, { connection: 'close' }).end(),
  );
  const answers = ['127.0.0.1', '127.0.0.2'];
  const { say, auth, denied } = await startProxy([`127.0.0.1:${port}`], async () => [
    { address: answers.shift()!, family: 4 },
  ]);
  const close = 'connection: close\r\n';
  expect(await say(get(`http://rebind.example:${port}/`, auth + close))).toMatch(/^HTTP\/1.1 200 /);
  expect(await say(get(`http://rebind.example:${port}/`, auth + close))).toMatch(/^HTTP\/1.1 403 /);
  expect(denied).toEqual([`rebind.example:${port} host`]);
  expect(requests.length).toBe(1);
});

test('a tunnel carries bytes both ways, to other ports than 443 for exempted hosts only', async () => {
  const port = await listen(
    createTcpServer((socket) => {
      socket.on('data', (chunk) => socket.end(`echo ${chunk}`));
    }),
  );
  const { say, auth } = await startProxy([`127.0.0.1:${port}`], async () => [
    { address: '127.0.0.1', family: 4 },
  ]);
  expect(await say(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${auth}\r\n`, 'hello')).toMatch(
    /200 .*\r\n\r\necho hello$/s,
  );
  expect(await say(`CONNECT named.example:${port} HTTP/1.1\r\n${auth}\r\n`, 'hello')).toContain('echo hello');
  const { say: sayOther, auth: otherAuth, denied } = await startProxy([]);
  expect(await sayOther(`CONNECT 93.184.216.34:8443 HTTP/1.1\r\n${otherAuth}\r\n`)).toMatch(
    /^HTTP\/1.1 403 /,
  );
  expect(denied).toEqual(['93.184.216.34:8443 port']);
});

test('upstreams that fail and clients that vanish leave the proxy standing', async () => {
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
  const { say, auth, proxy } = await startProxy([`127.0.0.1:${port}`]);
  const target = `http://127.0.0.1:${port}/`;
  const heard = [];
  for (let round = 0; round < 5; round++) heard.push((await say(get(target, auth))).split('\r\n')[0]);
  expect(heard.slice(0, 2)).toEqual(['HTTP/1.1 502 Bad Gateway', 'HTTP/1.1 502 Bad Gateway']);
  await say('nonsense\r\n\r\n');
  await say(`GET /relative HTTP/1.1\r\n${auth}\r\n`);
  await say(`GET ftp://example.com/ HTTP/1.1\r\n${auth}\r\n`);
  await say(`CONNECT ::: HTTP/1.1\r\n${auth}\r\n`);
  const sockets = Array.from({ length: 20 }, () => connect(proxy.port, '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => {});
    socket.write(get(target, auth));
    socket.resetAndDestroy();
  }
  expect(await say(get(proxy.greetingUrl, auth))).toMatch(/^HTTP\/1.1 200 /);
});

test('a kept upstream connection that closes under the next request is replaced', async () => {
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
  const { say, auth } = await startProxy([`127.0.0.1:${port}`]);
  for (let round = 0; round < 3; round++) {
    expect(await say(get(`http://127.0.0.1:${port}/`, auth))).toMatch(/^HTTP\/1.1 200 /);
  }
  expect(answered).toBe(3);
});
