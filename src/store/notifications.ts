import { sql } from 'kysely';
import { json } from '../db/json.ts';
import type { Db, Tx } from '../db/tables.ts';
import { emit } from '../events/emit.ts';
import type { Scope } from '../lib/scope.ts';
import { nameRecipients } from './notification-recipients.ts';

export interface Recipient {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
}

export interface NewNotification {
  organizationId: string;
  /** Null where it is of the organization as a whole. */
  documentId: string | null;
  notificationId: string;
  locationId: string | null;
  source: string;
  actionUser: Recipient;
  targetAnnotationId: string | null;
  forAll: boolean;
  accessFields: string[] | null;
  visibility: Record<string, unknown> | null;
  /** The rest of the record, as the wire has it. */
  body: Record<string, unknown>;
  /** Whom it is for in particular. */
  recipients: Recipient[];
}

/**
 * Writes a notification in an organization and document that are held. One with the same id is written over:
 * it keeps its place in the lists and, for users that it still names, what they have read.
 */
export async function putNotification(tx: Tx, scope: Scope, notification: NewNotification): Promise<void> {
  const { apiKeyId } = scope;
  const { organizationId, documentId, notificationId, forAll } = notification;
  const recipients = inOrder(notification.recipients);
  const now = sql`cast(${Date.now()} as bigint)`;
  // Of a row that an insert just made, no transaction has changed it (xmax); one that it met has this one.
  const { rows } = await sql<{ isNew: boolean }>`
    with one as (
      insert into notifications (api_key_id, organization_id, notification_id, document_id, location_id, source,
        action_user_id, target_annotation_id, for_all, access_fields, visibility, body, created_at, updated_at)
      values (${apiKeyId}, ${organizationId}, ${notificationId}, ${documentId}, ${notification.locationId},
        ${notification.source}, ${notification.actionUser.userId}, ${notification.targetAnnotationId}, ${forAll},
        ${accessColumn(notification.accessFields)}, ${nullable(notification.visibility)},
        ${json(notification.body)}, ${now}, ${now})
      on conflict (api_key_id, organization_id, notification_id) do update set
        document_id = excluded.document_id, location_id = excluded.location_id, source = excluded.source,
        action_user_id = excluded.action_user_id, target_annotation_id = excluded.target_annotation_id,
        for_all = excluded.for_all, access_fields = excluded.access_fields, visibility = excluded.visibility,
        body = excluded.body, updated_at = excluded.updated_at
      returning created_at, xmax = 0 as is_new),
    named as (
      insert into notification_recipients (api_key_id, organization_id, notification_id, user_id, for_you, created_at)
      select ${apiKeyId}, ${organizationId}, ${notificationId}, item."userId", true, one.created_at
      from one, ${recordset(recipients)}
      on conflict (api_key_id, organization_id, notification_id, user_id) do update set for_you = true)
    select is_new from one`.execute(tx);
  if (!rows[0]!.isNew) {
    const userIds = recipients.map(({ userId }) => userId);
    await nameRecipients(tx, scope, organizationId, [{ notificationId, userIds }]);
  }
  await learnUsers(tx, scope, [notification.actionUser, ...recipients]);
  await emit(tx, scope, 'notification.add', {
    organizationId,
    ...(documentId !== null && { documentId }),
    notificationId,
    notificationSource: notification.source,
    notification: { id: notificationId, notificationSource: notification.source, ...notification.body },
    notifyAll: forAll,
    notifyUserIds: recipients.map(({ userId }) => userId),
  });
}

/** Fills in what is not known yet of users that a caller names; what is known stays. */
export async function learnUsers(tx: Tx, { apiKeyId }: Scope, users: Recipient[]): Promise<void> {
  const described = inOrder(users.filter(({ name, email }) => name || email));
  if (described.length === 0) return;
  const now = sql`cast(${Date.now()} as bigint)`;
  await sql`
    insert into users (api_key_id, user_id, name, email, body, created_at, updated_at)
    select ${apiKeyId}, item."userId", nullif(item.name, ''), nullif(item.email, ''), '{}', ${now}, ${now}
    from ${recordset(described)}
    on conflict (api_key_id, user_id) do update set name = coalesce(users.name, excluded.name),
      email = coalesce(users.email, excluded.email), updated_at = excluded.updated_at
    where (users.name is null and excluded.name is not null)
      or (users.email is null and excluded.email is not null)`.execute(tx);
}

/** Which of these users have an unexpired grant on the organization as a whole. */
export async function membersAmong(
  db: Db | Tx,
  { apiKeyId }: Scope,
  organizationId: string,
  userIds: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ userId: string }>`
    select user_id from grants
    where api_key_id = ${apiKeyId} and organization_id = ${organizationId} and resource_type = 'organization'
      and user_id in (select jsonb_array_elements_text(${json(userIds)}))
      and (expires_at is null or expires_at > cast(${Date.now()} as bigint))`.execute(db);
  return new Set(rows.map(({ userId }) => userId));
}

/** Each user once, the later entry in place of the earlier, in an order that batches at once share. */
const inOrder = (recipients: Recipient[]): Recipient[] =>
  [...new Map(recipients.map((one) => [one.userId, one])).values()].sort((a, b) =>
    a.userId < b.userId ? -1 : 1,
  );

const recordset = (recipients: Recipient[]) =>
  sql`jsonb_to_recordset(${json(
    recipients.map(({ userId, name, email }) => ({ userId, name, email })),
  )}) as item("userId" text, name text, email text)`;

/** A text array; both drivers take a list as it is, but not one that is to be null as well. */
export const accessColumn = (fields: string[] | null) =>
  fields === null ? sql`cast(null as text[])` : sql`array(select jsonb_array_elements_text(${json(fields)}))`;

export const nullable = (value: Record<string, unknown> | null) =>
  value === null ? sql`cast(null as jsonb)` : json(value);
