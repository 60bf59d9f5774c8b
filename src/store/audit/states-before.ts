import type { ResourceType } from '../../db/tables/user-tables.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

type States<State> = Promise<Map<string, State>>;

/** The access of documents, by their ids. */
export async function documentStates(
  db: Db,
  { apiKeyId }: Scope,
  organizationId: string,
  documentIds: readonly string[],
): States<{ accessType: string | null; disabled: boolean; folderId: string | null }> {
  const rows = await db
    .selectFrom('documents')
    .select(['documentId', 'accessType', 'disabled', 'folderId'])
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', 'in', [...documentIds])
    .execute();
  return new Map(rows.map(({ documentId, ...state }) => [documentId, state]));
}

/** The access of folders, by their ids. */
export async function folderStates(
  db: Db,
  { apiKeyId }: Scope,
  organizationId: string,
  folderIds: readonly string[],
): States<{ accessType: string | null; parentFolderId: string | null }> {
  const rows = await db
    .selectFrom('folders')
    .select(['folderId', 'accessType', 'parentId'])
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('folderId', 'in', [...folderIds])
    .execute();
  return new Map(
    rows.map(({ folderId, parentId, ...state }) => [folderId, { ...state, parentFolderId: parentId }]),
  );
}

export interface GrantState {
  accessRole: string;
  expiresAt: number | null;
}

/** The grants of users on one resource, by the ids of the users. */
export async function grantStates(
  db: Db,
  { apiKeyId }: Scope,
  resource: { organizationId: string; resourceType: ResourceType; resourceId: string },
  userIds: readonly string[],
): States<GrantState> {
  const rows = await db
    .selectFrom('grants')
    .select(['userId', 'accessRole', 'expiresAt'])
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', resource.organizationId)
    .where('resourceType', '=', resource.resourceType)
    .where('resourceId', '=', resource.resourceId)
    .where('userId', 'in', [...userIds])
    .execute();
  return new Map(rows.map(({ userId, ...state }) => [userId, state]));
}

/** All grants of one user in the named organizations, by `grantKey`. */
export async function grantsOfUser(
  db: Db,
  { apiKeyId }: Scope,
  userId: string,
  organizationIds: readonly string[],
): States<GrantState> {
  const rows = await db
    .selectFrom('grants')
    .select(['organizationId', 'resourceType', 'resourceId', 'accessRole', 'expiresAt'])
    .where('apiKeyId', '=', apiKeyId)
    .where('userId', '=', userId)
    .where('organizationId', 'in', [...organizationIds])
    .execute();
  return new Map(
    rows.map(({ organizationId, resourceType, resourceId, ...state }) => [
      grantKey(organizationId, resourceType, resourceId),
      state,
    ]),
  );
}

export const grantKey = (organizationId: string, resourceType: string, resourceId: string): string =>
  JSON.stringify([organizationId, resourceType, resourceId]);
