import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { INTERNAL_LITERALS, INTERNAL_NAMES } from '../../../test/reviews/internal-hosts.ts';
import { createGuard, type GuardRefusal, type ResolvedAddress } from './ssrf-guard.ts';

const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
});

async function listen() {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.end();
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return { port, connections: () => connections };
}

const resolvesTo =
  (...addresses: string[]) =>
  async (): Promise<ResolvedAddress[]> =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const outcomeOf = (dialed: Promise<Socket>) =>
  dialed.then(
    (socket) => {
      socket.destroy();
      return 'connected';
    },
    (error: GuardRefusal) => error.why ?? error.message,
  );

test.each(INTERNAL_LITERALS)('a URL at %s is refused before any connection', async (host) => {
  const guard = createGuard({ allowHosts: [] });
  expect(guard.checkUrl(`http://${host}/`)).toBe('host');
  expect(guard.checkUrl(`https://${host}:8443/x?y`)).toBe('host');
  expect(await outcomeOf(guard.dial(new URL(`http://${host}/`).hostname, 80))).toBe('host');
});

test.each(INTERNAL_NAMES)('the name %s is refused without a DNS lookup', async (host) => {
  const guard = createGuard({ allowHosts: [], resolve: resolvesTo('93.184.216.34') });
  expect(guard.checkUrl(`http://${host}/`)).toBe('host');
  expect(await outcomeOf(guard.dial(host, 80))).toBe('host');
});

test.each([
  'example.com',
  'example.com.',
  'internal.example.com',
  'localhost.example.com',
  'metadata.example.com',
  '93.184.216.34',
  '172.32.0.1',
  '172.15.0.1',
  '100.128.0.1',
  '11.0.0.1',
  '[2606:2800:220:1:248:1893:25c8:1946]',
  '[::ffff:93.184.216.34]',
])('%s is allowed', (host) => {
  const guard = createGuard({ allowHosts: [] });
  expect(guard.checkUrl(`https://${host}/`)).toBeUndefined();
  expect(guard.checkUrl(`http://${host}:8080/`)).toBeUndefined();
});

