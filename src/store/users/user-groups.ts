import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Scope } from '../../lib/scope.ts';
import type { NewUserGroup, UserGroup } from '../../shapes/user-group.ts';

export interface GroupRef {
  organizationId: string;
  organizationUserGroupId: string;
}

/** Adds groups to an organization that exists; one that is there already gets the name that was sent. */
export async function addUserGroups(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  groups: NewUserGroup[],
): Promise<void> {
  // In the order of their ids, so that two batches at once cannot wait for each other's rows crosswise.
  const items = [...new Map(groups.map(({ groupId, groupName }) => [groupId, groupName]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([groupId, groupName]) => ({ groupId, name: groupName ?? null }));
  const now = sql`cast(${Date.now()} as bigint)`;
  const names = json(Object.fromEntries(items.map(({ groupId, name }) => [groupId, name])));
  const { rows } = await sql<{ organizationUserGroupId: string; groupName: string }>`
    insert into user_groups (api_key_id, organization_id, group_id, name, created_at, updated_at)
    select ${scope.apiKeyId}, ${organizationId}, item."groupId", coalesce(item.name, item."groupId"), ${now}, ${now}
    from jsonb_to_recordset(${json(items)}) as item("groupId" text, name text)
    on conflict (api_key_id, organization_id, group_id) do update
      set name = coalesce(${names} ->> user_groups.group_id, user_groups.name), updated_at = excluded.updated_at
    returning group_id as organization_user_group_id, name as group_name`.execute(tx);
  await emitAll(
    tx,
    scope,
    'user_group.add',
    rows.map((row) => ({ organizationId, ...row })),
  );
}

/** Deletes groups; their members stay what else they are. Answers the ids of those that existed. */
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

/** Whether the group is there; if so it stays until the transaction ends. */
async function holdGroup(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, organizationUserGroupId }: GroupRef,
): Promise<boolean> {
  const held = await tx
    .selectFrom('userGroups')
    .select('groupId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('groupId', '=', organizationUserGroupId)
    .forKeyShare()
    .executeTakeFirst();
  return held !== undefined;
}

/**
 * Puts users into a group, whoever they are: one may be named before they are users of the organization.
 * Answers false where there is no such group.
 */
export async function addGroupMembers(
  tx: Tx,
  scope: Scope,
  group: GroupRef,
  userIds: string[],
): Promise<boolean> {
  if (!(await holdGroup(tx, scope, group))) return false;
  const items = [...new Set(userIds)].sort();
  const { rows } = await sql<{ userId: string }>`
    insert into user_group_members (api_key_id, organization_id, group_id, user_id, created_at)
    select ${scope.apiKeyId}, ${group.organizationId}, ${group.organizationUserGroupId}, item.user_id,
      cast(${Date.now()} as bigint)
    from jsonb_array_elements_text(${json(items)}) as item(user_id)
    on conflict do nothing
    returning user_id`.execute(tx);
  await emitAll(
    tx,
    scope,
    'user_group.user_add',
    rows.map((row) => ({ ...group, ...row })),
  );
  return true;
}

/**
 * Takes users out of a group, all of them where none is named; answers who was in it, or undefined where there
 * is no such group.
 */
export async function removeGroupMembers(
  tx: Tx,
  scope: Scope,
  group: GroupRef,
  userIds: string[] | undefined,
): Promise<Set<string> | undefined> {
  if (!(await holdGroup(tx, scope, group))) return undefined;
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

/** One page in the order of their ids, strictly after the given one where there is one. */
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
