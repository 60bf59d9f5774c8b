import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { until } from '../../../test/run/until.ts';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../db/connections/connect.ts';
import { createAllowedHosts } from '../../outside/net/allow-list.ts';
import { createEgressProxy } from '../../outside/net/egress-proxy.ts';
import { createSafeFetch } from '../../outside/net/safe-fetch.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { listAllowedHosts } from '../../store/platform/allowed-host-rows.ts';
import { runCommand } from '../commands/commands.ts';
import { watchAllowedHosts } from './watch-allowed-hosts.ts';

/** A database, a process that watches it, and a command line for it. */
async function startWatching(fromSettings: string[] = []) {
  const { url, drop } = await newDatabase();
  const onError = (error: Error) => process.stderr.write(`${error.stack}\n`);
  const database = await openDatabase({ databaseUrl: url, onError });
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const hosts = createAllowedHosts(fromSettings);
  const stop = await watchAllowedHosts({ db: database.db, hosts, fromSettings, log });
  onTestFinished(async () => {
    stop();
    await database.close();
    await drop();
  });
  const env = { DATABASE_URL: url, REDPEN_ALLOW_HOSTS: fromSettings.join(',') };
  const run = (...words: string[]) =>
    runCommand(['allow-host', ...words], () => ({ config: readConfig(env), log, onProgress: () => {} }));
  return { db: database.db, hosts, lines, run };
}

async function newSite() {
  const site = createServer((_request, response) => response.end('inside')).listen(0, '127.0.0.1');
  await new Promise((resolve) => site.once('listening', resolve));
  onTestFinished(() => void site.close());
  return (site.address() as AddressInfo).port;
}

test('a running process reaches a host from when it is allowed until it is removed', async () => {
  const { hosts, lines, run } = await startWatching();
  const port = await newSite();
  const guard = createGuard({ allowHosts: hosts });
  const fetch = createSafeFetch(guard, { userAgent: 'test' });
  onTestFinished(() => fetch.close());
  const url = `http://127.0.0.1:${port}/`;
  await expect(fetch(url)).rejects.toMatchObject({ kind: 'refused-host' });

  expect(await run(`127.0.0.1:${port}`, 'Staging.Internal')).toEqual({
    exitCode: 0,
    output: `Allowed 127.0.0.1:${port}, staging.internal: in effect.\n`,
  });
  expect(guard.checkUrl(url)).toBeUndefined();
  expect(guard.checkUrl('http://staging.internal/')).toBeUndefined();
  expect(Buffer.from((await fetch(url)).body).toString()).toBe('inside');
  expect(lines.join()).toContain('allowed internal hosts changed');

  expect(await run('--remove', `127.0.0.1:${port}`)).toMatchObject({
    exitCode: 0,
    output: expect.stringContaining('No longer allowed'),
  });
  await until(() => guard.checkUrl(url) !== undefined);
  await expect(fetch(url)).rejects.toMatchObject({ kind: 'refused-host' });
  expect(guard.checkUrl('http://staging.internal/')).toBeUndefined();
});

test('a running browser proxy reaches a host as soon as it is allowed', async () => {
  const { hosts, run } = await startWatching();
  const port = await newSite();
  const guard = createGuard({ allowHosts: hosts });
  const proxy = await createEgressProxy({ guard, onDenied: () => {} });
  onTestFinished(() => proxy.close());
  await expect(guard.dial('127.0.0.1', port)).rejects.toThrow();
  const ask = async () => {
    const { request } = await import('node:http');
    const { username, password } = proxy;
    return await new Promise<number>((resolve, reject) => {
      const credentials = Buffer.from(`${username}:${password}`).toString('base64');
      request({
        host: '127.0.0.1',
        port: proxy.port,
        path: `http://127.0.0.1:${port}/`,
        headers: { 'proxy-authorization': `Basic ${credentials}` },
      })
        .on('response', (answer) => {
          answer.resume();
          resolve(answer.statusCode!);
        })
        .on('error', reject)
        .end();
    });
  };
  expect(await ask()).toBe(403);
  expect(proxy.hasDenied('127.0.0.1', port)).toBe(true);
  await run('127.0.0.1');
  await until(() => guard.checkUrl(`http://127.0.0.1:${port}/`) === undefined);
  expect(await ask()).toBe(200);
  expect(proxy.hasDenied('127.0.0.1', port)).toBe(false);
});

test('without the setting, the list has no notice about it', async () => {
  const { run } = await startWatching();
  expect(await run()).toEqual({ exitCode: 0, output: 'HOST  ALLOWED BY  SINCE\n' });
});

test('the list names the source of each host, and hosts of the setting cannot be removed', async () => {
  const { hosts, run } = await startWatching(['10.0.0.0/8']);
  await run('a.internal,b.internal');
  const { output, notice } = await run();
  expect(notice).toContain('REDPEN_ALLOW_HOSTS is read from the environment of this command');
  expect(output).toMatch(/^HOST +ALLOWED BY +SINCE$/m);
  expect(output).toMatch(/^10\.0\.0\.0\/8 +REDPEN_ALLOW_HOSTS$/m);
  expect(output).toMatch(/^a\.internal +allow-host +20\d\d-/m);
  await until(() => hosts.allowsName('b.internal', 80));
  const guard = createGuard({ allowHosts: hosts });
  expect(guard.checkUrl('http://10.1.2.3/')).toBeUndefined();
  expect(await run('--remove', '10.0.0.0/8')).toEqual({
    exitCode: 1,
    output: '10.0.0.0/8 is allowed by REDPEN_ALLOW_HOSTS: change that and restart the service.\n',
  });
});

test.each([
  [['http://127.0.0.1:8090/']],
  [['127.0.0.1:99999']],
  [['good.internal', '10.0.0.0/99']],
  [['--remove']],
  [['--remove', 'unknown.internal']],
  [[',']],
  [['x'.repeat(301)]],
])('allow-host %j is refused and changes nothing', async (words) => {
  const { db, run } = await startWatching();
  const outcome = await run(...words);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.output).toMatch(/^\S.+\.\n$/);
  expect(await listAllowedHosts(db)).toEqual([]);
});

test('an invalid entry in the database is ignored with a warning, and the others apply', async () => {
  const { db, hosts, lines } = await startWatching();
  await db
    .insertInto('allowedHosts')
    .values([
      { entry: 'http://invalid/', createdAt: 1, inForceAt: null },
      { entry: 'valid.internal', createdAt: 1, inForceAt: null },
    ])
    .execute();
  await until(() => hosts.allowsName('valid.internal', 80));
  expect(lines.filter((line) => line.includes('ignored unreadable entries'))).toHaveLength(1);
});
