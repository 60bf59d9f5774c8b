import type { Readable } from 'node:stream';
import { Cron } from 'croner';
import type { ArchiveStore } from '../../outside/storage/archive-store.ts';
import { BadBackup } from './archive.ts';
import { checkBackup } from './restore-backup.ts';
import { type BackupOptions, type WrittenBackup, writeBackup } from './write-backup.ts';

/** A backup in a store. */
export interface StoredBackup {
  name: string;
  bytes: number;
  /** Epoch milliseconds, from the name. */
  createdAt: number;
}

/** The name of a backup that begins now: its time in UTC, to the second. */
export const backupName = (now: number): string =>
  `redpen-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar`;

const NAME = /^redpen-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar$/;

/** The backups of a store, newest first. Other files there are left out. */
export async function listBackups(store: ArchiveStore): Promise<StoredBackup[]> {
  const backups = (await store.list()).flatMap(({ name, bytes }) => {
    const [, day, hour, minute, second] = NAME.exec(name) ?? [];
    const createdAt = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
    return Number.isNaN(createdAt) ? [] : [{ name, bytes, createdAt }];
  });
  return backups.toSorted((a, b) => b.createdAt - a.createdAt);
}

/** Where a backup is written to and read from again. */
export interface BackupTarget {
  write: () => ReturnType<ArchiveStore['write']>;
  read: () => Promise<Readable>;
}

/**
 * Writes a backup, and reads it again to check that what is stored is what was written. Rejects, and leaves nothing, if
 * either fails.
 */
export async function createBackup(
  options: Omit<BackupOptions, 'sink'>,
  target: BackupTarget & { remove: () => Promise<void> },
): Promise<WrittenBackup> {
  const { sink, finish, discard } = await target.write();
  let written: WrittenBackup;
  try {
    written = await writeBackup({ ...options, sink });
    await finish();
  } catch (error) {
    await discard();
    throw error;
  }
  options.onProgress('Checking what was written.');
  try {
    const { end } = await checkBackup(await target.read());
    if (JSON.stringify(end) !== JSON.stringify(written.end)) throw new BadBackup('It is another backup.');
  } catch (error) {
    await target.remove();
    throw error;
  }
  return written;
}

/** Removes all but the newest `keep` backups, and returns the names of those removed. */
export async function pruneBackups(store: ArchiveStore, keep: number): Promise<string[]> {
  const old = (await listBackups(store)).slice(keep).map(({ name }) => name);
  for (const name of old) await store.remove(name);
  return old;
}

/** When the next backup is due, in epoch milliseconds: now, if there is none. The schedule is a cron expression in UTC. */
export function nextBackupAt(schedule: string, newest: StoredBackup | undefined, now: number): number {
  if (newest === undefined) return now;
  const cron = new Cron(schedule, { timezone: 'UTC', paused: true });
  return cron.nextRun(new Date(newest.createdAt))?.getTime() ?? Number.POSITIVE_INFINITY;
}
