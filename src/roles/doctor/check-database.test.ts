import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { insertLines, insertRun } from '../../../test/reviews/log-lines.ts';
import { readConfig } from '../../config.ts';
import { createKeyring } from '../../lib/crypto.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { createApiKey } from '../../store/platform/create-api-key.ts';
import { createWorkspace } from '../../store/platform/create-workspace.ts';
import { createEndpoint } from '../../store/webhooks/endpoints.ts';
import { checkClock, createClocks } from './check-clock.ts';
import { checkDatabase, checkExtension, isBehindProxy, type Opened, openForCheck } from './check-database.ts';
import { checkWebhooks } from './check-webhooks.ts';

const { signal } = new AbortController();

async function openAt(url: string): Promise<Extract<Opened, { kind: 'open' }>> {
  const opened = await openForCheck(readConfig({ DATABASE_URL: url }));
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
  return opened;
}

async function openNewDatabase(options: Parameters<typeof newDatabase>[0] = {}) {
  const { url, drop } = await newDatabase(options);
  onTestFinished(drop);
  const opened = await openAt(url);
  onTestFinished(() => opened.database.close());
  return { url, opened };
}

test('a server is described with version, encoding and size, and its clock is compared', async () => {
  const { opened } = await openNewDatabase();
  const clocks = createClocks();
  expect(await checkDatabase(opened, clocks)).toMatchObject({
    status: 'ok',
    found: expect.stringMatching(
      /^PostgreSQL \d+\S* \(DATABASE_URL\), UTF8, \d+ MB\. All migrations have run\.$/,
    ),
  });
  expect(checkClock(clocks, 0)).toMatchObject({
    status: 'ok',
    found: 'The clock agrees with the database server.',
  });
  const extension = await checkExtension(opened);
  if (extension.found.endsWith('is enabled.')) expect(extension.status).toBe('ok');
  else {
    expect(extension).toMatchObject({
      status: 'skipped',
      found: expect.stringMatching(/only needed beyond 100,000 judgments of one API key/),
    });
  }
});

test('lines of logs that no week takes are a warning', async () => {
  const { opened } = await openNewDatabase();
  const { db } = opened.database;
  await insertLines(db, await insertRun(db, Date.now() + 400 * 86_400_000), 1);
  expect(await checkDatabase(opened, createClocks())).toMatchObject({
    status: 'warning',
    found: expect.stringContaining('execution_log_default has 1 line, which no week takes.'),
  });
});

test.each([
  ['postgres://db/redpen', 5432, false],
  ['postgres://db:6432/redpen', 5432, true],
  ['postgres://db/redpen', 5433, true],
  // A Unix socket has no port.
  ['postgres:///redpen?host=/run/postgresql', null, false],
  ['postgres://db:6432/redpen', null, false],
  [undefined, 5432, false],
])('the URL %s of a server with the port %s goes through a proxy: %s', (url, port, expected) => {
  expect(isBehindProxy(url, port)).toBe(expected);
});

test('pending migrations are reported, and not run', async () => {
  const { opened } = await openNewDatabase({ empty: true });
  for (let times = 0; times < 2; times++)
    expect(await checkDatabase(opened, createClocks())).toMatchObject({
      status: 'warning',
      found: expect.stringMatching(/\d+ migrations have not run/),
    });
  expect(['ok', 'skipped']).toContain((await checkExtension(opened)).status);
  expect(await checkWebhooks(opened.database, createGuard({ allowHosts: [] }), signal)).toMatchObject({
    status: 'skipped',
  });
});

test('a database with another encoding fails the check', async () => {
  const { opened } = await openNewDatabase({ empty: true, encoding: 'LATIN1' });
  expect(await checkDatabase(opened, createClocks())).toMatchObject({
    status: 'failed',
    advice: expect.stringContaining('UTF8'),
  });
});

