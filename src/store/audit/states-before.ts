import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { ResourceType } from '../../db/tables/user-tables.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

type States<State> = Promise<Map<string, State>>;

/** A list of ids, which may also be a placeholder. */
const anyOf = (ids: string[]) => sql<string>`any(cast(${ids} as text[]))`;

interface DocumentState {
  accessType: string | null;
  disabled: boolean;
  folderId: string | null;
}

const selectDocuments = prepared<
  { apiKeyId: string; organizationId: string; documentIds: string[] },
  DocumentState & { documentId: string }
>((db, { apiKeyId, organizationId, documentIds }) =>
  db
    .selectFrom('documents')
    .select(['documentId', 'accessType', 'disabled', 'folderId'])
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', anyOf(documentIds)),
);

/** The access of documents, by their ids. */
export async function documentStates(
  db: Db,
  { apiKeyId }: Scope,
  organizationId: string,
  documentIds: readonly string[],
): States<DocumentState> {
  const rows = await selectDocuments(db, { apiKeyId, organizationId, documentIds: [...documentIds] });
  return new Map(rows.map(({ documentId, ...state }) => [documentId, state]));
}

const selectFolders = prepared<
  { apiKeyId: string; organizationId: string; folderIds: string[] },
  { folderId: string; accessType: string | null; parentId: string | null }
>((db, { apiKeyId, organizationId, folderIds }) =>
  db
    .selectFrom('folders')
    .select(['folderId', 'accessType', 'parentId'])
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('folderId', '=', anyOf(folderIds)),
);

/** The access of folders, by their ids. */
export async function folderStates(
  db: Db,
  { apiKeyId }: Scope,
  organizationId: string,
  folderIds: readonly string[],
): States<{ accessType: string | null; parentFolderId: string | null }> {
  const rows = await selectFolders(db, { apiKeyId, organizationId, folderIds: [...folderIds] });
  return new Map(
    rows.map(({ folderId, parentId, ...state }) => [folderId, { ...state, parentFolderId: parentId }]),
  );
}

export interface GrantState {
  accessRole: string;
  expiresAt: number | null;
}

type Resource = {
  organizationId: string;
  resourceType: ResourceType;
  resourceId: string;
};

const selectGrants = prepared<
  Resource & { apiKeyId: string; userIds: string[] },
  GrantState & { userId: string }
>((db, { apiKeyId, organizationId, resourceType, resourceId, userIds }) =>
  db
    .selectFrom('grants')
    .select(['userId', 'accessRole', 'expiresAt'])
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('resourceType', '=', resourceType)
    .where('resourceId', '=', resourceId)
    .where('userId', '=', anyOf(userIds)),
);

/** The grants of users on one resource, by the ids of the users. */
export async function grantStates(
  db: Db,
  { apiKeyId }: Scope,
  resource: Resource,
  userIds: readonly string[],
): States<GrantState> {
  const { organizationId, resourceType, resourceId } = resource;
  const rows = await selectGrants(db, {
    ...{ apiKeyId, organizationId, resourceType, resourceId },
    userIds: [...userIds],
  });
  return new Map(rows.map(({ userId, ...state }) => [userId, state]));
}

const selectGrantsOfUser = prepared<
  { apiKeyId: string; userId: string; organizationIds: string[] },
  GrantState & Resource
>((db, { apiKeyId, userId, organizationIds }) =>
  db
    .selectFrom('grants')
    .select(['organizationId', 'resourceType', 'resourceId', 'accessRole', 'expiresAt'])
    .where('apiKeyId', '=', apiKeyId)
    .where('userId', '=', userId)
    .where('organizationId', '=', anyOf(organizationIds)),
);

/** All grants of one user in the named organizations, by `grantKey`. */
export async function grantsOfUser(
  db: Db,
  { apiKeyId }: Scope,
  userId: string,
  organizationIds: readonly string[],
): States<GrantState> {
  const rows = await selectGrantsOfUser(db, { apiKeyId, userId, organizationIds: [...organizationIds] });
  return new Map(
    rows.map(({ organizationId, resourceType, resourceId, ...state }) => [
      grantKey(organizationId, resourceType, resourceId),
      state,
    ]),
  );
}

export const grantKey = (organizationId: string, resourceType: string, resourceId: string): string =>
  JSON.stringify([organizationId, resourceType, resourceId]);
