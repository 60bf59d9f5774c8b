import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness.ts';
import { createServer } from './server.ts';

const REQUEST = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n';

test('a stop answers what is on its way, asks to close, and lets nobody new in', async () => {
  const { deps, authenticator } = await testApp();
  const probes = { readiness: async () => ({ faults: [], warnings: [] }) };
  const app = await createServer({
    deps,
    endpoints: [],
    files: [],
    probes,
    authenticator,
    askToCloseMs: 3_000,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const [late, idle, fresh] = [await open(), await open(), await open()];
  for (const socket of [late, idle]) {
    socket.write(REQUEST);
    await once(socket, 'data');
  }

  const closing = app.close();
  while (app.server.listening) await setImmediate();
  for (const socket of [late, fresh]) {
    socket.write(REQUEST);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n.*\{"status":"ok".*\}$/is);
  }
  const [refused] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
  expect(refused.code).toBe('ECONNREFUSED');
  const ended = once(idle, 'close');
  await closing;
  await ended;
});
