import type { Db } from '../../db/tables.ts';

/** How long a relayed event is kept, and what was sent of it. */
export const EVENTS_KEPT_MS = 90 * 24 * 3_600_000;

export async function pruneEvents(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('events')
    .where('relayedAt', '<', now - EVENTS_KEPT_MS)
    .execute();
}
