import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

/** Join conditions between `item` and the notification it names. */
const sameNotification = ({ apiKeyId }: Scope, organizationId: string) => sql`
  notifications.api_key_id = ${apiKeyId} and notifications.organization_id = ${organizationId}
    and notifications.notification_id = item."notificationId"`;
const sameRecipient = ({ apiKeyId }: Scope, organizationId: string) => sql`
  notification_recipients.api_key_id = ${apiKeyId}
    and notification_recipients.organization_id = ${organizationId}
    and notification_recipients.notification_id = item."notificationId"`;

/**
 * Sets the users that notifications name. A user that is no longer named loses the notification, unless it is for all.
 * The caller has locked the notifications.
 */
export async function setRecipients(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  named: { notificationId: string; userIds: string[] }[],
): Promise<void> {
  if (named.length === 0) return;
  const notNamed = sql`${sameRecipient(scope, organizationId)} and ${sameNotification(scope, organizationId)}
    and not jsonb_exists(item."userIds", notification_recipients.user_id)`;
  await sql`
    with item as materialized (select * from jsonb_to_recordset(${json(named)})
      as item("notificationId" text, "userIds" jsonb)),
    gone as (delete from notification_recipients using item, notifications
      where ${notNamed} and not notifications.for_all),
    as_all as (update notification_recipients set for_you = false from item, notifications
      where ${notNamed} and notifications.for_all and notification_recipients.for_you)
    insert into notification_recipients (api_key_id, organization_id, notification_id, user_id, for_you, created_at)
    select distinct on (item."notificationId", one.user_id) ${scope.apiKeyId}, ${organizationId},
      item."notificationId", one.user_id, true, notifications.created_at
    from item join notifications on ${sameNotification(scope, organizationId)}
    cross join lateral jsonb_array_elements_text(item."userIds") as one(user_id)
    order by item."notificationId", one.user_id
    on conflict (api_key_id, organization_id, notification_id, user_id) do update set for_you = true`.execute(
    tx,
  );
}

export interface ReadChange {
  notificationId: string;
  read: string[];
  unread: string[];
  /** Marks it as unread for all other users. */
  othersUnread: boolean;
}

/** Sets the read state of recipients. The caller has locked the notifications. */
export async function recordReads(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  reads: ReadChange[],
): Promise<void> {
  if (reads.length === 0) return;
  const items = sql`jsonb_to_recordset(${json(reads)})
    as item("notificationId" text, read jsonb, unread jsonb, "othersUnread" boolean)`;
  // The planner takes a list of JSON for a hundred entries. The limit and the offset keep it from reading all
  // notifications and all recipients for them.
  await sql`
    insert into notification_recipients
      (api_key_id, organization_id, notification_id, user_id, for_you, read_at, created_at)
    select distinct on (item."notificationId", reader.user_id) ${scope.apiKeyId}, ${organizationId},
      item."notificationId", reader.user_id, false, cast(${Date.now()} as bigint), notifications.created_at
    from ${items} cross join lateral (select for_all, created_at from notifications
      where ${sameNotification(scope, organizationId)} limit 1) as notifications
    cross join lateral jsonb_array_elements_text(item.read) as reader(user_id)
    where notifications.for_all or exists (select 1 from notification_recipients
      where ${sameRecipient(scope, organizationId)} and notification_recipients.user_id = reader.user_id offset 0)
    order by item."notificationId", reader.user_id
    on conflict (api_key_id, organization_id, notification_id, user_id) do update
      set read_at = coalesce(notification_recipients.read_at, excluded.read_at)`.execute(tx);
  await sql`
    update notification_recipients set read_at = null from ${items}
    where ${sameRecipient(scope, organizationId)} and notification_recipients.read_at is not null
      and not jsonb_exists(item.read, notification_recipients.user_id)
      and (item."othersUnread" or jsonb_exists(item.unread, notification_recipients.user_id))`.execute(tx);
}
