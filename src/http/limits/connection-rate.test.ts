import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { limitConnectionRate } from './connection-rate.ts';

async function serve(perSecond: number, trusted: string[]) {
  const server = createServer((_request, response) => response.end('well'));
  limitConnectionRate(server, perSecond, trusted);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** Resolves with true if a new connection from the address is answered. */
  return (localAddress: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      socket.on('error', () => resolve(false));
      socket.once('data', () => {
        resolve(true);
        socket.destroy();
      });
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    });
}

test('an address that opens too many connections is dropped, and others are answered', async () => {
  const isAnswered = await serve(20, []);
  const flood = await Promise.all(Array.from({ length: 200 }, () => isAnswered('127.0.0.2')));
  expect(flood).toContain(true);
  expect(flood).toContain(false);
  expect(await isAnswered('127.0.0.3')).toBe(true);
});

test('a trusted proxy is not limited', async () => {
  const isAnswered = await serve(1, ['127.0.0.2/32']);
  const all = await Promise.all(Array.from({ length: 50 }, () => isAnswered('127.0.0.2')));
  expect(all).not.toContain(false);
});

test('a dropped connection that is already broken causes no error', async () => {
  const server = createServer();
  limitConnectionRate(server, 1, []);
  const broken = () => Object.defineProperty(new Socket(), 'remoteAddress', { value: '127.0.0.2' });
  server.emit('connection', broken());
  const dropped = broken();
  // An unhandled error event would fail the run.
  const closed = new Promise((resolve) => dropped.once('close', resolve));
  server.emit('connection', dropped);
  await closed;
  expect(dropped.destroyed).toBe(true);
});
