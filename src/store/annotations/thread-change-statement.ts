import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { EventName } from '../../events/event-catalog.ts';
import { eventColumns, insertEvents } from '../../events/insert-events.ts';
import type { Fields } from '../../lib/json.ts';
import { decideFindingsOf } from '../agents/suggestion-decisions.ts';
import { auditColumns, auditItems, auditValues } from '../audit/record-audit.ts';
import { annotationRecord } from './annotation-sql.ts';

interface ChangeValues extends Fields {
  apiKeyId: string;
  workspaceId: string;
  now: number;
  /**
   * This and the next five fields are JSON lists; each item names the position of its annotation in `annotations`. A
   * `version` is the one under which the row was read; a judgment without one is new.
   */
  annotations: string;
  comments: string;
  judgments: string;
  views: string;
  events: string;
  audits: string;
  /** Lengths of the first three lists. */
  count: number;
  commentCount: number;
  judgmentCount: number;
}

const annotationItems =
  sql.raw(`as item(position integer, "organizationId" text, "documentId" text, "annotationId" text, version xid,
  "authorId" text, "statusId" text, "locationId" text, "suggestionStatus" text, visibility jsonb, "lastUpdated" bigint,
  patch jsonb, removed text[], comments integer, judgments integer)`);

const commentItems =
  sql.raw(`as item(position integer, "commentId" bigint, version xid, "authorId" text, patch jsonb,
  "lastUpdated" bigint)`);

const judgmentItems =
  sql.raw(`as item(position integer, "judgmentId" text, version xid, "commentId" bigint, origin text, decision text,
  reasoning text, content text, "contentType" text, confidence double precision, "judgeType" text,
  "reviewerId" text, "actionUser" jsonb, agent jsonb, "createdAt" bigint, "isReworded" boolean,
  "hasVectors" boolean)`);

const viewItems = sql.raw('as item(position integer, "userId" text, "viewedAt" bigint)');

const eventItems = sql.raw(`as item(position integer, place integer, "eventId" text, name text, payload jsonb,
  "isOfAnnotation" boolean)`);

/** The annotation of an item or of a row with its columns. */
const isOn = (table: string, item: RawBuilder<unknown>) => sql`
  ${sql.ref(`${table}.organization_id`)} = ${item}."organizationId"
  and ${sql.ref(`${table}.document_id`)} = ${item}."documentId"
  and ${sql.ref(`${table}.annotation_id`)} = ${item}."annotationId"`;

const item = sql.raw('item');
const ready = sql.raw('ready');

/** The rows of the CTEs `annotation`, `spoken` and `known`, once all rows of an annotation are locked and as they were read. */
const changes = (apiKeyId: string, now: RawBuilder<unknown>) => sql`
  annotation as (
    update annotations set author_id = ready."authorId", status_id = ready."statusId",
      location_id = ready."locationId", suggestion_status = ready."suggestionStatus",
      visibility = nullif(ready.visibility, 'null'), last_updated = ready."lastUpdated",
      body = case when ready.patch = '{}' and ready.removed = '{}' then body
        else (body - ready.removed) || ready.patch end
    from ready where annotations.api_key_id = ${apiKeyId} and ${isOn('annotations', ready)}
    returning annotations.*, ready.position
  ), decided as (${decideFindingsOf(apiKeyId, sql.raw('annotation'))}
  ), written as (
    update comments set body = body || spoken.patch, last_updated = spoken."lastUpdated",
      author_id = spoken."authorId"
    from ready join spoken using (position)
    where comments.api_key_id = ${apiKeyId} and ${isOn('comments', ready)}
      and comments.comment_id = spoken."commentId"
  ), judged as (
    update judgments set comment_id = known."commentId", decision = known.decision, reasoning = known.reasoning,
      content = known.content, content_type = known."contentType", confidence = known.confidence,
      judge_type = known."judgeType", reviewer_id = known."reviewerId", action_user = known."actionUser",
      agent = nullif(known.agent, 'null'), created_at = known."createdAt",
      recorded_at = greatest(recorded_at + 1, ${now}),
      embedded_with = case when known."isReworded" then '' else embedded_with end,
      claimed_until = case when known."isReworded" then 0 else claimed_until end,
      review_words = case when known."isReworded" then null else review_words end,
      content_words = case when known."isReworded" then null else content_words end
    from ready join known using (position)
    where judgments.api_key_id = ${apiKeyId} and judgments.judgment_id = known."judgmentId"
  ), forgotten as (
    delete from judgment_vectors using ready join known using (position)
    where judgment_vectors.api_key_id = ${apiKeyId} and judgment_vectors.judgment_id = known."judgmentId"
      and known."isReworded" and known."hasVectors"
  ), learned as (
    insert into judgments (api_key_id, judgment_id, organization_id, document_id, annotation_id, comment_id, origin,
      decision, reasoning, content, content_type, confidence, judge_type, reviewer_id, action_user, agent,
      created_at, recorded_at)
    select ${apiKeyId}, item."judgmentId", "organizationId", "documentId", "annotationId", item."commentId",
      item.origin, item.decision, item.reasoning, item.content, item."contentType", item.confidence,
      item."judgeType", item."reviewerId", item."actionUser", nullif(item.agent, 'null'), item."createdAt", ${now}
    from ready join judgment as item using (position) where item.version is null
  )`;

