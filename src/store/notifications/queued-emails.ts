import { sql } from 'kysely';
import { z } from 'zod';
import { condition, json, rowsOf } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { cutText, storable } from '../../lib/text/cut-text.ts';
import { DEFAULT_SETTINGS } from '../../shapes/notification-config.ts';

export interface NotificationRef {
  organizationId: string;
  notificationId: string;
}

/** Groups mails to a user into one: all of them, or those about one document. */
export type MailGrouping = 'user' | 'document';

/** A notification to queue mails about. */
export interface MailRequest extends NotificationRef {
  apiKeyId: string;
  /** When a mail that is not grouped is due. */
  dueAt: number;
  /** Debounce: a mail waits this much longer for others of its group, unless `upTo` of them wait already. */
  gather?: { by: MailGrouping; windowMs: number; upTo: number } | undefined;
}

const queuedRow = z.object({
  apiKeyId: z.string(),
  organizationId: z.string(),
  notificationId: z.string(),
  dueAt: z.number(),
});

/**
 * Queues a mail for each user that a notification names or that wants mail about everything, if the user has an
 * address and no mail about the notification yet. Returns, in the same order, the times at which mails about each
 * notification are due. Notifications must be distinct, and those of one API key grouped alike.
 */
export async function queueMails(tx: Tx, wanted: MailRequest[]): Promise<number[][]> {
  if (wanted.length === 0) return [];
  const items = wanted.map(({ gather, ...request }, place) => ({ ...request, ...gather, place }));
  const setting = (document: ReturnType<typeof sql>) => sql`(select config ->> 'email'
    from notification_settings as settings
    where settings.api_key_id = one.api_key_id and settings.organization_id = one.organization_id
      and settings.user_id = candidate.user_id and settings.document_id = ${document})`;
  // Includes the rows of this statement, which cannot see each other.
  const waiting = sql`(select count(*) from notification_emails as other
    join notifications as about on about.api_key_id = other.api_key_id
      and about.organization_id = other.organization_id and about.notification_id = other.notification_id
    where other.api_key_id = mail.api_key_id and other.organization_id = mail.organization_id
      and other.user_id = mail.user_id and other.status = 'pending'
      and (mail.by = 'user' or about.document_id is not distinct from mail.document_id))
    + row_number() over (partition by mail.api_key_id, mail.organization_id, mail.user_id,
      case mail.by when 'document' then mail.document_id end order by mail.place)`;
  const rows = await rowsOf(
    tx,
    queuedRow,
    sql`
    with mail as materialized (
      select one.api_key_id, one.organization_id, one.notification_id, one.document_id, candidate.user_id,
        item.place, item."dueAt" as due_at, item.by, item."windowMs" as window_ms, item."upTo" as up_to
      from jsonb_to_recordset(${json(items)}) as item("apiKeyId" text, "organizationId" text,
        "notificationId" text, "dueAt" bigint, by text, "windowMs" bigint, "upTo" bigint, place bigint)
      join notifications as one on one.api_key_id = item."apiKeyId"
        and one.organization_id = item."organizationId" and one.notification_id = item."notificationId"
      cross join lateral (
        select user_id, bool_or(for_you) as for_you from (
          select named.user_id, true as for_you from notification_recipients as named
            where named.api_key_id = one.api_key_id and named.organization_id = one.organization_id
              and named.notification_id = one.notification_id and named.for_you and named.read_at is null
          union all
          select asking.user_id, false from notification_settings as asking
            where one.for_all and asking.api_key_id = one.api_key_id
              and asking.organization_id = one.organization_id
              and asking.document_id in ('', one.document_id) and asking.config ->> 'email' = 'ALL'
        ) as both_kinds group by user_id) as candidate
      join users on users.api_key_id = one.api_key_id and users.user_id = candidate.user_id
      where users.email <> ''
        and case coalesce(${setting(sql`one.document_id`)}, ${setting(sql`''`)}, ${DEFAULT_SETTINGS.email})
          when 'ALL' then true when 'MINE' then candidate.for_you else false end
        and not exists (select 1 from notification_emails as earlier
          where earlier.api_key_id = one.api_key_id and earlier.organization_id = one.organization_id
            and earlier.notification_id = one.notification_id and earlier.user_id = candidate.user_id))
    insert into notification_emails (api_key_id, organization_id, notification_id, user_id, status, due_at,
      attempts, created_at)
    select mail.api_key_id, mail.organization_id, mail.notification_id, mail.user_id, 'pending',
      case when mail.by is null or ${waiting} >= mail.up_to then mail.due_at
        else mail.due_at + mail.window_ms end,
      0, cast(${Date.now()} as bigint) + mail.place
    from mail order by mail.api_key_id, mail.organization_id, mail.notification_id, mail.user_id
    on conflict do nothing
    returning api_key_id, organization_id, notification_id, due_at`,
  );
  const dueAts = Map.groupBy(rows, ({ apiKeyId, organizationId, notificationId }) =>
    JSON.stringify([apiKeyId, organizationId, notificationId]),
  );
  return wanted.map(({ apiKeyId, organizationId, notificationId }) => {
    const ofOne = dueAts.get(JSON.stringify([apiKeyId, organizationId, notificationId])) ?? [];
    return [...new Set(ofOne.map((row) => row.dueAt))].sort((a, b) => a - b);
  });
}

