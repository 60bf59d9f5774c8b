import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/** Retention of relayed events and of their webhook deliveries. */
export const EVENTS_KEPT_MS = 90 * 24 * 3_600_000;

const PRUNED_AT_ONCE = 5_000;

/** Deletes old events in parts: one statement for all of them may take longer than a statement may. */
export async function pruneEvents(db: Db, now: number): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from events where ctid = any(array(select ctid from events
        where relayed_at < ${now - EVENTS_KEPT_MS} order by relayed_at limit ${PRUNED_AT_ONCE}))`.execute(db);
    if (numAffectedRows < BigInt(PRUNED_AT_ONCE)) return;
  }
}
