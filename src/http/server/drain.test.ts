import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/service/harness.ts';
import { createServer } from './server.ts';

const REQUEST = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n';

async function startServer(askToCloseMs: number) {
  const { deps, authenticator } = await testApp();
  const probes = { readiness: async () => ({ faults: [], warnings: [] }) };
  const app = await createServer({ deps, endpoints: [], files: [], probes, authenticator, askToCloseMs });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const used = async () => {
    const socket = await open();
    socket.write(REQUEST);
    await once(socket, 'data');
    return socket;
  };
  return { app, port, open, used };
}

test('a stop answers requests in flight, asks clients to close, and accepts no new connections', async () => {
  const { app, port, open, used } = await startServer(120_000);
  const [late, fresh] = [await used(), await open()];
  const closing = app.close();
  while (app.server.listening) await setImmediate();
  for (const socket of [late, fresh]) {
    socket.write(REQUEST);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n.*\{"status":"ok".*\}$/is);
  }
  const [refused] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
  expect(refused.code).toBe('ECONNREFUSED');
  // Both clients were asked to close, so the stop ends at once.
  await closing;
});

test('a stop closes idle connections after a delay', async () => {
  const { app, used } = await startServer(50);
  const ended = once(await used(), 'close');
  await app.close();
  await ended;
});