export interface ClaimedMail {
  userId: string;
  name: string | null;
  email: string | null;
  /** The grouped notifications, oldest first. */
  notificationIds: string[];
  attempts: number;
}

/** Leases one due mail about a notification until a time, together with the waiting mails of its group. */
export async function claimMail(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, notificationId }: NotificationRef,
  {
    now,
    until,
    gather,
  }: { now: number; until: number; gather?: { by: MailGrouping; upTo: number } | undefined },
): Promise<ClaimedMail | undefined> {
  const isFree = (table: string) => sql`${sql.ref(`${table}.status`)} = 'pending'
    and coalesce(${sql.ref(`${table}.claimedUntil`)}, 0) < cast(${now} as bigint)`;
  const mates = gather
    ? sql`select mate.notification_id from notification_emails as mate
        join notifications as about on about.api_key_id = mate.api_key_id
          and about.organization_id = mate.organization_id and about.notification_id = mate.notification_id
        join notifications as this on this.api_key_id = mate.api_key_id
          and this.organization_id = mate.organization_id and this.notification_id = ${notificationId}
        where mate.api_key_id = ${apiKeyId} and mate.organization_id = ${organizationId}
          and mate.user_id = (select user_id from due) and mate.notification_id <> ${notificationId}
          and ${isFree('mate')}
          ${gather.by === 'document' ? sql`and about.document_id is not distinct from this.document_id` : sql``}
        order by mate.created_at limit ${gather.upTo - 1} for update of mate skip locked`
    : sql`select null where false`;
  const { rows } = await sql<ClaimedMail & { createdAt: number }>`
    with due as materialized (select mail.user_id from notification_emails as mail
      where mail.api_key_id = ${apiKeyId} and mail.organization_id = ${organizationId}
        and mail.notification_id = ${notificationId} and mail.due_at <= cast(${now} as bigint)
        and ${isFree('mail')}
      order by mail.user_id limit 1 for update skip locked),
    mates as materialized (${mates}),
    claimed as (
      update notification_emails set claimed_until = cast(${until} as bigint), attempts = attempts + 1 from due
      where notification_emails.api_key_id = ${apiKeyId}
        and notification_emails.organization_id = ${organizationId}
        and notification_emails.user_id = due.user_id
        and (notification_emails.notification_id = ${notificationId}
          or notification_emails.notification_id in (select notification_id from mates))
      returning notification_emails.*)
    select claimed.user_id, users.name, users.email, max(claimed.attempts) as attempts,
      jsonb_agg(claimed.notification_id order by claimed.created_at, claimed.notification_id) as notification_ids
    from claimed left join users on users.api_key_id = claimed.api_key_id and users.user_id = claimed.user_id
    group by claimed.user_id, users.name, users.email`.execute(db);
  return rows[0];
}

/** Records the outcome of leased mails. */
export async function recordMailOutcome(
  db: Db,
  { apiKeyId }: Scope,
  {
    organizationId,
    userId,
    notificationIds,
  }: { organizationId: string; userId: string; notificationIds: string[] },
  outcome:
    | { status: 'sent' | 'dropped' }
    | { status: 'failed'; error: string }
    | { status: 'pending'; error: string; dueAt: number },
): Promise<void> {
  if (notificationIds.length === 0) return;
  await db
    .updateTable('notificationEmails')
    .set({
      status: outcome.status,
      claimedUntil: null,
      error: 'error' in outcome ? storable(cutText(outcome.error, 500)) : null,
      ...('dueAt' in outcome && { dueAt: outcome.dueAt }),
    })
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .where('notificationId', 'in', notificationIds)
    .execute();
}

/** When the next unleased mail about a notification is due; undefined if none waits. */
export async function nextMailAt(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, notificationId }: NotificationRef,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('notificationEmails')
    .select(({ fn }) => fn.min<number | null>('dueAt').as('dueAt'))
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('notificationId', '=', notificationId)
    .where('status', '=', 'pending')
    .where(condition`coalesce(claimed_until, 0) < cast(${Date.now()} as bigint)`)
    .executeTakeFirst();
  return row?.dueAt ?? undefined;
}
