import { sql } from 'kysely';
import type { StorageFaults } from '../lib/storage-faults.ts';
import { isOutOfSpace, isUnavailable, wordsOfSpace } from './faults.ts';
import type { Db } from './tables.ts';

export interface StorageProbe {
  /** Looks at what failed: where the database takes no writes, that is a fault of storage until it does. */
  note(error: unknown): void;
  /** False while it tries, and until a fault has ended. */
  isIdle(): boolean;
  stop(): void;
}

interface ProbeOptions {
  db: Db;
  faults: StorageFaults;
  log: { error(data: object, message: string): void; info(data: object, message: string): void };
  /** Writes a little and takes it back. Throws what keeps it from that. */
  tryWriting?: (db: Db) => Promise<void>;
  everyMs?: number;
}

const PROBE_EVERY_MS = 5_000;
const PLACE = 'database';

/** A table of its own must grow, which a row in a page with room for it does not tell. */
export async function writeAndTakeBack(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`create temporary table redpen_space_probe on commit drop as
      select generate_series(1, 20000) as number`.execute(tx);
  });
}

/** Finds out whether a database that refused a write goes on refusing them, and when that ends. */
export function createStorageProbe({
  db,
  faults,
  log,
  tryWriting = writeAndTakeBack,
  everyMs = PROBE_EVERY_MS,
}: ProbeOptions): StorageProbe {
  let isProbing = false;
  let isAtFault = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const probe = async () => {
    try {
      await tryWriting(db);
    } catch (error) {
      if (isOutOfSpace(error)) {
        faults.set(PLACE, wordsOfSpace(error));
        if (!isAtFault) log.error({ err: error }, 'database takes no writes: they are refused');
        isAtFault = true;
        return;
      }
      // A database that cannot be reached is another fault, and tells nothing of this one.
      if (isUnavailable(error)) return;
      throw error;
    }
    faults.set(PLACE, undefined);
    if (isAtFault) log.info({}, 'database takes writes again');
    isAtFault = false;
  };
  const again = async (): Promise<void> => {
    isProbing = true;
    await probe().catch((error: unknown) =>
      log.error({ err: error }, 'whether the database takes writes is not known'),
    );
    if (isAtFault && !stopped) {
      timer = setTimeout(() => void again(), everyMs);
      timer.unref();
    } else isProbing = false;
  };
  return {
    note(error) {
      if (isProbing || stopped || !isOutOfSpace(error)) return;
      void again();
    },
    isIdle: () => !isProbing,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
