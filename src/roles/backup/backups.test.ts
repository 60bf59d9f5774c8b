import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../../test/service/harness.ts';
import { openArchiveStore } from '../../outside/storage/archive-store.ts';
import { backupName, createBackup, listBackups, nextBackupAt } from './backups.ts';
import { createScheduledBackups } from './scheduled-backups.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-05-04T12:00:00Z');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redpen-backups-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const openFolder = () => openArchiveStore(pathToFileURL(folder).href);
const names = async () => (await listBackups(openFolder())).map(({ name }) => name);

async function schedule(log: object[] = []) {
  const { database } = await testApp();
  return createScheduledBackups({
    connection: database.connection,
    db: database.db,
    blobs: undefined,
    store: openFolder(),
    schedule: '30 2 * * *',
    keep: 2,
    log: { info: (data) => void log.push(data) },
  });
}

test('a backup is due by the schedule in UTC, one that was missed at once, and the first one at once', () => {
  const at = (createdAt: number) => ({ name: '', bytes: 0, createdAt });
  expect(nextBackupAt('30 2 * * *', undefined, NOON)).toBe(NOON);
  expect(nextBackupAt('30 2 * * *', at(NOON), NOON)).toBe(Date.parse('2026-05-05T02:30:00Z'));
  expect(nextBackupAt('30 2 * * *', at(NOON - 3 * DAY_MS), NOON)).toBe(Date.parse('2026-05-02T02:30:00Z'));
});

test('the service writes backups when they are due, keeps the newest, and leaves other files alone', async () => {
  writeFileSync(join(folder, 'redpen-notes.tar'), 'mine');
  const log: object[] = [];
  const backups = await schedule(log);
  for (const hours of [0, 1, 24, 25, 48]) await backups.runIfDue(NOON + hours * 3_600_000);
  expect(await names()).toEqual(['redpen-2026-05-06T12-00-00Z.tar', 'redpen-2026-05-05T12-00-00Z.tar']);
  expect(readFileSync(join(folder, 'redpen-notes.tar'), 'utf8')).toBe('mine');
  expect(log).toHaveLength(3);
  expect(log[2]).toMatchObject({
    name: 'redpen-2026-05-06T12-00-00Z.tar',
    removed: ['redpen-2026-05-04T12-00-00Z.tar'],
  });
  const { deps } = await testApp();
  const entries = await deps.db
    .selectFrom('auditLog')
    .select(['actorKind', 'via'])
    .where('action', '=', 'backup.written')
    .where('targetId', '=', 'redpen-2026-05-06T12-00-00Z.tar')
    .execute();
  expect(entries).toEqual([{ actorKind: 'operator', via: 'REDPEN_BACKUP_SCHEDULE' }]);
});

test('two processes write one backup, and one that has stopped writes none', async () => {
  const [one, other] = [await schedule(), await schedule()];
  await Promise.all([one.runIfDue(NOON), other.runIfDue(NOON + 1_000)]);
  expect(await names()).toHaveLength(1);
  await one.stop();
  await one.runIfDue(NOON + 2 * DAY_MS);
  expect(await names()).toHaveLength(1);
});

test('a backup that cannot be written fails, and what was stored is read again before it counts', async () => {
  const { database } = await testApp();
  const store = openFolder();
  const name = backupName(NOON);
  const options = {
    connection: database.connection,
    blobs: undefined,
    masterKeys: undefined,
    signal: new AbortController().signal,
    onProgress: () => {},
  };
  const target = {
    write: () => store.write(name),
    read: () => store.read(name),
    remove: () => store.remove(name),
  };
  // A disk that stores other bytes than it was given.
  const read = async () => {
    const bytes = readFileSync(join(folder, name));
    bytes[bytes.length / 2]! ^= 1;
    writeFileSync(join(folder, name), bytes);
    return await store.read(name);
  };
  await expect(createBackup(options, { ...target, read })).rejects.toThrow(/damaged|hash/);
  expect(await names()).toEqual([]);

  const write = async () => {
    const written = await store.write(name);
    written.sink.destroy(new Error('ENOSPC: no space left on device'));
    return written;
  };
  await expect(createBackup(options, { ...target, write })).rejects.toThrow('ENOSPC');
  expect(await names()).toEqual([]);
});
