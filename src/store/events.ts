import type { Db } from '../db/tables.ts';

/** How long a relayed event is kept for replay. */
const KEPT_MS = 90 * 24 * 3_600_000;

export async function pruneEvents(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('events')
    .where('relayedAt', '<', now - KEPT_MS)
    .execute();
}
