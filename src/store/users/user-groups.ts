import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Scope } from '../../lib/scope.ts';
import type { NewUserGroup, UserGroup } from '../../shapes/user-group.ts';

export interface GroupRef {
  organizationId: string;
  organizationUserGroupId: string;
}

const addedRow = z.object({ organizationUserGroupId: z.string(), groupName: z.string() });

/** Adds groups to an existing organization; existing groups get the name that was sent. */
export async function addUserGroups(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  groups: NewUserGroup[],
): Promise<void> {
  // Sorted by id, so that concurrent batches cannot deadlock.
  const items = [...new Map(groups.map(({ groupId, groupName }) => [groupId, groupName]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([groupId, groupName]) => ({ groupId, name: groupName ?? null }));
  const now = sql`cast(${Date.now()} as bigint)`;
  const names = json(Object.fromEntries(items.map(({ groupId, name }) => [groupId, name])));
  const rows = await rowsOf(
    tx,
    addedRow,
    sql`
    insert into user_groups (api_key_id, organization_id, group_id, name, created_at, updated_at)
    select ${scope.apiKeyId}, ${organizationId}, item."groupId", coalesce(item.name, item."groupId"), ${now}, ${now}
    from jsonb_to_recordset(${json(items)}) as item("groupId" text, name text)
    on conflict (api_key_id, organization_id, group_id) do update
      set name = coalesce(${names} ->> user_groups.group_id, user_groups.name), updated_at = excluded.updated_at
    returning group_id as organization_user_group_id, name as group_name`,
  );
  await emitAll(
    tx,
    scope,
    'user_group.add',
    rows.map((row) => ({ organizationId, ...row })),
  );
}

/** Deletes groups, but not their members. Returns the ids of those that existed. */
export async function deleteUserGroups(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  groupIds: string[],
): Promise<Set<string>> {
  const rows = await tx
    .deleteFrom('userGroups')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('groupId', 'in', groupIds)
    .returning('groupId as organizationUserGroupId')
    .execute();
  await emitAll(
    tx,
    scope,
    'user_group.delete',
    rows.map((row) => ({ organizationId, ...row })),
  );
  return new Set(rows.map((row) => row.organizationUserGroupId));
}

/** Locks the group against deletion until the transaction ends. Returns false if it does not exist. */
async function lockGroup(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, organizationUserGroupId }: GroupRef,
): Promise<boolean> {
  const locked = await tx
    .selectFrom('userGroups')
    .select('groupId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('groupId', '=', organizationUserGroupId)
    .forKeyShare()
    .executeTakeFirst();
  return locked !== undefined;
}

/** Adds members to a group; they need not be users of the organization yet. Returns false if the group does not exist. */
export async function addGroupMembers(
  tx: Tx,
  scope: Scope,
  group: GroupRef,
  userIds: string[],
): Promise<boolean> {
  if (!(await lockGroup(tx, scope, group))) return false;
  const createdAt = Date.now();
  const rows = await tx
    .insertInto('userGroupMembers')
    .values(
      [...new Set(userIds)].sort().map((userId) => ({
        apiKeyId: scope.apiKeyId,
        organizationId: group.organizationId,
        groupId: group.organizationUserGroupId,
        userId,
        createdAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .execute();
  await emitAll(
    tx,
    scope,
    'user_group.user_add',
    rows.map((row) => ({ ...group, ...row })),
  );
  return true;
}

/** Removes members from a group, by default all. Returns those removed; undefined if the group does not exist. */
export async function removeGroupMembers(
  tx: Tx,
  scope: Scope,
  group: GroupRef,
  userIds: string[] | undefined,
): Promise<Set<string> | undefined> {
  if (!(await lockGroup(tx, scope, group))) return undefined;
  let query = tx
    .deleteFrom('userGroupMembers')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', group.organizationId)
    .where('groupId', '=', group.organizationUserGroupId);
  if (userIds) query = query.where('userId', 'in', userIds);
  const rows = await query.returning('userId').execute();
  await emitAll(
    tx,
    scope,
    'user_group.user_delete',
    rows.map((row) => ({ ...group, ...row })),
  );
  return new Set(rows.map((row) => row.userId));
}

/** One keyset page of groups, by id. */
export async function listUserGroups(
  db: Db,
  { apiKeyId }: Scope,
  {
    organizationId,
    groupIds,
    after,
    limit,
  }: {
    organizationId: string;
    groupIds?: string[] | undefined;
    after?: string | undefined;
    limit: number;
  },
): Promise<UserGroup[]> {
  let query = db
    .selectFrom('userGroups')
    .select(['groupId as organizationUserGroupId', 'name as groupName'])
    .select(['createdAt', 'updatedAt as lastUpdated'])
    .select(
      sql<number>`(select cast(count(*) as integer) from user_group_members as member
        where member.api_key_id = user_groups.api_key_id
          and member.organization_id = user_groups.organization_id
          and member.group_id = user_groups.group_id)`.as('usersCount'),
    )
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId);
  if (groupIds) query = query.where('groupId', 'in', groupIds);
  if (after !== undefined) query = query.where('groupId', '>', after);
  return await query.orderBy('groupId').limit(limit).execute();
}
