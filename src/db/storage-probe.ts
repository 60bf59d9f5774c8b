import { sql } from 'kysely';
import type { StorageFaults } from '../lib/storage-faults.ts';
import { isOutOfSpace, isUnavailable, outOfSpaceMessage } from './database-errors.ts';
import type { Db } from './tables.ts';

export interface StorageProbe {
  /**
   * If the error says that the database cannot write, starts to probe it, and reports a storage fault until writes
   * succeed.
   */
  note(error: unknown): void;
  /** False while it probes, and until a fault has ended. */
  isIdle(): boolean;
  stop(): void;
}

interface ProbeOptions {
  db: Db;
  faults: StorageFaults;
  log: { error(data: object, message: string): void; info(data: object, message: string): void };
  /** Writes a little and rolls back. Throws the error that prevents it. */
  tryWriting?: (db: Db) => Promise<void>;
  everyMs?: number;
}

const PROBE_EVERY_MS = 5_000;
const PLACE = 'database';

/** Creates a table, which must allocate pages; a single row could fit into a page that exists. */
export async function writeAndRollBack(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`create temporary table redpen_space_probe on commit drop as
      select generate_series(1, 20000) as number`.execute(tx);
  });
}

/** Probes a database that refused a write: whether it still refuses writes, and when that ends. */
export function createStorageProbe({
  db,
  faults,
  log,
  tryWriting = writeAndRollBack,
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
        faults.set(PLACE, outOfSpaceMessage(error));
        if (!isAtFault) log.error({ err: error }, 'the database refuses writes');
        isAtFault = true;
        return;
      }
      // An unreachable database is another fault, and says nothing about this one.
      if (isUnavailable(error)) return;
      throw error;
    }
    faults.set(PLACE, undefined);
    if (isAtFault) log.info({}, 'the database accepts writes again');
    isAtFault = false;
  };
  const probeRepeatedly = async (): Promise<void> => {
    isProbing = true;
    await probe().catch((error: unknown) =>
      log.error({ err: error }, 'could not determine whether the database accepts writes'),
    );
    if (isAtFault && !stopped) {
      timer = setTimeout(() => void probeRepeatedly(), everyMs);
      timer.unref();
    } else isProbing = false;
  };
  return {
    note(error) {
      if (isProbing || stopped || !isOutOfSpace(error)) return;
      void probeRepeatedly();
    },
    isIdle: () => !isProbing,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
