import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { condition, json, rowsOf } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

/** Filters that a notification must match; absent ones match all. */
export interface NotificationSelection {
  organizationId: string;
  documentId?: string | undefined;
  locationId?: string | undefined;
  /** Notifications that name this user. */
  userId?: string | undefined;
  notificationIds?: string[] | undefined;
}

export interface NotificationChange {
  notificationId: string;
  actionUserId: string | null;
  locationId: string | null;
  /** Undefined keeps them. */
  accessFields: string[] | null | undefined;
  /** Fields that replace those of the record. */
  body: Record<string, unknown>;
}

/** Locks notifications in the order of ids, so that concurrent batches cannot deadlock. */
export async function lockNotifications(
  tx: Tx,
  scope: Scope,
  selection: NotificationSelection,
): Promise<{ notificationId: string; documentId: string | null }[]> {
  return await tx
    .selectFrom('notifications')
    .select(['notificationId', 'documentId'])
    .where(matches(scope, selection))
    .orderBy('notificationId')
    .forNoKeyUpdate()
    .execute();
}

/** Changes locked notifications. */
export async function changeNotifications(
  tx: Tx,
  { apiKeyId }: Scope,
  organizationId: string,
  changes: NotificationChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const items = changes.map(({ accessFields, ...change }) => ({
    ...change,
    accessFields,
    setsAccess: accessFields !== undefined,
  }));
  await sql`
    update notifications set body = notifications.body || item.body,
      action_user_id = coalesce(item."actionUserId", notifications.action_user_id),
      location_id = coalesce(item."locationId", notifications.location_id),
      access_fields = case when item."setsAccess" then item."accessFields" else notifications.access_fields end,
      updated_at = cast(${Date.now()} as bigint)
    from jsonb_to_recordset(${json(items)}) as item("notificationId" text, "actionUserId" text,
      "locationId" text, "accessFields" text[], "setsAccess" boolean, body jsonb)
    where notifications.api_key_id = ${apiKeyId} and notifications.organization_id = ${organizationId}
      and notifications.notification_id = item."notificationId"`.execute(tx);
}

const deletedRow = z.object({ notificationId: z.string() });

/** Deletes notifications for all recipients, and returns their ids. */
export async function deleteNotifications(
  tx: Tx,
  scope: Scope,
  selection: NotificationSelection,
): Promise<string[]> {
  const rows = await rowsOf(
    tx,
    deletedRow,
    sql`
    with held as materialized (select notification_id from notifications where ${matches(scope, selection)}
      order by notification_id for update)
    delete from notifications using held
    where notifications.api_key_id = ${scope.apiKeyId}
      and notifications.organization_id = ${selection.organizationId}
      and notifications.notification_id = held.notification_id
    returning notifications.notification_id`,
  );
  return rows.map(({ notificationId }) => notificationId);
}

const matches = ({ apiKeyId }: Scope, selection: NotificationSelection): RawBuilder<SqlBool> => {
  const { organizationId, documentId, locationId, userId, notificationIds } = selection;
  const when = (value: unknown, condition: RawBuilder<unknown>) => (value === undefined ? sql`` : condition);
  return condition`notifications.api_key_id = ${apiKeyId}
    and notifications.organization_id = ${organizationId}
    ${when(documentId, sql`and notifications.document_id = ${documentId}`)}
    ${when(locationId, sql`and notifications.location_id = ${locationId}`)}
    ${when(
      userId,
      sql`and notifications.notification_id in (select notification_id from notification_recipients
      where api_key_id = ${apiKeyId} and organization_id = ${organizationId} and user_id = ${userId} and for_you)`,
    )}
    ${when(
      notificationIds,
      sql`and notifications.notification_id in (select jsonb_array_elements_text(${json(notificationIds ?? [])}))`,
    )}`;
};
