import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/day.ts';
import { idleSince } from './sessions.ts';

/** Expired tokens stay listed for a while, so that their owner sees why a program no longer works. */
const EXPIRED_TOKENS_KEPT_MS = 30 * DAY_MS;

/** Deletes sessions that have ended. One that reached its last day is no longer used, and is found by that. */
export async function pruneSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('lastUsedAt', '<', idleSince(now)).execute();
}

/** Deletes links, invitations, codes and personal tokens that have expired. */
export async function pruneExpired(db: Db, now: number): Promise<void> {
  await db.deleteFrom('signInLinks').where('expiresAt', '<', now).execute();
  await db.deleteFrom('invitations').where('expiresAt', '<', now).execute();
  await db.deleteFrom('oauthCodes').where('expiresAt', '<', now).execute();
  await db
    .deleteFrom('personalTokens')
    .where('expiresAt', '<', now - EXPIRED_TOKENS_KEPT_MS)
    .execute();
}
