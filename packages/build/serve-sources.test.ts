import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository, SCRIPTS } from './settings.ts';

let address: string;

/** A service that answers with what it was asked. */
const service = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ url: request.url, host: request.headers.host }));
});

let child: ChildProcess | undefined;

beforeAll(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const of = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const build = join(repository, 'packages/build.ts');
  const watcher = spawn(process.execPath, [build, '--watch', of, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child = watcher;
  let output = '';
  address = await new Promise((resolve, reject) => {
    watcher.stdout.on('data', (chunk) => {
      output += chunk;
      const found = /^The console of (\S+) is at (\S+\/console\/) /m.exec(output);
      if (found?.[1] === of) resolve(found[2]!);
    });
    watcher.once('exit', (code) => reject(new Error(`It ended with ${code}: ${output}`)));
  });
});
afterAll(() => {
  child?.kill('SIGKILL');
  service.close();
  service.closeAllConnections();
});

const get = async (path: string) => {
  const response = await fetch(new URL(path, address));
  return {
    type: response.headers.get('content-type'),
    text: await response.text(),
    headers: response.headers,
  };
};

test('the console comes from its sources at every address', async () => {
  expect(new URL(address).hostname).toBe('127.0.0.1');
  for (const path of ['/console/', '/console/runs/1'])
    expect((await get(path)).text).toContain('/console/src/main.tsx');
  expect(await get('/console/src/main.tsx')).toMatchObject({
    type: expect.stringContaining('javascript'),
    text: expect.stringContaining('react'),
  });
});

test('everything else comes from the service, which sees the address of the console as its own', async () => {
  const { host } = new URL(address);
  for (const url of ['/health', '/v2/session/get?x=1', '/', '/consoles', '/docs'])
    expect(JSON.parse((await get(url)).text)).toEqual({ url, host });
});

test('scripts for pages of others come from their sources', async () => {
  for (const [name, source] of SCRIPTS) {
    const { text, headers } = await get(`/client/${name}.js`);
    expect(text).toBe(`export * from '/console/@fs${source}';\n`);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect((await get(`/console/@fs${source}`)).type).toContain('javascript');
  }
});
