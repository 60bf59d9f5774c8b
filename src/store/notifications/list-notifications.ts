import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { preparedShapes } from '../../db/prepared.ts';
import { condition } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import { md5 } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { fillHeadline } from '../../lib/text/headline.ts';
import type { Notification } from '../../shapes/notification.ts';
import { DEFAULT_SETTINGS } from '../../shapes/notification-config.ts';
import { matchesAccessFields, type Reader, readableDocument, visibleTo } from '../access/visibility-sql.ts';

export interface NotificationFilter {
  organizationId: string;
  documentId?: string | undefined;
  locationId?: string | undefined;
  notificationIds?: string[] | undefined;
}

/** The reader of a list, and the rules that apply. */
export interface Inbox {
  reader: Reader;
  /**
   * If an API key asks, which has named the recipients, being named suffices. If a user asks, or for comments, the user
   * also needs access to the document.
   */
  namedSuffices: boolean;
  /** The channel whose settings apply; by default those of the inbox. */
  channel?: 'inbox' | 'email';
  /** The moment by which grants have expired or not; now by default. */
  now?: number;
}

export interface NotificationPosition {
  createdAt: number;
  notificationId: string;
}

interface Window {
  order: 'asc' | 'desc';
  limit: number;
  after?: NotificationPosition | undefined;
}

interface NotificationRow {
  notificationId: string;
  organizationId: string;
  documentId: string | null;
  locationId: string | null;
  source: string;
  targetAnnotationId: string | null;
  body: Record<string, unknown>;
  createdAt: number;
  actorName: string | null;
  actorEmail: string | null;
  forYou: boolean | null;
  readAt: number | null;
  named: Record<string, true> | null;
}

const noReader: Reader = {
  userId: '',
  organizationId: '',
  organizationDisabled: false,
  isMember: false,
  isAdmin: false,
  organizationIds: [],
  accessFields: [],
  tokenDocumentIds: [],
  tokenFolderIds: [],
  defaultAccessType: '',
};

type Listed = NotificationPosition & { record: Notification };

/** The part of a request that the text of its statement depends on; the rest are values. */
interface Shape extends Pick<Window, 'order' | 'limit'> {
  isAfter: boolean;
  ofDocument: boolean;
  ofLocation: boolean;
  inbox:
    | (Pick<Reader, 'organizationDisabled' | 'isMember' | 'isAdmin'> &
        Required<Pick<Inbox, 'namedSuffices' | 'channel'>>)
    | undefined;
}

interface Values extends Record<string, unknown>, NotificationPosition {
  apiKeyId: string;
  organizationId: string;
  documentId: string;
  locationId: string;
  userId: string;
  organizationIds: string[];
  accessFields: string[];
  defaultAccessType: string;
  now: number;
}

/** Building and planning the conditions of an inbox takes longer than reading a page of it. */
const runPrepared = preparedShapes((_, values: Values, shape: Shape) => {
  const { apiKeyId, organizationId, documentId, locationId, createdAt, notificationId, now } = values;
  const { userId, organizationIds, accessFields, defaultAccessType } = values;
  const { order, limit, isAfter: isFurther, ofDocument, ofLocation, inbox } = shape;
  const reader = { userId, organizationId, organizationIds, accessFields, defaultAccessType };
  return listed(
    { apiKeyId, workspaceId: '' },
    { organizationId, ...(ofDocument && { documentId }), ...(ofLocation && { locationId }) },
    { order, limit, ...(isFurther && { after: { createdAt, notificationId } }) },
    inbox && { ...inbox, now, reader: { ...reader, ...inbox, tokenDocumentIds: [], tokenFolderIds: [] } },
  );
});

/** One page by age, after a position (keyset pagination): of all notifications, or of one inbox. */
export async function listNotifications(
  db: Db,
  scope: Scope,
  filter: NotificationFilter,
  window: Window,
  inbox?: Inbox,
): Promise<Listed[]> {
  const found = await selectListed(db, scope, filter, window, inbox);
  return found.map((row) => ({
    createdAt: row.createdAt,
    notificationId: row.notificationId,
    record: presentNotification(scope, row, inbox?.reader.userId),
  }));
}

async function selectListed(
  db: Db,
  scope: Scope,
  filter: NotificationFilter,
  window: Window,
  inbox: Inbox | undefined,
): Promise<NotificationRow[]> {
  const { reader, namedSuffices = false, channel = 'inbox' } = inbox ?? {};
  // Lists of ids would make many shapes, and few tokens have grants of their own.
  const isPlain =
    filter.notificationIds === undefined &&
    (!reader || reader.tokenDocumentIds.length + reader.tokenFolderIds.length === 0);
  if (!isPlain) return (await listed(scope, filter, window, inbox).execute(db)).rows;
  const { organizationDisabled, isMember, isAdmin, ...values } = reader ?? noReader;
  return await runPrepared(
    db,
    {
      ...values,
      apiKeyId: scope.apiKeyId,
      organizationId: filter.organizationId,
      documentId: filter.documentId ?? '',
      locationId: filter.locationId ?? '',
      createdAt: window.after?.createdAt ?? 0,
      notificationId: window.after?.notificationId ?? '',
      now: Date.now(),
    },
    {
      order: window.order,
      limit: window.limit,
      isAfter: window.after !== undefined,
      ofDocument: filter.documentId !== undefined,
      ofLocation: filter.locationId !== undefined,
      inbox: reader && { organizationDisabled, isMember, isAdmin, namedSuffices, channel },
    },
  );
}

