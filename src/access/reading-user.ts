import type { Db } from '../db/tables.ts';
import { invalidRequest } from '../lib/errors.ts';
import type { Caller } from '../lib/scope.ts';
import { userId } from '../shapes/id-fields.ts';
import { loadReader, loadStoredReader, type Reader } from '../store/access/visibility-sql.ts';
import { actingUser } from './authorize.ts';

export const readingUserId = userId
  .optional()
  .describe('The user who reads. Required unless the caller is a user, who can only name themselves.');

/** The user whose views are meant: the caller, or the one that an API key names. */
export async function readingUser(
  db: Db,
  caller: Caller,
  organizationId: string,
  userId: string | undefined,
): Promise<Reader> {
  const reading = actingUser(caller, userId === undefined ? undefined : { userId }, 'userId');
  if (!reading) {
    throw invalidRequest([{ path: ['userId'], code: 'custom', message: 'userId is required.' }]);
  }
  return (
    (await loadReader(db, caller, organizationId)) ??
    (await loadStoredReader(db, caller, organizationId, reading.userId))
  );
}
