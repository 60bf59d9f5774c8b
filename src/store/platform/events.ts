import type { Db } from '../../db/tables.ts';

/** Retention of relayed events and of their webhook deliveries. */
export const EVENTS_KEPT_MS = 90 * 24 * 3_600_000;

export async function pruneEvents(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('events')
    .where('relayedAt', '<', now - EVENTS_KEPT_MS)
    .execute();
}
