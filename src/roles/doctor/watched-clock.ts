import { sql } from 'kysely';
import { z } from 'zod';
import { isUnavailable } from '../../db/database-errors.ts';
import { rowOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import { type Finding, skipped } from './check.ts';
import { checkClock, createClocks } from './check-clock.ts';
import type { Watched } from './health-watch.ts';

const TIMEOUT_MS = 15_000;
/** A slower answer does not tell the time well enough. */
const ANSWER_WITHIN_MS = 1_000;

const timeRow = z.object({ now: z.number() });

/**
 * Compares the clock with that of the database server, with which leases and due times of all processes are written.
 * While the server cannot be asked, the last comparison counts.
 */
export function watchedClock(db: Db, now: () => number = Date.now): Watched {
  let last: Finding = skipped('The clock has not been compared with that of the database server yet.');
  return {
    name: 'clock',
    timeoutMs: TIMEOUT_MS,
    regularly: 'same',
    async run() {
      const clocks = createClocks(now);
      const began = now();
      const asked = performance.now();
      try {
        const server = await rowOf(
          db,
          timeRow,
          sql`select cast(extract(epoch from clock_timestamp()) * 1000 as float8) as now`,
        );
        const tookMs = performance.now() - asked;
        if (tookMs > ANSWER_WITHIN_MS) return last;
        clocks.noteAhead('the database server', began + tookMs / 2 - server.now);
        last = checkClock(clocks, 0, now());
      } catch (error) {
        if (!isUnavailable(error)) throw error;
      }
      return last;
    },
  };
}