/**
 * Locks the rows of changes: annotations first, then their comments and judgments, like every writer. `ready` are the
 * annotations of which nothing has changed since it was read: a lock tests the version of the row that it locks, also if
 * that row is newer than the snapshot of the statement.
 */
const locks = (row: ChangeValues, howToWait: RawBuilder<unknown>) => sql`
  place as materialized (
    select item.* from (
      select * from jsonb_to_recordset(cast(${row.annotations} as jsonb)) ${annotationItems}
      order by "organizationId", "documentId", "annotationId" limit ${row.count}
    ) as item cross join lateral (
      select from annotations where annotations.api_key_id = ${row.apiKeyId} and ${isOn('annotations', item)}
        and annotations.xmin = item.version
      for no key update ${howToWait}) as locked
  ), spoken as materialized (
    select item.* from (
      select item.*, "organizationId", "documentId", "annotationId"
      from jsonb_to_recordset(cast(${row.comments} as jsonb)) ${commentItems} join place using (position)
      order by position, "commentId" limit ${row.commentCount}
    ) as item cross join lateral (
      select from comments where comments.api_key_id = ${row.apiKeyId} and ${isOn('comments', item)}
        and comments.comment_id = item."commentId" and comments.xmin = item.version
      for no key update ${howToWait}) as locked
  ), judgment as materialized (
    select item.* from jsonb_to_recordset(cast(${row.judgments} as jsonb)) ${judgmentItems}
  ), known as materialized (
    select item.* from (
      select judgment.* from judgment join place using (position) where judgment.version is not null
      order by "judgmentId" limit ${row.judgmentCount}
    ) as item cross join lateral (
      select from judgments where judgments.api_key_id = ${row.apiKeyId} and judgments.judgment_id = item."judgmentId"
        and judgments.xmin = item.version
      for no key update ${howToWait}) as locked
  ), ready as materialized (
    select place.* from place
    where comments = (select count(*) from spoken where spoken.position = place.position)
      and judgments = (select count(*) from known where known.position = place.position)
  )`;

/**
 * Writes changes of annotations, of their comments and judgments, and all that follows from them. Returns the positions
 * of those that it wrote: all of an annotation or nothing. It leaves out annotations of which a row has changed since it
 * was read, and with `skipsLocked` also those of which another transaction has locked a row.
 */
const changeOf = ({ skipsLocked }: { skipsLocked: boolean }) =>
  prepared<ChangeValues, { position: number }>((db, row) => {
    const now = sql`cast(${row.now} as bigint)`;
    const list = (items: string) => sql`jsonb_to_recordset(cast(${items} as jsonb))`;
    const raised = eventColumns({
      apiKeyId: row.apiKeyId,
      workspaceId: row.workspaceId,
      createdAt: row.now,
      eventId: sql`item."eventId"`,
      name: sql<EventName>`item.name`,
      payload: sql`case when item."isOfAnnotation" then item.payload || ${annotationRecord} else item.payload end`,
    });
    const query = sql<{ position: number }>`
      with ${locks(row, sql.raw(skipsLocked ? 'skip locked' : ''))}, ${changes(row.apiKeyId, now)}, seen as (
        insert into annotation_views (api_key_id, organization_id, document_id, annotation_id, user_id, viewed_at)
        select ${row.apiKeyId}, "organizationId", "documentId", "annotationId", item."userId", item."viewedAt"
        from ready join ${list(row.views)} ${viewItems} using (position)
        order by "organizationId", "documentId", "annotationId", item."userId"
        on conflict (api_key_id, organization_id, document_id, annotation_id, user_id)
          do update set viewed_at = greatest(annotation_views.viewed_at, excluded.viewed_at)
      ), audited as (
        insert into audit_log (${auditColumns})
        select ${auditValues} from ready join ${list(row.audits)} ${auditItems} using (position)
      ), event as (${insertEvents(
        sql`select ${raised}, item.place from annotation join ${list(row.events)} ${eventItems} using (position)`,
        sql`place`,
      )})
      select position from annotation`;
    return { compile: () => query.compile(db) };
  });

export const writeThreadChanges = changeOf({ skipsLocked: false });

/** The same, without waiting for rows that another transaction has locked. */
export const writeThreadChangesUnlocked = changeOf({ skipsLocked: true });
