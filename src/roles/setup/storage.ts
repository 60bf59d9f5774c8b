import { Counter, Gauge } from 'prom-client';
import { createStorageQuota } from '../../access/storage-quota.ts';
import { type FaultLog, logFault } from '../../db/log-fault.ts';
import { createStorageProbe } from '../../db/storage-probe.ts';
import type { Db } from '../../db/tables.ts';
import type { Storage } from '../../deps.ts';
import { ApiError } from '../../lib/errors.ts';
import { createStorageFaults } from '../../lib/storage-faults.ts';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import { type DiskPlace, type DiskSize, watchDisk } from '../../outside/storage/watch-disk.ts';
import { listLargest } from '../../store/platform/stored-bytes.ts';

interface StorageOptions {
  db: Db;
  places: readonly DiskPlace[];
  reserveMb: number;
  /** Quota of an API key in bytes. */
  limitBytes: number | undefined;
  /** True to add up writes between two counts even without a quota. */
  isCounting?: boolean;
  log: FaultLog & { info(data: object, message: string): void };
  /** Faults that the database reports and clears itself. */
  faultsOfDatabase?: () => string[];
  measure?: (folder: string) => Promise<DiskSize>;
}

const RETRY_AFTER_SECONDS = 10;
/** Number of API keys in the metrics, which must stay small. */
const MAX_LISTED = 20;

/** Monitors whether data can be stored, and how much each API key stores. */
export async function createStorage(options: StorageOptions): Promise<Storage> {
  const { db, limitBytes, isCounting, log } = options;
  const faults = createStorageFaults();
  const disk = await watchDisk({ ...options, faults });
  const probe = createStorageProbe({ db, faults, log });
  const quota = createStorageQuota({
    db,
    limitBytes,
    ...(isCounting !== undefined && { isCounting }),
    onError(error) {
      probe.note(error);
      logFault(log, error, 'stored bytes cannot be read or written');
    },
  });
  await quota.refresh();
  const refused = new Counter({
    name: 'redpen_writes_refused_total',
    help: 'Writes refused because nothing can be stored (storage), or because the API key has reached its quota (quota).',
    labelNames: ['reason'],
    registers: [],
  });
  // An alert on an increase does not see a series that appears with its first count.
  for (const reason of ['storage', 'quota']) refused.inc({ reason }, 0);
  return {
    faults: faults.list,
    onChange: faults.onChange,
    quota,
    requireRoom(apiKeyId, bytes) {
      const [fault] = faults.list();
      if (fault !== undefined) {
        refused.inc({ reason: 'storage' });
        throw new ApiError('UNAVAILABLE', fault, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      if (apiKeyId === undefined) return;
      try {
        quota.requireRoom(apiKeyId, bytes);
      } catch (error) {
        refused.inc({ reason: 'quota' });
        throw error;
      }
    },
    note(error) {
      if ((options.faultsOfDatabase?.() ?? []).length === 0) probe.note(error);
    },
    metrics: [
      refused,
      disk.metric,
      new Gauge({
        name: 'redpen_stored_bytes',
        help: `Bytes stored by an API key, for the ${MAX_LISTED} largest.`,
        labelNames: ['api_key'],
        registers: [],
        async collect() {
          this.reset();
          for (const { apiKeyId, bytes } of await listLargest(db, MAX_LISTED)) {
            this.set({ api_key: apiKeyId }, bytes);
          }
        },
      }),
    ],
    look: disk.look,
    async stop() {
      disk.stop();
      probe.stop();
      await quota.stop();
    },
  };
}

/** A blob store that counts bytes for the API key in the name of a blob. */
export const countingBlobs = (blobs: BlobStore, { quota }: Pick<Storage, 'quota'>): BlobStore => ({
  ...blobs,
  async put(key, bytes, mimeType) {
    await blobs.put(key, bytes, mimeType);
    const apiKeyId = key.replace(/^(knowledge|attachments)\//, '').split('/', 1)[0]!;
    quota.count(apiKeyId, bytes.length);
  },
});
