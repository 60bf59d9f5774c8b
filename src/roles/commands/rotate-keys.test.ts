import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { atEnd } from '../../../test/run/at-end.ts';
import { testLog as log } from '../../../test/run/log-watch.ts';
import { until } from '../../../test/run/until.ts';
import { readConfig } from '../../config.ts';
import { type Database, openDatabase } from '../../db/connections/connect.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import { type ChangingKeyring, createKeyring, type Keyring, keyIdOf } from '../../lib/crypto.ts';
import { readLink, signedQuery } from '../../lib/links/signed-links.ts';
import { agreeOnKey, checkKeyring, listKeyChecks, underRotationLock } from '../../store/keys/key-checks.ts';
import { tokenBinding } from '../../store/platform/api-keys.ts';
import { createWorkspace, insertNewToken } from '../../store/platform/create-workspace.ts';
import { getWorkspace, workspaceTokenBinding } from '../../store/platform/workspaces.ts';
import { holdKeys } from '../setup/hold-keys.ts';
import { keyLines, keyPathOf, keySourceOf } from '../setup/keyring.ts';
import { rotateKeys } from './rotate-keys.ts';

const folders: string[] = [];
const newFolder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'redpen-rotate-')));
  return folders.at(-1)!;
};
let database: Database;
let db: Db;

beforeAll(async () => {
  const { url, drop } = await newDatabase();
  atEnd(drop);
  database = await openDatabase({ databaseUrl: url, onError: () => {} });
  db = database.db;
});

