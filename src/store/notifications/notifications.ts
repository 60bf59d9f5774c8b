import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { condition, json, ofTheirKey, rowsOf } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { EventPayload } from '../../events/event-catalog.ts';
import { eventColumns, insertEvents } from '../../events/insert-events.ts';
import { newTimedId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { firstTimestamps, withPlaces } from './ordered-timestamps.ts';
import { setRecipients } from './recipients.ts';

export interface Recipient {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
}

export interface NewNotification {
  organizationId: string;
  /** Null for the organization as a whole. */
  documentId: string | null;
  notificationId: string;
  locationId: string | null;
  source: string;
  actionUser: Recipient;
  targetAnnotationId: string | null;
  forAll: boolean;
  accessFields: string[] | null;
  visibility: Record<string, unknown> | null;
  /** The other fields of the record. */
  body: Record<string, unknown>;
  /** The users that it names. */
  recipients: Recipient[];
}

export interface ScopedNotification extends NewNotification {
  scope: Scope;
}

/**
 * Upserts a notification in a locked organization and document. An existing one keeps its place in lists, and the read
 * state of users that it still names.
 */
export const putNotification = (tx: Tx, scope: Scope, notification: NewNotification): Promise<void> =>
  putNotifications(tx, [{ ...notification, scope }]);

/** Upserts many notifications with distinct ids; lists show them in the order given. */
export async function putNotifications(tx: Tx, sent: ScopedNotification[]): Promise<void> {
  if (sent.length === 0) return;
  const notifications = sent.map((one) => ({ ...one, recipients: distinctById(one.recipients) }));
  const writtenOver = await writeNotifications(tx, notifications);
  for (const { scope, organizationId, notificationId, recipients } of notifications) {
    if (!writtenOver.has(keyOf(scope, organizationId, notificationId))) continue;
    const userIds = recipients.map(({ userId }) => userId);
    await setRecipients(tx, scope, organizationId, [{ notificationId, userIds }]);
  }
  await learnUsersOf(
    tx,
    notifications.map(({ scope, actionUser, recipients }) => ({ scope, users: [actionUser, ...recipients] })),
  );
}

export const asEvent = (notification: NewNotification): EventPayload<'notification.add'> => {
  const { organizationId, documentId, notificationId, source, forAll, recipients, body } = notification;
  return {
    organizationId,
    ...(documentId !== null && { documentId }),
    notificationId,
    notificationSource: source,
    notification: { id: notificationId, notificationSource: source, ...body },
    notifyAll: forAll,
    notifyUserIds: recipients.map(({ userId }) => userId),
  };
};

const keyOf = (...ids: [Pick<Scope, 'apiKeyId'>, string, string]) =>
  JSON.stringify([ids[0].apiKeyId, ids[1], ids[2]]);

const writtenRow = z.object({ apiKeyId: z.string(), organizationId: z.string(), notificationId: z.string() });

/** The event of an `item` of `writeNotifications`; equivalent to `asEvent`. */
const eventOfItem = (createdAt: number): RawBuilder<unknown> =>
  eventColumns({
    apiKeyId: sql`item."apiKeyId"`,
    workspaceId: sql`item."workspaceId"`,
    eventId: sql`item."eventId"`,
    name: 'notification.add',
    payload: sql<EventPayload<'notification.add'>>`
      case when item."documentId" is null then '{}' else jsonb_build_object('documentId', item."documentId") end
      || jsonb_build_object('organizationId', item."organizationId", 'notificationId', item."notificationId",
        'notificationSource', item.source, 'notification',
        jsonb_build_object('id', item."notificationId", 'notificationSource', item.source) || item.body,
        'notifyAll', item."forAll", 'notifyUserIds', item."userIds")`,
    createdAt,
  });

/** Writes the rows and their events; answers the keys of those that were there before. */
async function writeNotifications(tx: Tx, notifications: ScopedNotification[]): Promise<Set<string>> {
  const items = withPlaces(
    notifications.map(({ scope, actionUser, recipients, ...one }, position) => ({
      ...one,
      apiKeyId: scope.apiKeyId,
      workspaceId: scope.workspaceId,
      eventId: newTimedId('evt'),
      position,
      actionUserId: actionUser.userId,
      userIds: recipients.map(({ userId }) => userId),
    })),
  );
  // Of a row that an insert just made, no transaction has changed it (xmax); one that it met has this one.
  const rows = await rowsOf(
    tx,
    writtenRow,
    sql`
    with item as materialized (select * from jsonb_to_recordset(${json(items)}) as item("apiKeyId" text,
      "organizationId" text, "notificationId" text, "documentId" text, "locationId" text, source text,
      "actionUserId" text, "targetAnnotationId" text, "forAll" boolean, "accessFields" text[], visibility jsonb,
      body jsonb, "userIds" jsonb, place bigint, "workspaceId" text, "eventId" text, position integer)
      where ${ofTheirKey(items)}),
    moment as materialized (${firstTimestamps('notifications')}),
    one as (
      insert into notifications (api_key_id, organization_id, notification_id, document_id, location_id, source,
        action_user_id, target_annotation_id, for_all, access_fields, visibility, body, created_at, updated_at)
      select item."apiKeyId", item."organizationId", item."notificationId", item."documentId", item."locationId",
        item.source, item."actionUserId", item."targetAnnotationId", item."forAll", item."accessFields",
        item.visibility, item.body, moment.at + item.place, moment.at + item.place
      from item join moment using ("apiKeyId", "organizationId")
      order by item."apiKeyId", item."organizationId", item."notificationId"
      on conflict (api_key_id, organization_id, notification_id) do update set
        document_id = excluded.document_id, location_id = excluded.location_id, source = excluded.source,
        action_user_id = excluded.action_user_id, target_annotation_id = excluded.target_annotation_id,
        for_all = excluded.for_all, access_fields = excluded.access_fields, visibility = excluded.visibility,
        body = excluded.body, updated_at = excluded.updated_at
      returning api_key_id, organization_id, notification_id, created_at, xmax = 0 as is_new),
    named as (
      insert into notification_recipients (api_key_id, organization_id, notification_id, user_id, for_you, created_at)
      select one.api_key_id, one.organization_id, one.notification_id, recipient.user_id, true, one.created_at
      from one join item on item."apiKeyId" = one.api_key_id and item."organizationId" = one.organization_id
        and item."notificationId" = one.notification_id
      cross join lateral jsonb_array_elements_text(item."userIds") as recipient(user_id)
      order by one.api_key_id, one.organization_id, one.notification_id, recipient.user_id
      on conflict (api_key_id, organization_id, notification_id, user_id) do update set for_you = true),
    event as (${insertEvents(sql`select ${eventOfItem(Date.now())}, item.position from item`, sql`position`)})
    select api_key_id, organization_id, notification_id from one where not is_new`,
  );
  return new Set(rows.map((row) => keyOf(row, row.organizationId, row.notificationId)));
}

/** Adds names and addresses of users that a caller names, where they are unknown. */
export const learnUsers = (tx: Tx, scope: Scope, users: Recipient[]): Promise<void> =>
  learnUsersOf(tx, [{ scope, users }]);

type LearnedUser = Recipient & { apiKeyId: string };

/** The users of many callers that have a name or an address; the first value of each user counts. */
export function learnedFrom(callers: { scope: Scope; users: Recipient[] }[]): LearnedUser[] {
  const learned = new Map<string, LearnedUser>();
  for (const { scope, users } of callers) {
    for (const { userId, name, email } of distinctById(users.filter((one) => one.name || one.email))) {
      const key = JSON.stringify([scope.apiKeyId, userId]);
      const known = learned.get(key);
      learned.set(key, {
        apiKeyId: scope.apiKeyId,
        userId,
        name: known?.name || name,
        email: known?.email || email,
      });
    }
  }
  return [...learned.values()];
}

async function learnUsersOf(tx: Tx, callers: { scope: Scope; users: Recipient[] }[]): Promise<void> {
  const learned = learnedFrom(callers);
  if (learned.length === 0) return;
  await insertLearned(json(learned), sql`cast(${Date.now()} as bigint)`, ofTheirKey(learned)).execute(tx);
}

/**
 * Adds users, and the names and addresses that known users lack, from a jsonb list of `LearnedUser`. Users that lack
 * nothing are left out beforehand: meeting them in the insert would lock them until the commit is on disk, and one actor's
 * notifications would wait for each other.
 */
export const insertLearned = (
  users: RawBuilder<unknown>,
  now: RawBuilder<unknown>,
  where: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => sql`
    insert into users (api_key_id, user_id, name, email, body, created_at, updated_at)
    select item."apiKeyId", item."userId", nullif(item.name, ''), nullif(item.email, ''), '{}', ${now}, ${now}
    from jsonb_to_recordset(${users}) as item("apiKeyId" text, "userId" text, name text, email text)
    where ${where} and not exists (select 1 from users as known
      where known.api_key_id = item."apiKeyId" and known.user_id = item."userId"
        and (known.name is not null or nullif(item.name, '') is null)
        and (known.email is not null or nullif(item.email, '') is null)
      -- Keeps PostgreSQL from hashing all users instead of looking up those of the items.
      offset 0)
    order by item."apiKeyId", item."userId"
    on conflict (api_key_id, user_id) do update set name = coalesce(users.name, excluded.name),
      email = coalesce(users.email, excluded.email), updated_at = excluded.updated_at
    where (users.name is null and excluded.name is not null)
      or (users.email is null and excluded.email is not null)`;

/** The users among these with a valid grant on the whole organization. */
export async function membersAmong(
  db: Db,
  { apiKeyId }: Scope,
  organizationId: string,
  userIds: string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('grants')
    .select('userId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('resourceType', '=', 'organization')
    .where(condition`user_id in (select jsonb_array_elements_text(${json(userIds)}))`)
    .where(({ or, eb }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', Date.now())]))
    .execute();
  return new Set(rows.map(({ userId }) => userId));
}

/** Distinct users, later entries first, sorted so that concurrent batches cannot deadlock. */
export const distinctById = (recipients: Recipient[]): Recipient[] =>
  [...new Map(recipients.map((one) => [one.userId, one])).values()].sort((a, b) =>
    a.userId < b.userId ? -1 : 1,
  );
