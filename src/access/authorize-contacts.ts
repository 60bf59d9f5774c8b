import type { Db } from '../db/tables.ts';
import { permissionDenied } from '../lib/errors.ts';
import type { Caller } from '../lib/scope.ts';
import { loadReader } from '../store/access/visibility-sql.ts';
import { mayReadFolder } from '../store/users/list-users.ts';
import type { UserPlace } from '../store/users/users.ts';
import { authorize, authorizeInOrganization } from './authorize.ts';

/** Lets through API keys, and users who have access to the place whose users they ask for. */
export async function authorizeContacts(db: Db, caller: Caller, place: UserPlace): Promise<void> {
  if (!caller.user) return;
  const { organizationId, documentId, folderId } = place;
  if (documentId !== undefined) return await authorize(db, caller, { organizationId, documentId }, 'viewer');
  if (folderId === undefined) return await authorizeInOrganization(db, caller, organizationId, 'viewer');
  const reader = await loadReader(db, caller, organizationId);
  if (reader && !(await mayReadFolder(db, caller, reader, folderId))) {
    throw permissionDenied('User does not have access to folder');
  }
}
