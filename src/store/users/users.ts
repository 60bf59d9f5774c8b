import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { AccessRole, ResourceType } from '../../db/tables/user-tables.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { NewUser } from '../../shapes/user.ts';
import { deleteContacts } from '../access/token-contacts.ts';

/** The resource that users belong to: a document or folder, or the organization if neither is named. */
export interface UserPlace {
  organizationId: string;
  documentId?: string | undefined;
  folderId?: string | undefined;
}

export const resourceOf = ({
  organizationId,
  documentId,
  folderId,
}: UserPlace): { resourceType: ResourceType; resourceId: string } => {
  if (documentId !== undefined) return { resourceType: 'document', resourceId: documentId };
  if (folderId !== undefined) return { resourceType: 'folder', resourceId: folderId };
  return { resourceType: 'organization', resourceId: organizationId };
};

/** Fields of the record itself, which custom fields must not hide. */
const OWN_FIELDS = [
  'userId',
  'name',
  'email',
  'accessRole',
  'organizationId',
  'documentId',
  'folderId',
  'apiKey',
];

interface UserItem {
  userId: string;
  name: string | null;
  email: string | null;
  accessRole: AccessRole | null;
  body: Fields;
}

const recordset = (items: UserItem[]) =>
  sql`jsonb_to_recordset(${json(items)})
    as item("userId" text, name text, email text, "accessRole" text, body jsonb)`;

const addedRow = z.object({
  userId: z.string(),
  added: z.boolean(),
  accessRole: z.enum(['viewer', 'editor']),
  roleBefore: z.enum(['viewer', 'editor']).nullable(),
});

export type AddedUser = z.output<typeof addedRow>;

/**
 * Upserts profiles and grants of users in one statement; stored fields stay unless sent. A grant with an expiry keeps
 * it, unless it has expired or a role is sent. Returns the roles after and before.
 */
export async function addUsers(
  tx: Tx,
  scope: Scope,
  place: UserPlace,
  users: NewUser[],
): Promise<AddedUser[]> {
  const items = itemsOf(users);
  const { resourceType, resourceId } = resourceOf(place);
  const now = sql`cast(${Date.now()} as bigint)`;
  const sent = items.flatMap(({ userId, accessRole }) => (accessRole ? [[userId, accessRole] as const] : []));
  const roles = json(Object.fromEntries(sent));
  // In the returned rows, `xmax` is 0 for inserted and this transaction for updated rows.
  const rows = await rowsOf(
    tx,
    addedRow,
    sql`
    with item as materialized (select * from ${recordset(items)}),
    profile as (
      insert into users (api_key_id, user_id, name, email, body, created_at, updated_at)
      select ${scope.apiKeyId}, "userId", name, email, body, ${now}, ${now} from item order by "userId"
      on conflict (api_key_id, user_id) do update set name = coalesce(excluded.name, users.name),
        email = coalesce(excluded.email, users.email), body = users.body || excluded.body,
        updated_at = excluded.updated_at),
    earlier as (
      select user_id, access_role from grants
      where api_key_id = ${scope.apiKeyId} and organization_id = ${place.organizationId}
        and resource_type = ${resourceType} and resource_id = ${resourceId}
        and user_id = any(array(select "userId" from item))),
    granted as (
    insert into grants (api_key_id, organization_id, resource_type, resource_id, user_id, access_role,
      created_at, updated_at)
    select ${scope.apiKeyId}, ${place.organizationId}, ${resourceType}, ${resourceId}, "userId",
      coalesce("accessRole", 'editor'), ${now}, ${now}
    from item order by "userId"
    on conflict (api_key_id, organization_id, resource_type, resource_id, user_id) do update
      set access_role = coalesce(${roles} ->> grants.user_id, grants.access_role),
        expires_at = case when grants.expires_at > excluded.updated_at and ${roles} ->> grants.user_id is null
          then grants.expires_at end,
        updated_at = excluded.updated_at
    returning user_id, xmax = 0 as added, access_role)
    select granted.*, earlier.access_role as role_before from granted left join earlier using (user_id)`,
  );
  await emitUsers(
    tx,
    scope,
    'user.add',
    place,
    items,
    new Map(rows.filter((row) => row.added).map(idAndRole)),
  );
  await emitUsers(
    tx,
    scope,
    'user.update',
    place,
    items,
    new Map(rows.filter((row) => !row.added).map(idAndRole)),
  );
  return rows;
}

const updatedRow = z.object({ userId: z.string(), accessRole: z.enum(['viewer', 'editor']) });

/**
 * Updates users that belong to the place. Returns their ids. The planner takes a list of JSON for a hundred entries: the
 * limit and the array make it look up each of them instead of reading all users of the place.
 */
