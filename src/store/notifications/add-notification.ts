import { type CompiledQuery, sql } from 'kysely';
import { prepared, type Statement } from '../../db/prepared.ts';
import { type EventPayload, events } from '../../events/event-catalog.ts';
import { eventColumns, insertEvents } from '../../events/insert-events.ts';
import { newTimedId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import {
  hasOrganization,
  organizationAdded,
  organizationTables,
  type PresentOrganization,
  presentOrganization,
} from '../platform/present-organization.ts';
import { asEvent, distinctById, insertLearned, learnedFrom, type NewNotification } from './notifications.ts';
import { firstTimestamps } from './ordered-timestamps.ts';

export interface AddedNotification {
  hasOrganization: boolean;
  /** False if the organization or the document is missing. */
  isAdded: boolean;
}

/**
 * A statement that adds a notification with a new id on an existing document, and with `create` also its organization.
 * Does the same as `putNotification` after the locks.
 */
export function notificationAddition(
  scope: Scope,
  notification: NewNotification,
  { create }: { create: boolean },
): Statement<AddedNotification> {
  const { organizationId, actionUser, recipients: sent, ...item } = notification;
  const recipients = distinctById(sent);
  const payload = events['notification.add'].parse(asEvent({ ...notification, recipients }));
  return insertNotification.with({
    ...presentOrganization(scope, organizationId, { create }),
    documentId: notification.documentId,
    item: JSON.stringify({
      ...item,
      actionUserId: actionUser.userId,
      userIds: recipients.map(({ userId }) => userId),
    }),
    users: JSON.stringify(learnedFrom([{ scope, users: [actionUser, ...recipients] }])),
    eventId: newTimedId('evt'),
    event: JSON.stringify(payload),
  });
}

interface Arguments extends PresentOrganization {
  documentId: string | null;
  item: string;
  users: string;
  eventId: string;
  event: string;
}

const insertNotification = prepared<Arguments, AddedNotification>((db, args) => {
  const { apiKeyId, workspaceId, organizationId, documentId, now } = args;
  const added = eventColumns({
    apiKeyId,
    workspaceId,
    eventId: args.eventId,
    name: 'notification.add',
    payload: sql<EventPayload<'notification.add'>>`cast(${args.event} as jsonb)`,
    createdAt: now,
  });
  const isForOrganization = sql`cast(${documentId} as text) is null`;
  const query = sql<AddedNotification>`
    with item as materialized (select cast(${apiKeyId} as text) as "apiKeyId",
      cast(${organizationId} as text) as "organizationId", item.*
      from jsonb_to_record(cast(${args.item} as jsonb)) as item("notificationId" text, "documentId" text,
        "locationId" text, source text, "actionUserId" text, "targetAnnotationId" text, "forAll" boolean,
        "accessFields" text[], visibility jsonb, body jsonb, "userIds" jsonb)),
    -- An organization that is added has no document.
    ${organizationTables(args, isForOrganization)},
    document as materialized (
      select 1 from documents where api_key_id = ${apiKeyId} and organization_id = ${organizationId}
        and document_id = ${documentId} for key share),
    moment as materialized (${firstTimestamps('notifications', sql`cast(${now} as bigint)`)}),
    one as (
      insert into notifications (api_key_id, organization_id, notification_id, document_id, location_id, source,
        action_user_id, target_annotation_id, for_all, access_fields, visibility, body, created_at, updated_at)
      select "apiKeyId", "organizationId", "notificationId", "documentId", "locationId", source, "actionUserId",
        "targetAnnotationId", "forAll", "accessFields", visibility, body, moment.at, moment.at
      from item join moment using ("apiKeyId", "organizationId")
      where ${hasOrganization} and (${isForOrganization} or exists (select from document))
      returning created_at),
    named as (
      insert into notification_recipients (api_key_id, organization_id, notification_id, user_id, for_you, created_at)
      select "apiKeyId", "organizationId", "notificationId", recipient.user_id, true, one.created_at
      from one cross join item cross join lateral jsonb_array_elements_text("userIds") as recipient(user_id)),
    learned as (${insertLearned(
      sql`cast(${args.users} as jsonb)`,
      sql`cast(${now} as bigint)`,
      sql`item."apiKeyId" = ${apiKeyId} and exists (select from one)`,
    )}),
    announced as (${insertEvents(
      sql`select ${organizationAdded(args)}, 0 as position from made union all select ${added}, 1 from one`,
      sql`position`,
    )})
    select ${hasOrganization} as has_organization, exists (select from one) as is_added`;
  return { compile: () => query.compile(db) as CompiledQuery<AddedNotification> };
});
