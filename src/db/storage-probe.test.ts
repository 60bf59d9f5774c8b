import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../test/database/new-database.ts';
import { until } from '../../test/run/until.ts';
import { createStorageFaults } from '../lib/storage-faults.ts';
import { openDatabase } from './connections/connect.ts';
import { createStorageProbe, writeAndRollBack } from './storage-probe.ts';

const refusal = (code: string) => Object.assign(new Error(code), { code });

async function openAs(url: string) {
  const database = await openDatabase({ databaseUrl: url, onError: () => {} });
  onTestFinished(() => database.close());
  return database.db;
}

function collect() {
  const lines: string[] = [];
  return {
    lines,
    log: {
      error: (_: object, message: string) => void lines.push(message),
      info: (_: object, message: string) => void lines.push(message),
    },
  };
}

test('a read-only database is a fault until it accepts a write', async () => {
  const { url } = await newDatabase();
  const db = await openAs(url);
  const faults = createStorageFaults();
  const { lines, log } = collect();
  let isReadOnly = true;
  const probe = createStorageProbe({
    db,
    faults,
    log,
    everyMs: 10,
    async tryWriting(on) {
      if (!isReadOnly) return await writeAndRollBack(on);
      await on
        .transaction()
        .setAccessMode('read only')
        .execute((tx) => sql`create temporary table probe as select 1 as one`.execute(tx));
    },
  });
  onTestFinished(probe.stop);
  probe.note(refusal('25006'));
  await until(() => faults.list().length > 0, 'the fault');
  expect(faults.list()).toEqual([
    'The database is read-only, as after a failover or on a disk that is nearly full: nothing is written until it is not, and reads go on.',
  ]);
  isReadOnly = false;
  await until(() => faults.list().length === 0, 'its end');
  await until(() => lines.length === 2, 'the log');
  expect(lines).toEqual(['the database refuses writes', 'the database accepts writes again']);
});

test('a single statement out of space is not a fault if the next write succeeds, and other errors start no probe', async () => {
  const { url } = await newDatabase();
  const db = await openAs(url);
  const faults = createStorageFaults();
  const { lines, log } = collect();
  let tries = 0;
  const probe = createStorageProbe({
    db,
    faults,
    log,
    async tryWriting(on) {
      tries += 1;
      await writeAndRollBack(on);
    },
  });
  onTestFinished(probe.stop);
  probe.note(refusal('23505'));
  expect(tries).toBe(0);
  probe.note(refusal('53100'));
  expect(tries).toBe(1);
  await until(() => probe.isIdle(), 'the end of the try');
  expect([faults.list(), lines]).toEqual([[], []]);
});

test('a full disk of a server stays a fault while the server cannot be reached', async () => {
  const faults = createStorageFaults();
  const { log } = collect();
  let next: Error | undefined = refusal('53100');
  let tries = 0;
  const probe = createStorageProbe({
    db: undefined as never,
    faults,
    log,
    everyMs: 5,
    async tryWriting() {
      tries += 1;
      if (next) throw next;
    },
  });
  onTestFinished(probe.stop);
  probe.note(refusal('53100'));
  await until(() => faults.list().length > 0, 'the fault');
  expect(faults.list()).toEqual([
    'The disk of the database is full: nothing is written until there is space.',
  ]);
  next = refusal('ECONNREFUSED');
  const before = tries;
  await until(() => tries > before + 2, 'further tries');
  expect(faults.list()).toHaveLength(1);
  next = undefined;
  await until(() => faults.list().length === 0, 'its end');
});