export async function updateUsers(
  tx: Tx,
  scope: Scope,
  place: UserPlace,
  users: NewUser[],
): Promise<Set<string>> {
  const items = itemsOf(users);
  const { resourceType, resourceId } = resourceOf(place);
  const now = sql`cast(${Date.now()} as bigint)`;
  const rows = await rowsOf(
    tx,
    updatedRow,
    sql`
    with item as materialized (select * from ${recordset(items)}),
    member as (
      select held.user_id from (select "userId" from item order by "userId" offset 0) as item cross join lateral (
        select grants.user_id from grants
        where grants.api_key_id = ${scope.apiKeyId} and grants.organization_id = ${place.organizationId}
          and grants.resource_type = ${resourceType} and grants.resource_id = ${resourceId}
          and grants.user_id = item."userId" and (grants.expires_at is null or grants.expires_at > ${now})
        limit 1 for no key update) as held),
    profile as (
      insert into users (api_key_id, user_id, name, email, body, created_at, updated_at)
      select ${scope.apiKeyId}, item."userId", item.name, item.email, item.body, ${now}, ${now}
      from item join member on member.user_id = item."userId" order by item."userId"
      on conflict (api_key_id, user_id) do update set name = coalesce(excluded.name, users.name),
        email = coalesce(excluded.email, users.email), body = users.body || excluded.body,
        updated_at = excluded.updated_at)
    update grants set access_role = coalesce(item."accessRole", grants.access_role), updated_at = ${now}
    from item
    where grants.api_key_id = ${scope.apiKeyId} and grants.organization_id = ${place.organizationId}
      and grants.resource_type = ${resourceType} and grants.resource_id = ${resourceId}
      and grants.user_id = any(array(select user_id from member)) and grants.user_id = item."userId"
    returning grants.user_id, grants.access_role`,
  );
  const updated = new Map(rows.map(idAndRole));
  await emitUsers(tx, scope, 'user.update', place, items, updated);
  return new Set(updated.keys());
}

/**
 * Removes users from a document or folder, or from an organization with all their grants and groups in it. Returns the
 * ids of those that belonged to it. Profiles stay, since records name these users.
 */
export async function removeUsers(
  tx: Tx,
  scope: Scope,
  place: UserPlace,
  userIds: string[],
): Promise<Set<string>> {
  const { organizationId } = place;
  const { resourceType, resourceId } = resourceOf(place);
  let toRemove = tx
    .selectFrom('grants')
    .select(['resourceType', 'resourceId', 'userId'])
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('userId', 'in', userIds);
  if (resourceType !== 'organization') {
    toRemove = toRemove.where('resourceType', '=', resourceType).where('resourceId', '=', resourceId);
  }
  // Locked in key order, so that concurrent removals cannot deadlock.
  const removed = await tx
    .with('removed', () =>
      toRemove.orderBy('userId').orderBy('resourceType').orderBy('resourceId').forUpdate(),
    )
    .deleteFrom('grants')
    .using('removed')
    .where('grants.apiKeyId', '=', scope.apiKeyId)
    .where('grants.organizationId', '=', organizationId)
    .whereRef('grants.resourceType', '=', 'removed.resourceType')
    .whereRef('grants.resourceId', '=', 'removed.resourceId')
    .whereRef('grants.userId', '=', 'removed.userId')
    .returning('grants.userId')
    .execute();
  await deleteContacts(tx, scope, {
    organizationId,
    userIds,
    ...(resourceType !== 'organization' && { resourceType, resourceIds: [resourceId] }),
  });
  const gone = new Set(removed.map((row) => row.userId));
  if (resourceType === 'organization') {
    const left = await tx
      .deleteFrom('userGroupMembers')
      .where('apiKeyId', '=', scope.apiKeyId)
      .where('organizationId', '=', organizationId)
      .where('userId', 'in', userIds)
      .returning('userId')
      .execute();
    for (const { userId } of left) gone.add(userId);
  }
  const payloads = [...gone].map((userId) => ({ ...placeOf(place), userId }));
  await emitAll(tx, scope, 'user.delete', payloads);
  return gone;
}

const idAndRole = (row: { userId: string; accessRole: AccessRole }): [string, AccessRole] => [
  row.userId,
  row.accessRole,
];

const placeOf = ({ organizationId, documentId, folderId }: UserPlace): UserPlace => ({
  organizationId,
  ...(documentId !== undefined && { documentId }),
  ...(folderId !== undefined && { folderId }),
});

const emitUsers = (
  tx: Tx,
  scope: Scope,
  name: 'user.add' | 'user.update',
  place: UserPlace,
  items: UserItem[],
  roles: Map<string, AccessRole>,
): Promise<void> =>
  emitAll(
    tx,
    scope,
    name,
    items.flatMap((item) => {
      const accessRole = roles.get(item.userId);
      if (!accessRole) return [];
      return {
        ...placeOf(place),
        userId: item.userId,
        ...(item.name !== null && { name: item.name }),
        ...(item.email !== null && { email: item.email }),
        accessRole,
      };
    }),
  );

/** Merges the fields of users that were sent twice; the later ones win. Sorted by id, against deadlocks. */
function itemsOf(users: NewUser[]): UserItem[] {
  const items = new Map<string, UserItem>();
  for (const { userId, name, email, accessRole, ...custom } of users) {
    const earlier = items.get(userId);
    const body = Object.fromEntries(Object.entries(custom).filter(([key]) => !OWN_FIELDS.includes(key)));
    items.set(userId, {
      userId,
      name: name ?? earlier?.name ?? null,
      email: email ?? earlier?.email ?? null,
      accessRole: accessRole ?? earlier?.accessRole ?? null,
      body: { ...earlier?.body, ...body },
    });
  }
  return [...items.values()].sort((a, b) => (a.userId < b.userId ? -1 : 1));
}
