import type { IdentityTables } from '../../db/tables/identity-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { hashToken, newSecret } from '../../lib/crypto.ts';
import { newId } from '../../lib/ids.ts';
import { networkOf } from '../../lib/network.ts';
import type { AccountRow } from './accounts.ts';

export type SessionRow = IdentityTables['sessions'];

const HOUR_MS = 3_600_000;
const IDLE_MS = 12 * HOUR_MS;
/** The longest life of a session. */
export const SESSION_MS = 30 * 24 * HOUR_MS;
/** A session that is used all the time writes its last use this often. */
const NOTE_USE_MS = 60_000;
const MAX_USER_AGENT = 500;

/** Sessions that were last used earlier have ended. */
export const idleSince = (now: number): number => now - IDLE_MS;

export const expiryOf = ({ lastUsedAt, endsAt }: Pick<SessionRow, 'lastUsedAt' | 'endsAt'>): number =>
  Math.min(lastUsedAt + IDLE_MS, endsAt);

/** Starts a session. Returns its row, and the token that only the cookie contains. */
export async function startSession(
  tx: Tx,
  accountId: string,
  { address, userAgent }: { address: string; userAgent: string },
): Promise<{ session: SessionRow; token: string }> {
  const token = newSecret('rps');
  const now = Date.now();
  const session: SessionRow = {
    sessionHash: hashToken(token),
    sessionId: newId('session'),
    accountId,
    createdAt: now,
    lastUsedAt: now,
    endsAt: now + SESSION_MS,
    address,
    userAgent: userAgent.slice(0, MAX_USER_AGENT),
  };
  await tx.insertInto('sessions').values(session).execute();
  return { session, token };
}

export type OpenSession = SessionRow & Pick<AccountRow, 'name' | 'email'>;

/** The open session of a token, with its account. */
export async function findSession(db: Db, token: string): Promise<OpenSession | undefined> {
  const now = Date.now();
  return await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.accountId', 'sessions.accountId')
    .selectAll('sessions')
    .select(['accounts.name', 'accounts.email'])
    .where('sessionHash', '=', hashToken(token))
    .where('endsAt', '>', now)
    .where('lastUsedAt', '>', idleSince(now))
    .executeTakeFirst();
}

/** Notes the use of a session, and of the workspace that it is used for. */
export async function noteSessionUse(
  db: Db,
  { sessionHash, lastUsedAt }: SessionRow,
  membership: { workspaceId: string; memberId: string; lastSeenAt: number | null } | undefined,
): Promise<void> {
  const now = Date.now();
  if (lastUsedAt < now - NOTE_USE_MS) {
    await db
      .updateTable('sessions')
      .set({ lastUsedAt: now })
      .where('sessionHash', '=', sessionHash)
      .execute();
  }
  if (!membership || (membership.lastSeenAt ?? 0) >= now - NOTE_USE_MS) return;
  await db
    .updateTable('members')
    .set({ lastSeenAt: now })
    .where('workspaceId', '=', membership.workspaceId)
    .where('memberId', '=', membership.memberId)
    .execute();
}

/** Ends a session of an account; false if there is none. */
export async function endSession(tx: Tx, accountId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('accountId', '=', accountId)
    .where('sessionId', '=', sessionId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** True if an account has an open session that began in a client network. */
export async function hasSessionIn(db: Db, accountId: string, network: string): Promise<boolean> {
  const now = Date.now();
  const rows = await db
    .selectFrom('sessions')
    .select('address')
    .distinct()
    .where('accountId', '=', accountId)
    .where('endsAt', '>', now)
    .where('lastUsedAt', '>', idleSince(now))
    .execute();
  return rows.some(({ address }) => networkOf(address) === network);
}

/** One keyset page of an account's open sessions, the newest first. */
export function pageSessions(
  db: Db,
  accountId: string,
  { after, limit }: { after: { createdAt: number; sessionId: string } | undefined; limit: number },
): Promise<SessionRow[]> {
  const now = Date.now();
  let query = db
    .selectFrom('sessions')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('endsAt', '>', now)
    .where('lastUsedAt', '>', idleSince(now))
    .orderBy('createdAt', 'desc')
    .orderBy('sessionId', 'desc')
    .limit(limit);
  if (after) {
    const { createdAt, sessionId } = after;
    query = query.where((eb) =>
      eb(eb.refTuple('createdAt', 'sessionId'), '<', eb.tuple(createdAt, sessionId)),
    );
  }
  return query.execute();
}
