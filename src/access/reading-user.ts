import type { Db } from '../db/tables.ts';
import { invalidRequest, permissionDenied } from '../lib/errors.ts';
import type { Caller } from '../lib/scope.ts';
import { userId } from '../shapes/id-fields.ts';
import { loadReader, loadStoredReader, type Reader } from '../store/access/visibility-sql.ts';
import { actingUser } from './authorize.ts';

export const readingUserId = userId
  .optional()
  .describe(
    'The user who reads. Required for API keys. Users can only name themselves; for members of a workspace, it defaults to themselves.',
  );

/** Throws PERMISSION_DENIED if a member who may only read would change what another person has read. */
export function requireOwnViews({ member }: Caller, userId: string | undefined): void {
  if (member?.role !== 'viewer' || userId === undefined || userId === member.accountId) return;
  throw permissionDenied(
    'A viewer can only mark annotations as read for themselves: userId names another person.',
  );
}

/** The user whose views are meant: the caller, or the one that an API key or a member names. */
export async function readingUser(
  db: Db,
  caller: Caller,
  organizationId: string,
  userId: string | undefined,
): Promise<Reader> {
  const named = userId ?? (caller.user ? undefined : caller.member?.accountId);
  const reading = actingUser(caller, named === undefined ? undefined : { userId: named }, 'userId');
  if (!reading) {
    throw invalidRequest([{ path: ['userId'], code: 'custom', message: 'userId is required.' }]);
  }
  return (
    (await loadReader(db, caller, organizationId)) ??
    (await loadStoredReader(db, caller, organizationId, reading.userId))
  );
}
