import { type ExpressionBuilder, sql } from 'kysely';
import { z } from 'zod';
import { condition, json, rowsOf } from '../../db/sql-fragments.ts';
import type { AccessRole } from '../../db/tables/user-tables.ts';
import type { Db, Tables } from '../../db/tables.ts';
import type { Position } from '../../lib/cursor.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Contact } from '../../shapes/user.ts';
import type { Reader } from '../access/visibility-sql.ts';
import type { GroupRef } from './user-groups.ts';
import { resourceOf, type UserPlace } from './users.ts';

export interface UserFilter {
  userIds?: string[] | undefined;
  /** Members of any of these groups of the organization. */
  groupIds?: string[] | undefined;
}

interface UserPage {
  after: Position | undefined;
  limit: number;
}

export interface UserRow {
  /** Keyset position of the row in its list. */
  position: Position;
  documentId?: string;
  record: Contact;
}

/** The users of an organization, document or folder, in the order in which they were added. */
export async function listUsers(
  db: Db,
  scope: Scope,
  place: UserPlace,
  filter: UserFilter,
  { after, limit }: UserPage,
): Promise<UserRow[]> {
  const { resourceType, resourceId } = resourceOf(place);
  let query = selectGrants(db, scope, place.organizationId, filter)
    .where('grants.resourceType', '=', resourceType)
    .where('grants.resourceId', '=', resourceId);
  if (after) {
    const [createdAt, userId] = after;
    query = query.where((eb) =>
      eb(eb.refTuple('grants.createdAt', 'grants.userId'), '>', eb.tuple(Number(createdAt), String(userId))),
    );
  }
  const rows = await query.orderBy('grants.createdAt').orderBy('grants.userId').limit(limit).execute();
  return rows.map((row) => ({
    position: [row.createdAt, row.userId],
    record: contactOf(place.organizationId, row),
  }));
}

export async function countUsers(
  db: Db,
  scope: Scope,
  place: UserPlace,
  filter: UserFilter,
): Promise<number> {
  const { resourceType, resourceId } = resourceOf(place);
  const row = await restrict(db.selectFrom('grants'), scope, place.organizationId, filter)
    .where('grants.resourceType', '=', resourceType)
    .where('grants.resourceId', '=', resourceId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** The users of all documents of an organization, by document. */
export async function listUsersByDocument(
  db: Db,
  scope: Scope,
  organizationId: string,
  filter: UserFilter,
  { after, limit }: UserPage,
): Promise<(UserRow & { documentId: string })[]> {
  let query = selectGrants(db, scope, organizationId, filter).where('grants.resourceType', '=', 'document');
  if (after) {
    const [resourceId, createdAt, userId] = after;
    query = query.where((eb) =>
      eb(
        eb.refTuple('grants.resourceId', 'grants.createdAt', 'grants.userId'),
        '>',
        eb.tuple(String(resourceId), Number(createdAt), String(userId)),
      ),
    );
  }
  const rows = await query
    .orderBy('grants.resourceId')
    .orderBy('grants.createdAt')
    .orderBy('grants.userId')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    position: [row.resourceId, row.createdAt, row.userId],
    documentId: row.resourceId,
    record: contactOf(organizationId, row),
  }));
}

/** The distinct users of an organization's documents, by id. */
export async function listDocumentUsers(
  db: Db,
  scope: Scope,
  organizationId: string,
  filter: UserFilter,
  { after, limit }: UserPage,
): Promise<UserRow[]> {
  let query = restrict(db.selectFrom('grants'), scope, organizationId, filter)
    .where('grants.resourceType', '=', 'document')
    .select('grants.userId')
    .distinct();
  if (after) query = query.where('grants.userId', '>', String(after[0]));
  const rows = await db
    .selectFrom(query.orderBy('grants.userId').limit(limit).as('found'))
    .leftJoin('users', (join) =>
      join.onRef('users.userId', '=', 'found.userId').on('users.apiKeyId', '=', scope.apiKeyId),
    )
    .select(['found.userId', 'users.name', 'users.email', 'users.body'])
    .orderBy('found.userId')
    .execute();
  return rows.map((row) => ({ position: [row.userId], record: contactOf(organizationId, row) }));
}

/** The members of a group, by id. */
export async function listGroupMembers(
  db: Db,
  scope: Scope,
  { organizationId, organizationUserGroupId }: GroupRef,
  { after, limit }: UserPage,
): Promise<UserRow[]> {
  let query = db
    .selectFrom('userGroupMembers as member')
    .leftJoin('users', (join) =>
      join.onRef('users.apiKeyId', '=', 'member.apiKeyId').onRef('users.userId', '=', 'member.userId'),
    )
    .select(['member.userId', 'users.name', 'users.email', 'users.body'])
    .where('member.apiKeyId', '=', scope.apiKeyId)
    .where('member.organizationId', '=', organizationId)
    .where('member.groupId', '=', organizationUserGroupId);
  if (after) query = query.where('member.userId', '>', String(after[0]));
  const rows = await query.orderBy('member.userId').limit(limit).execute();
  return rows.map((row) => ({ position: [row.userId], record: contactOf(organizationId, row) }));
}

