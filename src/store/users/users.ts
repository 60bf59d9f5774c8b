import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { AccessRole, ResourceType } from '../../db/tables/user-tables.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Scope } from '../../lib/scope.ts';
import type { NewUser } from '../../shapes/user.ts';

/** Where users are users: the organization where neither a document nor a folder is named. */
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

/** What a user record is made of by itself; what else a caller sends must not hide it. */
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

interface Item {
  userId: string;
  name: string | null;
  email: string | null;
  accessRole: AccessRole | null;
  body: Record<string, unknown>;
}

const recordset = (items: Item[]) =>
  sql`jsonb_to_recordset(${json(items)})
    as item("userId" text, name text, email text, "accessRole" text, body jsonb)`;

/**
 * Makes users known and part of a place, in one statement; what is known of them already is kept unless sent.
 * A grant for a time stays one for a time, unless it has run out or a role is sent.
 */
export async function addUsers(tx: Tx, scope: Scope, place: UserPlace, users: NewUser[]): Promise<void> {
  const items = itemsOf(users);
  const { resourceType, resourceId } = resourceOf(place);
  const now = sql`cast(${Date.now()} as bigint)`;
  const sent = items.flatMap(({ userId, accessRole }) => (accessRole ? [[userId, accessRole] as const] : []));
  const roles = json(Object.fromEntries(sent));
  // A row that an insert just made has no transaction that changed it (xmax); one that it met has this one.
  const { rows } = await sql<{ userId: string; added: boolean; accessRole: AccessRole }>`
    with item as materialized (select * from ${recordset(items)}),
    profile as (
      insert into users (api_key_id, user_id, name, email, body, created_at, updated_at)
      select ${scope.apiKeyId}, "userId", name, email, body, ${now}, ${now} from item order by "userId"
      on conflict (api_key_id, user_id) do update set name = coalesce(excluded.name, users.name),
        email = coalesce(excluded.email, users.email), body = users.body || excluded.body,
        updated_at = excluded.updated_at)
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
    returning user_id, xmax = 0 as added, access_role`.execute(tx);
  await tell(tx, scope, 'user.add', place, items, new Map(rows.filter((row) => row.added).map(idAndRole)));
  await tell(
    tx,
    scope,
    'user.update',
    place,
    items,
    new Map(rows.filter((row) => !row.added).map(idAndRole)),
  );
}

/** Updates those who are users of the place; answers their ids. */
export async function updateUsers(
  tx: Tx,
  scope: Scope,
  place: UserPlace,
  users: NewUser[],
): Promise<Set<string>> {
  const items = itemsOf(users);
  const { resourceType, resourceId } = resourceOf(place);
  const now = sql`cast(${Date.now()} as bigint)`;
  const { rows } = await sql<{ userId: string; accessRole: AccessRole }>`
    with item as materialized (select * from ${recordset(items)}),
    member as (
      select grants.user_id from grants join item on item."userId" = grants.user_id
      where grants.api_key_id = ${scope.apiKeyId} and grants.organization_id = ${place.organizationId}
        and grants.resource_type = ${resourceType} and grants.resource_id = ${resourceId}
        and (grants.expires_at is null or grants.expires_at > ${now})
      order by grants.user_id for no key update of grants),
    profile as (
      insert into users (api_key_id, user_id, name, email, body, created_at, updated_at)
      select ${scope.apiKeyId}, item."userId", item.name, item.email, item.body, ${now}, ${now}
      from item join member on member.user_id = item."userId" order by item."userId"
      on conflict (api_key_id, user_id) do update set name = coalesce(excluded.name, users.name),
        email = coalesce(excluded.email, users.email), body = users.body || excluded.body,
        updated_at = excluded.updated_at)
    update grants set access_role = coalesce(item."accessRole", grants.access_role), updated_at = ${now}
    from item join member on member.user_id = item."userId"
    where grants.api_key_id = ${scope.apiKeyId} and grants.organization_id = ${place.organizationId}
      and grants.resource_type = ${resourceType} and grants.resource_id = ${resourceId}
      and grants.user_id = item."userId"
    returning grants.user_id, grants.access_role`.execute(tx);
  const updated = new Map(rows.map(idAndRole));
  await tell(tx, scope, 'user.update', place, items, updated);
  return new Set(updated.keys());
}

/**
 * Takes users out of a document or folder; or out of an organization, with everything they were granted
 * within it and their groups. Answers the ids of those that were there. Their profile stays for what they wrote.
 */
export async function removeUsers(
  tx: Tx,
  scope: Scope,
  place: UserPlace,
  userIds: string[],
): Promise<Set<string>> {
  const { organizationId } = place;
  const { resourceType, resourceId } = resourceOf(place);
  let held = tx
    .selectFrom('grants')
    .select(['resourceType', 'resourceId', 'userId'])
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('userId', 'in', userIds);
  if (resourceType !== 'organization') {
    held = held.where('resourceType', '=', resourceType).where('resourceId', '=', resourceId);
  }
  // Locked in one order, so that two removals at once cannot wait for each other's rows crosswise.
  const removed = await tx
    .with('held', () => held.orderBy('userId').orderBy('resourceType').orderBy('resourceId').forUpdate())
    .deleteFrom('grants')
    .using('held')
    .where('grants.apiKeyId', '=', scope.apiKeyId)
    .where('grants.organizationId', '=', organizationId)
    .whereRef('grants.resourceType', '=', 'held.resourceType')
    .whereRef('grants.resourceId', '=', 'held.resourceId')
    .whereRef('grants.userId', '=', 'held.userId')
    .returning('grants.userId')
    .execute();
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

const tell = (
  tx: Tx,
  scope: Scope,
  name: 'user.add' | 'user.update',
  place: UserPlace,
  items: Item[],
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

/** Of one id sent twice the later fields win. In the order of ids, so that batches cannot lock crosswise. */
function itemsOf(users: NewUser[]): Item[] {
  const items = new Map<string, Item>();
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