test('an unreachable server is reported with its address and without its password', async () => {
  const opened = await openForCheck(
    readConfig({ DATABASE_URL: 'postgres://me:hunter22@127.0.0.1:1/redpen' }),
  );
  const finding = await checkDatabase(opened, createClocks());
  expect(finding).toMatchObject({
    status: 'failed',
    found: expect.stringContaining('DATABASE_URL'),
    advice: expect.stringContaining('postgres://127.0.0.1:1/redpen'),
  });
  expect(JSON.stringify(finding)).not.toContain('hunter22');
  expect(await checkExtension(opened)).toMatchObject({ status: 'skipped' });
});

test('a missing data folder is not created', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'check-database-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const opened = await openForCheck(readConfig({ REDPEN_DATA_DIR: join(folder, 'none') }));
  expect(opened).toEqual({ kind: 'none', dataDir: join(folder, 'none') });
  expect(await checkDatabase(opened, createClocks())).toMatchObject({
    status: 'skipped',
    found: expect.stringContaining('REDPEN_DATA_DIR'),
  });
});

/** A server that counts connections and the bytes that it receives. */
async function startReceiver() {
  const received = { connections: 0, bytes: 0 };
  const server = createServer((socket) => {
    received.connections++;
    socket.on('error', () => {}).on('data', (data) => (received.bytes += data.length));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { received, port: (server.address() as AddressInfo).port };
}

test('hosts of enabled endpoints are connected through the guard, and receive no bytes', async () => {
  const { opened } = await openNewDatabase();
  const { db } = opened.database;
  const { received, port } = await startReceiver();
  const keyring = createKeyring([randomBytes(32)]);
  const owner = { ownerEmail: 'owner@example.com' };
  const scope = await db.transaction().execute(async (tx) => {
    const { id: workspaceId } = await createWorkspace(tx, keyring, owner, 'free');
    const request = { ...owner, type: 'testing' as const, createAuthToken: true };
    return { workspaceId, apiKeyId: await createApiKey(tx, keyring, { workspaceId }, request) };
  });
  const add = (url: string, disabled = false) =>
    db
      .transaction()
      .execute((tx) =>
        createEndpoint(tx, keyring, scope, { url, disabled }, { secret: 'whsec_present', max: 10 }),
      );
  const resolve = async (hostname: string) => {
    if (hostname === 'gone.example')
      throw Object.assign(new Error('ENOTFOUND gone.example'), { code: 'ENOTFOUND' });
    return [{ address: '127.0.0.1', family: 4 }];
  };
  const check = (allowHosts: string[]) =>
    checkWebhooks(opened.database, createGuard({ allowHosts, resolve }), signal);

  expect(await check([])).toMatchObject({ status: 'skipped', found: 'No webhook endpoint is enabled.' });
  await add(`http://receiver.example:${port}/hook?token=hunter22`);
  await add(`http://receiver.example:${port}/other`);
  await add('http://off.example/', true);
  expect(await check(['receiver.example'])).toMatchObject({
    status: 'ok',
    found: '1 of 1 hosts of webhook endpoints can be reached.',
  });
  expect(received).toEqual({ connections: 1, bytes: 0 });

  const refused = await check([]);
  expect(refused).toMatchObject({
    status: 'warning',
    found: expect.stringContaining(`http://receiver.example:${port} is blocked`),
    advice: expect.stringMatching(/REDPEN_ALLOW_HOSTS.*redpen allow-host receiver\.example:\d+/),
  });
  expect(JSON.stringify(refused)).not.toContain('hunter22');
  expect(received.connections).toBe(1);

  await add('https://gone.example/');
  expect(await check(['receiver.example'])).toMatchObject({
    status: 'warning',
    found: expect.stringMatching(/^1 of 2 hosts .* https:\/\/gone\.example cannot be reached: ENOTFOUND/),
  });
  // The receiver does not use TLS.
  await add(`https://receiver.example:${port}/`);
  expect(
    await checkWebhooks(
      opened.database,
      createGuard({ allowHosts: ['receiver.example'], resolve }),
      AbortSignal.abort(),
    ),
  ).toMatchObject({
    status: 'warning',
  });
});
