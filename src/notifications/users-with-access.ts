import { rolesOnDocument } from '../access/authorize.ts';
import type { Db } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';
import { membersAmong } from '../store/notifications/notifications.ts';

/** The users among these that may read the document, or without one are members of the organization. */
export async function usersWithAccess(
  db: Db,
  scope: Scope,
  organizationId: string,
  documentId: string | null,
  userIds: string[],
): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  if (documentId === null) return membersAmong(db, scope, organizationId, userIds);
  const roles = await rolesOnDocument(db, scope, { organizationId, documentId }, userIds);
  return new Set(userIds.filter((userId) => roles.get(userId) !== 'none'));
}