function listed(
  scope: Scope,
  filter: NotificationFilter,
  window: Window,
  inbox: Inbox | undefined,
): RawBuilder<NotificationRow> {
  return sql`select ${shownColumns}, users.name as actor_name, users.email as actor_email,
      ${inbox ? sql`notifications.for_you, notifications.read_at` : namedColumn}
    from (${inbox ? inboxOf(scope, filter, window, inbox) : everything(scope, filter, window)}) as notifications
    left join users on users.api_key_id = notifications.api_key_id
      and users.user_id = notifications.action_user_id
    order by notifications.created_at ${direction(window)}, notifications.notification_id ${direction(window)}`;
}

/** The notifications of a filter that are in an inbox, with their documents. */
export async function findInInbox(
  db: Db,
  scope: Scope,
  filter: NotificationFilter,
  inbox: Inbox,
): Promise<{ notificationId: string; documentId: string | null }[]> {
  const all = { order: 'asc', limit: filter.notificationIds?.length ?? 1 } as const;
  const found = sql<Pick<NotificationRow, 'notificationId' | 'documentId'>>`
    select notification_id, document_id from (${inboxOf(scope, filter, all, inbox)}) as notifications`;
  return (await found.execute(db)).rows;
}

const shownColumns = sql.raw(
  [
    ...['notification_id', 'organization_id', 'document_id', 'location_id', 'source', 'target_annotation_id'],
    ...['body', 'created_at'],
  ]
    .map((column) => `notifications.${column}`)
    .join(', '),
);

const namedColumn = sql`(select jsonb_object_agg(md5(named.user_id), true) from notification_recipients as named
  where named.api_key_id = notifications.api_key_id and named.organization_id = notifications.organization_id
    and named.notification_id = notifications.notification_id and named.for_you) as named`;

const everything = (scope: Scope, filter: NotificationFilter, window: Window) => sql`
  select notifications.* from notifications
  where ${inFilter(scope, filter)} and ${isAfter(window, 'notifications')} ${inOrder(window, 'notifications')}`;

/**
 * The notifications of one user: two lists that indexes hold in order are merged, those with a row for the user and
 * those for all. If the filter is narrow by itself, its own list is scanned instead.
 */
function inboxOf(scope: Scope, filter: NotificationFilter, window: Window, inbox: Inbox) {
  const { userId } = inbox.reader;
  const ofUser = sql`api_key_id = ${scope.apiKeyId} and organization_id = ${filter.organizationId}
    and notification_id = notifications.notification_id and user_id = ${userId}`;
  const fits = (forYou: RawBuilder<unknown>) => isDelivered(scope, filter, inbox, forYou);
  const forYou = sql`coalesce(mine.for_you, false)`;
  if (filter.documentId !== undefined || filter.notificationIds) {
    return sql`select notifications.*, ${forYou} as for_you, mine.read_at from notifications
      left join lateral (select for_you, read_at from notification_recipients where ${ofUser} limit 1) as mine on true
      where ${inFilter(scope, filter)} and ${fits(forYou)}
        and ${isAfter(window, 'notifications')} ${inOrder(window, 'notifications')}`;
  }
  // Redundant limits and offsets keep the planner from joining and sorting the whole lists.
  return sql`
    (select notifications.*, mine.for_you, mine.read_at from notification_recipients as mine
      cross join lateral (select * from notifications where ${inFilter(scope, filter)}
        and notifications.notification_id = mine.notification_id limit 1) as notifications
      where mine.api_key_id = ${scope.apiKeyId} and mine.organization_id = ${filter.organizationId}
        and mine.user_id = ${userId} and ${fits(sql`mine.for_you`)}
        and ${isAfter(window, 'mine')} ${inOrder(window, 'mine')})
    union all
    (select notifications.*, false, cast(null as bigint) from notifications
      where ${inFilter(scope, filter)} and notifications.for_all
        and not exists (select 1 from notification_recipients where ${ofUser} offset 0) and ${fits(sql`false`)}
        and ${isAfter(window, 'notifications')} ${inOrder(window, 'notifications')})
    ${inOrder(window)}`;
}

const inFilter = (
  { apiKeyId }: Scope,
  { organizationId, documentId, locationId, notificationIds }: NotificationFilter,
): RawBuilder<SqlBool> => condition`notifications.api_key_id = ${apiKeyId}
  and notifications.organization_id = ${organizationId}
  ${documentId === undefined ? sql`` : sql`and notifications.document_id = ${documentId}`}
  ${locationId === undefined ? sql`` : sql`and notifications.location_id = ${locationId}`}
  ${notificationIds ? sql`and notifications.notification_id in (${sql.join(notificationIds)})` : sql``}`;