const readableRow = z.object({ userId: z.string(), documentId: z.string() });

/** The documents of an organization by user, at most `limitEach` of each. */
export async function mapDocumentsOfUsers(
  db: Db,
  { apiKeyId }: Scope,
  organizationId: string,
  userIds: string[],
  limitEach: number,
): Promise<Map<string, string[]>> {
  const rows = await rowsOf(
    db,
    readableRow,
    sql`
    select wanted.user_id, found.resource_id as document_id
    from jsonb_array_elements_text(${json(userIds)}) as wanted(user_id)
    cross join lateral (
      select grants.resource_id from grants
      where grants.api_key_id = ${apiKeyId} and grants.user_id = wanted.user_id
        and grants.organization_id = ${organizationId} and grants.resource_type = 'document' and ${isUnexpired()}
      order by grants.resource_id limit ${limitEach}) as found`,
  );
  const byUser = Map.groupBy(rows, (row) => row.userId);
  return new Map([...byUser].map(([userId, found]) => [userId, found.map((row) => row.documentId)]));
}

const folderAccessRow = z.object({ open: z.boolean(), granted: z.boolean() });

/**
 * True if a reader may list the users of a folder: by a grant on it or a folder above it, or, if the folder is not
 * restricted, by a grant on the organization. The same rules as in `access/decide.ts`, as SQL.
 */
export async function mayReadFolder(
  db: Db,
  { apiKeyId }: Scope,
  reader: Reader,
  folderId: string,
): Promise<boolean> {
  if (reader.organizationDisabled) return false;
  const rows = await rowsOf(
    db,
    folderAccessRow,
    sql`
    select coalesce(folders.effective_access_type, ${reader.defaultAccessType}) <> 'restricted' as open,
      jsonb_exists_any(${json(reader.tokenFolderIds)}, array_append(folders.ancestors, folders.folder_id))
      or exists (select 1 from grants
        where grants.api_key_id = ${apiKeyId} and grants.user_id = ${reader.userId}
          and grants.organization_id = ${reader.organizationId} and grants.resource_type = 'folder'
          and grants.resource_id = any(array_append(folders.ancestors, folders.folder_id)) and ${isUnexpired()}
      ) as granted
    from folders where folders.api_key_id = ${apiKeyId}
      and folders.organization_id = ${reader.organizationId} and folders.folder_id = ${folderId}`,
  );
  const folder = rows[0];
  return folder !== undefined && (folder.granted || (reader.isMember && (folder.open || reader.isAdmin)));
}

/** True for grants that have not expired. */
const isUnexpired = () =>
  condition`(grants.expires_at is null or grants.expires_at > cast(${Date.now()} as bigint))`;

type GrantQuery = ReturnType<typeof grantsOf>;
const grantsOf = (db: Db) => db.selectFrom('grants');

function restrict(query: GrantQuery, { apiKeyId }: Scope, organizationId: string, filter: UserFilter) {
  let restricted = query
    .where('grants.apiKeyId', '=', apiKeyId)
    .where('grants.organizationId', '=', organizationId)
    .where(isUnexpired());
  if (filter.userIds) restricted = restricted.where('grants.userId', 'in', filter.userIds);
  const { groupIds } = filter;
  if (groupIds) {
    restricted = restricted.where((eb: ExpressionBuilder<Tables, 'grants'>) =>
      eb.exists(
        eb
          .selectFrom('userGroupMembers')
          .select('userGroupMembers.userId')
          .whereRef('userGroupMembers.apiKeyId', '=', 'grants.apiKeyId')
          .whereRef('userGroupMembers.organizationId', '=', 'grants.organizationId')
          .where('userGroupMembers.groupId', 'in', groupIds)
          .whereRef('userGroupMembers.userId', '=', 'grants.userId'),
      ),
    );
  }
  return restricted;
}

const selectGrants = (db: Db, scope: Scope, organizationId: string, filter: UserFilter) =>
  restrict(grantsOf(db), scope, organizationId, filter)
    .leftJoin('users', (join) =>
      join.onRef('users.apiKeyId', '=', 'grants.apiKeyId').onRef('users.userId', '=', 'grants.userId'),
    )
    .select(['grants.resourceId', 'grants.createdAt', 'grants.userId', 'grants.accessRole'])
    .select(['users.name', 'users.email', 'users.body']);

interface UserWithGrant {
  userId: string;
  accessRole?: AccessRole;
  name: string | null;
  email: string | null;
  body: Fields | null;
}

export function contactOf(
  organizationId: string,
  { userId, accessRole, name, email, body }: UserWithGrant,
): Contact {
  const initial = body?.initial ?? initialOf(name);
  return {
    ...body,
    userId,
    ...(name !== null && { name }),
    ...(email !== null && { email }),
    ...(typeof initial === 'string' && { initial }),
    organizationId,
    ...(accessRole && { accessRole }),
  };
}

/** The first letter of a name: a grapheme, which may have several code units. */
const initialOf = (name: string | null): string | undefined => {
  const [first] = letters.segment(name?.trim() ?? '');
  return first?.segment.toUpperCase();
};
const letters = new Intl.Segmenter();