afterAll(async () => {
  await database.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A data folder with a key of its own, in a database that knows no other. */
async function newService() {
  const dataDir = newFolder();
  await db.deleteFrom('keyChecks').execute();
  await db.deleteFrom('keyHolders').execute();
  await db.deleteFrom('workspaces').execute();
  await db.deleteFrom('apiKeyTokens').execute();
  const config = readConfig({ REDPEN_DATA_DIR: dataDir });
  const hold = () => holdKeys({ db, config, dataDir, log, isAlone: false });
  return { dataDir, config, hold };
}

const makeWorkspace = (keyring: Keyring) =>
  db
    .transaction()
    .execute((tx) =>
      createWorkspace(tx, keyring, { ownerEmail: `${randomBytes(8).toString('hex')}@example.com` }, 'paid'),
    );

const tokenOf = async (keyring: Keyring, workspaceId: string) =>
  keyring.open((await getWorkspace(db, workspaceId))!.tokenSealed, workspaceTokenBinding(workspaceId));

const keysIn = (dataDir: string) => readFileSync(keyPathOf(dataDir), 'utf8').trim().split('\n');

const contentOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

test('while two processes write and read, one command makes a new key and forgets the earlier one', async () => {
  const { dataDir, config, hold } = await newService();
  const processes = [await hold(), await hold()];
  const [earlier] = keysIn(dataDir);
  const first = await makeWorkspace(processes[0]!.keyring);
  const target = { apiKeyId: 'key_1', id: 'art_1', purpose: 'artifact' as const };
  const link = Object.fromEntries(
    new URLSearchParams(signedQuery(processes[0]!.keyring, target, Date.now() + 3_600_000)),
  );

  let isOver = false;
  const made: string[] = [];
  // Each process seals, and the other one opens.
  const work = async (own: Keyring, other: Keyring) => {
    while (!isOver || made.length < 4) {
      const { id, authToken } = await makeWorkspace(own);
      expect(await tokenOf(other, id)).toBe(authToken);
      expect(await tokenOf(own, first.id)).toBe(first.authToken);
      expect(readLink(other, target.id, link)).toEqual(target);
      made.push(id);
      await pause(5);
    }
  };
  const [a, b] = processes.map(({ keyring }) => keyring) as [Keyring, Keyring];
  const working = Promise.all([work(a, b), work(b, a)]);
  const said = await rotateKeys({ db, config }, { isNew: true, onProgress: () => {} });
  isOver = true;
  await working;

  expect(said).toContain('has this key alone now');
  const [next, ...others] = keysIn(dataDir);
  expect([others, next === earlier]).toEqual([[], false]);
  expect(statSync(keyPathOf(dataDir)).mode & 0o777).toBe(0o600);
  // Backups from before need the earlier key.
  const stored = `${keyPathOf(dataDir)}.earlier-${keyIdOf(Buffer.from(earlier!, 'base64'))}`;
  expect(said).toContain(`The earlier key is in ${stored}. Backups from before need it`);
  expect(readFileSync(stored, 'utf8')).toBe(`${earlier}\n`);
  expect(statSync(stored).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir).map((name) => join(dataDir, name))).toEqual([keyPathOf(dataDir), stored]);
  expect(a.currentKeyId).toBe(b.currentKeyId);
  expect((await listKeyChecks(db)).map(({ keyId }) => keyId)).toEqual([a.currentKeyId]);
  // Links of before stay valid, also after the file has been read again.
  await Promise.all(processes.map(({ refresh }) => refresh()));
  for (const { keyring } of processes) expect(readLink(keyring, target.id, link)).toEqual(target);
  await Promise.all(processes.map(({ stop }) => stop()));
  // A later start has the new key alone, and opens everything.
  const later = await hold();
  for (const id of [first.id, ...made]) expect(await tokenOf(later.keyring, id)).toMatch(/^wsat_/);
  expect(readLink(later.keyring, target.id, link)).toBeUndefined();
  await later.stop();
});

test('a rotation that ends at any statement leaves everything readable, and goes on with the same key', async () => {
  const { dataDir, config, hold } = await newService();
  const before = await hold();
  const workspace = await makeWorkspace(before.keyring);
  const [row] = await db
    .selectFrom('apiKeys')
    .select('apiKeyId')
    .where('workspaceId', '=', workspace.id)
    .execute();
  const { apiKeyId } = row!;
  await db
    .transaction()
    .execute((tx) => insertNewToken(tx, before.keyring, apiKeyId, { name: 'second', domains: [] }));
  await before.stop();
  const [earlier] = keysIn(dataDir);

  const everything = async () => {
    const service = await hold();
    expect(await tokenOf(service.keyring, workspace.id)).toBe(workspace.authToken);
    const tokens = await db.selectFrom('apiKeyTokens').selectAll().where('apiKeyId', '=', apiKeyId).execute();
    for (const { tokenSealed, tokenHash } of tokens)
      expect(service.keyring.open(tokenSealed, tokenBinding(apiKeyId, tokenHash))).toMatch(/^akt_/);
    await service.stop();
  };
  const firstKeys = new Set<string>();
  let interruptions = 0;
  for (let left = 0; ; left += 1) {
    const ended = await rotateKeys(
      { db: endingAfter(db, left), config },
      { isNew: true, onProgress: () => {} },
    ).then(
      () => true,
      (error: Error) => {
        expect(error.message).toBe('The process was killed.');
        return false;
      },
    );
    firstKeys.add(keysIn(dataDir)[0]!);
    await everything();
    if (ended) break;
    interruptions += 1;
  }
  expect(interruptions).toBeGreaterThan(12);
  // The last interruptions fall after the end of the rotation, in the file of which the next one finds one key.
  expect(firstKeys.size).toBeLessThanOrEqual(4);
  expect(keysIn(dataDir)).toHaveLength(1);
  expect(keysIn(dataDir)[0]).not.toBe(earlier);
});

/** A database on which a number of statements and transactions succeed, and all later ones fail. */
function endingAfter(real: Db, count: number): Db {
  let left = count;
  const STARTS = ['transaction', 'selectFrom', 'deleteFrom', 'insertInto', 'updateTable'];
  return new Proxy(real, {
    get(target, name) {
      if (STARTS.includes(String(name)) && left-- <= 0) throw new Error('The process was killed.');
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('processes that lack the next key keep the earlier one sealing, and are named', async () => {
  const { dataDir, hold } = await newService();
  const service = await hold();
  const before = service.keyring.currentKeyId;
  const source = keySourceOf(readConfig({ REDPEN_DATA_DIR: dataDir }), dataDir);
  const [present] = await source.read();
  const config = readConfig({
    REDPEN_DATA_DIR: dataDir,
    REDPEN_MASTER_KEY: randomBytes(32).toString('base64'),
    REDPEN_MASTER_KEY_PREVIOUS: present!.toString('base64'),
  });
  const next = await holdKeys({ db, config, dataDir, log, isAlone: false });
  expect(next.keyring.currentKeyId).toBe(before);
  await expect(
    rotateKeys({ db, config }, { isNew: false, onProgress: () => {}, withinMs: 0 }),
  ).rejects.toThrow(/These processes do not have the master key [0-9a-f]{8} as their first one: .+:\d+\./);
  await expect(rotateKeys({ db, config }, { isNew: true, onProgress: () => {} })).rejects.toThrow(
    'Set REDPEN_MASTER_KEY to it and REDPEN_MASTER_KEY_PREVIOUS to the present one',
  );
  await service.stop();
  // Its last process has ended, so the next key seals.
  await until(async () => {
    await next.refresh();
    return next.keyring.currentKeyId !== before;
  });
  // A process with the earlier key alone could not open what is sealed now.
  await expect(hold()).rejects.toThrow('which is not configured');
  await next.stop();
});

test('one rotation at a time goes on, with or without a new key', async () => {
  const { dataDir, config, hold } = await newService();
  await (await hold()).stop();
  const before = keysIn(dataDir);
  await underRotationLock(db, 'the master key', async () => {
    for (const isNew of [true, false])
      await expect(rotateKeys({ db, config }, { isNew, onProgress: () => {} })).rejects.toThrow(
        'Another rotation of the master key is going on: wait for it, or end it.',
      );
  });
  expect(keysIn(dataDir)).toEqual(before);
  await rotateKeys({ db, config }, { isNew: false, onProgress: () => {} });
});

test.each([
  ['writes', (path: string, earlier: string) => writeFileSync(path, `${earlier}\n`)],
  ['empties', (path: string) => writeFileSync(path, '')],
  ['removes', (path: string) => rmSync(path)],
])(
  'a file that something else %s during a rotation stays as it is, and no key is lost',
  async (_what, change) => {
    const { dataDir, config, hold } = await newService();
    await (await hold()).stop();
    const [earlier] = keysIn(dataDir);
    const processId = randomBytes(8).toString('hex');
    const id = keyIdOf(Buffer.from(earlier!, 'base64'));
    await db
      .insertInto('keyHolders')
      .values({
        processId,
        place: 'elsewhere:2',
        keyIds: json([id]),
        sealing: id,
        seenAt: sql<Date>`clock_timestamp() + interval '1 hour'`,
      })
      .execute();
    let made: string | undefined;
    let changed: string | undefined;
    let ending: Promise<unknown> | undefined;
    const onProgress = (line: string) => {
      if (!line.startsWith('Waiting')) return;
      [made] = keysIn(dataDir);
      change(keyPathOf(dataDir), earlier!);
      changed = contentOf(keyPathOf(dataDir));
      ending = db.deleteFrom('keyHolders').where('processId', '=', processId).execute();
    };
    const error = await rotateKeys({ db, config }, { isNew: true, onProgress }).catch(
      (thrown: Error) => thrown,
    );
    await ending;
    const stored = `${keyPathOf(dataDir)}.sealing-${keyIdOf(Buffer.from(made!, 'base64'))}`;
    expect(error).toMatchObject({ message: expect.stringContaining(`It is in ${stored}: put it into`) });
    expect([contentOf(keyPathOf(dataDir)), readFileSync(stored, 'utf8')]).toEqual([changed, `${made}\n`]);
    expect(statSync(stored).mode & 0o777).toBe(0o600);
    // As the error says.
    writeFileSync(keyPathOf(dataDir), keyLines([made!, earlier!].map((key) => Buffer.from(key, 'base64'))));
    const later = await hold();
    expect(keyIdOf(Buffer.from(made!, 'base64'))).toBe(later.keyring.currentKeyId);
    await later.stop();
  },
);

test('a key that leaves the file while secrets are sealed with it is an error in the log', async () => {
  const { dataDir, config, hold } = await newService();
  await (await hold()).stop();
  const lines: { level: number; msg: string; masterKeys?: string[] }[] = [];
  const logged = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const service = await holdKeys({ db, config, dataDir, log: logged, isAlone: false });
  const earlier = service.keyring.currentKeyId;
  writeFileSync(keyPathOf(dataDir), keyLines([randomBytes(32)]));
  await service.refresh();
  await service.refresh();
  await service.stop();
  expect(lines).toEqual([
    expect.objectContaining({
      level: 50,
      masterKeys: [earlier],
      msg: 'a master key was removed that secrets are sealed with; put it back as a further line before any process restarts',
    }),
  ]);
});

test('a source that is read again because of an unknown key has the last word on the key that seals', async () => {
  await newService();
  const keys = [randomBytes(32), randomBytes(32)] as const;
  await checkKeyring(db, createKeyring([keys[0]]));
  await checkKeyring(db, createKeyring([keys[1], keys[0]]));
  let wanted = keyIdOf(keys[0]);
  const keyring: ChangingKeyring = createKeyring([keys[0]], () => {
    keyring.hold([keys[1], keys[0]]);
    wanted = keyIdOf(keys[1]);
  });
  await agreeOnKey(db, keyring, () => wanted);
  expect(keyring.currentKeyId).toBe(keyIdOf(keys[1]));
  expect((await listKeyChecks(db))[0]).toMatchObject({ keyId: keyIdOf(keys[1]) });
});

test('a process that has died is not waited for', async () => {
  const { hold } = await newService();
  await db
    .insertInto('keyHolders')
    .values({
      processId: 'dead',
      place: 'elsewhere:1',
      keyIds: json(['00000000']),
      sealing: '00000000',
      seenAt: sql<Date>`clock_timestamp() - interval '31 seconds'`,
    })
    .execute();
  const service = await hold();
  const checks = await listKeyChecks(db);
  expect(checks.map(({ keyId }) => keyId)).toEqual([service.keyring.currentKeyId]);
  await service.stop();
});

test('a process that was cut off during a rotation seals again what it sealed with the forgotten key', async () => {
  const { config, hold } = await newService();
  const cutOff = await hold();
  // Without its row it is not waited for, as a process that cannot reach the database for a while.
  await db.deleteFrom('keyHolders').execute();
  await rotateKeys({ db, config }, { isNew: true, onProgress: () => {} });
  const { id, authToken } = await makeWorkspace(cutOff.keyring);
  await cutOff.refresh();
  await cutOff.stop();
  const later = await hold();
  expect(await tokenOf(later.keyring, id)).toBe(authToken);
  await later.stop();
});
