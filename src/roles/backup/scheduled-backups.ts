import pg from 'pg';
import { Counter, Gauge } from 'prom-client';
import type { Db } from '../../db/tables.ts';
import type { ArchiveStore } from '../../outside/storage/archive-store.ts';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import { recordForService } from '../setup/run-operation.ts';
import { backupName, createBackup, listBackups, nextBackupAt, pruneBackups } from './backups.ts';

interface Options {
  connection: pg.ClientConfig;
  db: Db;
  /** Undefined to leave stored files out. */
  blobs: BlobStore | undefined;
  store: ArchiveStore;
  /** Cron expression in UTC. */
  schedule: string;
  /** Number of backups that are kept. */
  keep: number;
  log: { info(data: object, message: string): void };
}

/** Backups that the service writes by itself. */
export interface ScheduledBackups {
  /** Writes a backup if one is due and no other process writes one. Rejects if it cannot be written. */
  runIfDue(now: number): Promise<void>;
  /** Ends a backup in progress. */
  stop(): Promise<void>;
}

const RETRY_AFTER_MS = 10 * 60_000;
/** A process learns this late of a backup that another one has written. */
const LIST_EVERY_MS = 3_600_000;

const written = new Counter({
  name: 'redpen_backups_total',
  help: 'Scheduled backups of this process, by outcome: written, failed.',
  labelNames: ['outcome'],
  registers: [],
});

const newestAt = new Gauge({
  name: 'redpen_backup_newest_timestamp_seconds',
  help: 'Time of the newest backup of REDPEN_BACKUP_URL, as this process knows it; 0 without one.',
  registers: [],
});

const newestBytes = new Gauge({
  name: 'redpen_backup_newest_bytes',
  help: 'Size of the newest backup of REDPEN_BACKUP_URL, as this process knows it.',
  registers: [],
});

const seconds = new Gauge({
  name: 'redpen_backup_duration_seconds',
  help: 'Time that the last scheduled backup of this process took, its check included.',
  registers: [],
});

export const backupMetrics = [written, newestAt, newestBytes, seconds];

export function createScheduledBackups(options: Options): ScheduledBackups {
  const { connection, db, blobs, store, schedule, keep, log } = options;
  const stopping = new AbortController();
  let working: Promise<void> | undefined;
  let nextAt = 0;

  // Each series begins at 0: an alert on an increase does not notice a series that appears with its first count.
  for (const outcome of ['written', 'failed']) written.inc({ outcome }, 0);

  const findNext = async (now: number): Promise<number> => {
    const [newest] = await listBackups(store);
    newestAt.set((newest?.createdAt ?? 0) / 1_000);
    newestBytes.set(newest?.bytes ?? 0);
    return nextBackupAt(schedule, newest, now);
  };

  const write = async (now: number): Promise<void> => {
    const began = performance.now();
    const name = backupName(now);
    const { head, end, bytes, sha256 } = await createBackup(
      { connection, blobs, masterKeys: undefined, signal: stopping.signal, onProgress: () => {} },
      { write: () => store.write(name), read: () => store.read(name), remove: () => store.remove(name) },
    );
    const removed = await pruneBackups(store, keep);
    const rows = end.tables.reduce((sum, table) => sum + table.rows, 0);
    const ms = Math.round(performance.now() - began);
    seconds.set(ms / 1_000);
    newestAt.set(head.createdAt / 1_000);
    newestBytes.set(bytes);
    const files = end.files.count;
    log.info({ name, rows, files, bytes, sha256, ms, removed }, 'backup written');
    const after = { rows, bytes, sha256, withKey: false, files, removed };
    await recordForService(db, 'REDPEN_BACKUP_SCHEDULE', { action: 'backup.written', id: name, after });
  };

  const run = async (now: number): Promise<void> => {
    // A backup of another process is known from the list, which costs a request to a bucket.
    if (now < nextAt) return;
    nextAt = now + RETRY_AFTER_MS;
    try {
      await alone(connection, async () => {
        const due = await findNext(now);
        if (due <= now) {
          await write(now);
          written.inc({ outcome: 'written' });
          nextAt = Math.min(await findNext(now), now + LIST_EVERY_MS);
        } else nextAt = Math.min(due, now + LIST_EVERY_MS);
      });
    } catch (error) {
      if (stopping.signal.aborted) return;
      written.inc({ outcome: 'failed' });
      throw error;
    }
  };

  return {
    async runIfDue(now) {
      if (stopping.signal.aborted) return;
      working = run(now);
      await working;
    },
    async stop() {
      stopping.abort(new Error('The process is stopping.'));
      await working?.catch(() => {});
    },
  };
}

/** Does the work unless another process does it. */
async function alone(connection: pg.ClientConfig, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'redpen backup' });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('redpen.scheduled_backup', 0)) as mine",
    );
    if (rows[0]!.mine) await work();
  } finally {
    await client.end();
  }
}