test.each([
  ['file:///etc/passwd', 'scheme'],
  ['data:text/html,x', 'scheme'],
  ['blob:https://example.com/1', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['ftp://example.com/', 'scheme'],
  ['gopher://example.com/', 'scheme'],
  ['chrome://crash', 'scheme'],
  ['view-source:http://example.com/', 'scheme'],
  ['ws://example.com/', 'scheme'],
  ['about:blank', 'scheme'],
  ['http://user@example.com/', 'userinfo'],
  ['http://user:secret@example.com/', 'userinfo'],
  ['http://:secret@example.com/', 'userinfo'],
  ['http://127.0.0.1:80@example.com/', 'userinfo'],
  ['http://example.com@127.0.0.1/', 'userinfo'],
  ['not a url', 'not-a-url'],
  ['', 'not-a-url'],
  ['//example.com', 'not-a-url'],
  ['http://', 'not-a-url'],
  ['http://exa mple.com', 'not-a-url'],
  ['http:127.0.0.1', 'host'],
  ['http:///127.0.0.1', 'host'],
  ['ht\ntp://127.0.0.1', 'host'],
  ['http:\\\\127.0.0.1\\', 'host'],
])('%s is refused for its %s', (url, reason) => {
  expect(createGuard({ allowHosts: [] }).checkUrl(url)).toBe(reason);
});

test.each([1, 21, 22, 23, 25, 81, 110, 143, 465, 993, 1023, 2375, 3306, 5432, 6379, 9200, 11211, 27017])(
  'port %i is refused unless the host is exempt',
  async (port) => {
    const resolve = resolvesTo('93.184.216.34');
    const guard = createGuard({ allowHosts: [], resolve });
    expect(guard.checkUrl(`http://example.com:${port}/`)).toBe('port');
    expect(await outcomeOf(guard.dial('example.com', port))).toBe('port');
    expect(createGuard({ allowHosts: ['10.0.0.0/8'] }).checkUrl(`http://93.184.216.34:${port}/`)).toBe(
      'port',
    );
    // A range exempts addresses, so a name with such a port is only refused once it is resolved.
    const ranged = createGuard({ allowHosts: ['10.0.0.0/8'], resolve });
    expect(await outcomeOf(ranged.dial('example.com', port))).toBe('host');
    expect(
      createGuard({ allowHosts: ['example.com'] }).checkUrl(`http://example.com:${port}/`),
    ).toBeUndefined();
  },
);

test.each([80, 443, 1024, 3000, 8000, 8080, 8443, 65535])('port %i is allowed for all hosts', (port) => {
  expect(createGuard({ allowHosts: [] }).checkUrl(`http://example.com:${port}/`)).toBeUndefined();
});

test.each([
  ['a private address', ['10.1.2.3']],
  ['a loopback IPv6 address', ['::1']],
  ['a mapped loopback address', ['::ffff:127.0.0.1']],
  ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
  ['a public IPv4 and a private IPv6 address', ['93.184.216.34', 'fd00::1']],
  ['a private IPv4 and a public IPv6 address', ['192.168.0.1', '2606:2800:220:1:248:1893:25c8:1946']],
  ['the cloud host agent', ['168.63.129.16']],
  ['an invalid address', ['localhost']],
])('a name that resolves to %s is refused', async (_what, addresses) => {
  const { port, connections } = await listen();
  const guard = createGuard({ allowHosts: [], resolve: resolvesTo(...addresses) });
  expect(guard.checkUrl(`http://rebind.example:${port}/`)).toBeUndefined();
  expect(await outcomeOf(guard.dial('rebind.example', port))).toBe('host');
  expect(connections()).toBe(0);
});

test('a name that becomes internal is refused, and is resolved once per connection', async () => {
  const { port, connections } = await listen();
  const answers = ['127.0.0.1', '127.0.0.2'];
  let lookups = 0;
  const guard = createGuard({
    allowHosts: [`127.0.0.1:${port}`],
    resolve: async () => [{ address: answers[lookups++]!, family: 4 }],
  });
  expect(await outcomeOf(guard.dial('rebind.example', port))).toBe('connected');
  expect(lookups).toBe(1);
  expect(await outcomeOf(guard.dial('rebind.example', port))).toBe('host');
  expect(lookups).toBe(2);
  await expect.poll(connections).toBe(1);
});

test('a name with several allowed addresses is connected at the one that answers', async () => {
  const { port } = await listen();
  const guard = createGuard({ allowHosts: ['two.example'], resolve: resolvesTo('::1', '127.0.0.1') });
  const socket = await guard.dial('two.example', port);
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});

test('an exempted host may be internal, and may use any port', async () => {
  const guard = createGuard({ allowHosts: ['LocalHost', '*.Corp.example', 'db.example:5432', '[::1]:8080'] });
  expect(guard.checkUrl('http://localhost:22/')).toBeUndefined();
  expect(guard.checkUrl('http://localhost./')).toBeUndefined();
  expect(guard.checkUrl('http://a.b.corp.example:25/')).toBeUndefined();
  expect(guard.checkUrl('http://corp.example:25/')).toBe('port');
  expect(guard.checkUrl('http://evilcorp.example:25/')).toBe('port');
  expect(guard.checkUrl('http://db.example:5432/')).toBeUndefined();
  expect(guard.checkUrl('http://[::1]:8080/')).toBeUndefined();
  expect(guard.checkUrl('http://[::1]:8081/')).toBe('host');
  expect(guard.checkUrl('http://127.0.0.1/')).toBe('host');
});

test('an exempted range allows its addresses, literal or resolved, and no others', async () => {
  const { port } = await listen();
  const guard = createGuard({ allowHosts: ['127.0.0.0/8'] });
  expect(guard.checkUrl(`http://127.0.0.1:${port}/`)).toBeUndefined();
  expect(guard.checkUrl(`http://[::ffff:127.0.0.1]:${port}/`)).toBeUndefined();
  expect(guard.checkUrl('http://10.0.0.1/')).toBe('host');
  const inside = createGuard({ allowHosts: ['127.0.0.0/8'], resolve: resolvesTo('127.0.0.1') });
  expect(await outcomeOf(inside.dial('app.internal', port))).toBe('connected');
  const outside = createGuard({ allowHosts: ['127.0.0.0/8'], resolve: resolvesTo('93.184.216.34') });
  expect(await outcomeOf(outside.dial('app.internal', port))).toBe('host');
});

test.each([
  'http://x/',
  '10.0.0.0/99',
  'a b',
  '*',
  '*.',
  'host:99999',
  'host:0',
  '[::1',
  'x/y',
  '::ffff:0:0/8',
])('the exemption %s is refused at start', (entry) => {
  expect(() => createGuard({ allowHosts: [entry] })).toThrow();
});

test('a refusal has the message of an unreachable host', async () => {
  const guard = createGuard({ allowHosts: [] });
  await expect(guard.dial('127.0.0.1', 80)).rejects.toThrow(/^The address could not be reached\.$/);
});

test('a DNS lookup that never ends times out', async () => {
  const guard = createGuard({ allowHosts: [], resolve: () => new Promise(() => {}), connectTimeoutMs: 30 });
  await expect(guard.dial('slow.example', 80)).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' });
});

test('an abort ends a dial during the DNS lookup', async () => {
  const guard = createGuard({ allowHosts: [], resolve: () => new Promise(() => {}) });
  await expect(
    guard.dial('slow.example', 80, { signal: AbortSignal.abort(new Error('enough')) }),
  ).rejects.toThrow('enough');
});