/** The user is a recipient, may see the notification, and has not turned it off. */
function isDelivered(
  { apiKeyId }: Scope,
  { organizationId }: NotificationFilter,
  { reader, namedSuffices, channel = 'inbox', now }: Inbox,
  named: RawBuilder<unknown>,
) {
  // Membership comes from a token. The store may not know it, so an API key gets all.
  const forAll =
    reader.isMember || namedSuffices
      ? sql`notifications.for_all`
      : sql`notifications.for_all and ${readableDocument(reader, 'notifications', { openToAll: false, ...(now !== undefined && { now }) })}`;
  const ofOrganization = reader.organizationDisabled ? sql`false` : reader.isMember ? sql`true` : named;
  const ofUser = sql`from notification_settings as settings where settings.api_key_id = ${apiKeyId}
    and settings.organization_id = ${organizationId} and settings.user_id = ${reader.userId}`;
  const setting = (documentId: RawBuilder<unknown>) =>
    sql`(select settings.config ->> ${channel} ${ofUser} and settings.document_id = ${documentId})`;
  // Most users have no settings, which is looked up once and not for each row.
  const chosen = sql`case when exists (select ${ofUser})
    then coalesce(${setting(sql`notifications.document_id`)}, ${setting(sql`''`)}) end`;
  // For a `case` the planner assumes a selectivity of one half and scans the list in order until the page is full. As
  // separate conditions they would seem very selective, and the whole list would be sorted.
  return condition`case when (${forAll} or ${named})
    and (${named} or notifications.source = 'custom' or notifications.action_user_id <> ${reader.userId})
    and ${visibleTo(reader, 'notifications')} and (notifications.access_fields is null
      or ${matchesAccessFields(reader, sql`unnest(notifications.access_fields)`)})
    and (${namedSuffices ? sql`(notifications.source <> 'comment' and ${named})` : sql`false`}
      or (notifications.document_id is null and ${ofOrganization})
      or (notifications.document_id is not null and ${readableDocument(reader, 'notifications', now === undefined ? {} : { now })}))
    and case coalesce(${chosen}, ${DEFAULT_SETTINGS[channel]})
      when 'NONE' then false when 'MINE' then ${named} else true end
    then true else false end`;
}

const direction = ({ order }: Window) => sql.raw(order);

function isAfter({ after, order }: Window, table: string): RawBuilder<SqlBool> {
  if (!after) return condition`true`;
  return condition`(${sql.ref(`${table}.createdAt`)}, ${sql.ref(`${table}.notificationId`)})
    ${sql.raw(order === 'asc' ? '>' : '<')} (cast(${after.createdAt} as bigint), ${after.notificationId})`;
}

function inOrder(window: Window, table?: string) {
  const column = (name: string) => sql.ref(table ? `${table}.${name}` : name);
  return sql`order by ${column('createdAt')} ${direction(window)}, ${column('notificationId')} ${direction(window)}
    limit ${sql.lit(window.limit)}`;
}

function presentNotification(
  { apiKeyId }: Scope,
  row: NotificationRow,
  readerId: string | undefined,
): Notification {
  const { actionUser: sentActor, metadata, displayBodyMessage, ...body } = row.body;
  const actionUser = {
    ...(sentActor as { userId: string }),
    ...(row.actorName !== null && { name: row.actorName }),
    ...(row.actorEmail !== null && { email: row.actorEmail }),
  };
  const filled = (template: unknown, data: unknown) =>
    typeof template === 'string' ? fillHeadline(template, { actionUser, ...(data as object) }) : undefined;
  const headline = filled(body.displayHeadlineMessageTemplate, body.displayHeadlineMessageTemplateData);
  const bodyMessage =
    displayBodyMessage ?? filled(body.displayBodyMessageTemplate, body.displayBodyMessageTemplateData);
  const named = readerId === undefined ? row.named : row.forYou ? { [md5(readerId)]: true as const } : null;
  return {
    ...body,
    id: row.notificationId,
    notificationSource: row.source,
    actionUser,
    timestamp: row.createdAt,
    ...(headline !== undefined && { displayHeadlineMessage: headline }),
    ...(bodyMessage !== undefined && { displayBodyMessage: bodyMessage as string }),
    ...(row.targetAnnotationId !== null && { targetAnnotationId: row.targetAnnotationId }),
    isNotificationResolverUsed: body.isNotificationResolverUsed === true,
    metadata: {
      ...(metadata as object | undefined),
      apiKey: apiKeyId,
      organizationId: row.organizationId,
      ...(row.documentId !== null && { documentId: row.documentId }),
      ...(row.locationId !== null && { locationId: row.locationId }),
    },
    ...(named && { notifyUsersByUserId: named }),
    ...(readerId !== undefined && { isUnread: row.readAt === null, forYou: row.forYou === true }),
    ...(row.readAt != null && { readAt: row.readAt }),
  };
}
