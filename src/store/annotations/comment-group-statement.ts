import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { eventColumns, insertEvents } from '../../events/insert-events.ts';
import type { Fields } from '../../lib/json.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import { judgedAfterOpening, openingInSql } from '../memory/judgment-statement.ts';
import { annotationRecord, withIds, withSubscribers } from './annotation-sql.ts';

/** The values of a comment of a person without mentions. */
export interface PlainValues extends AnnotationRef, Fields {
  apiKeyId: string;
  workspaceId: string;
  commentId: number;
  authorId: string;
  authorKey: string;
  /** This and the next four fields are JSON texts. */
  subscription: string;
  body: string;
  payload: string;
  actionUser: string;
  judgedPayload: string;
  eventId: string;
  /** Empty for a comment without a judgment. */
  judgmentId: string;
  judgedEventId: string;
  replyDecision: string;
  reasoning: string;
  createdAt: number;
  lastUpdated: number;
  now: number;
}

interface GroupValues extends Fields {
  apiKeyId: string;
  workspaceId: string;
  now: number;
  /** A JSON list of `PlainValues`, with their JSON texts as values, and of the `position` in this list. */
  items: string;
  /** Length of the list. */
  count: number;
}

const columns =
  sql.raw(`as item("organizationId" text, "documentId" text, "annotationId" text, position integer,
  "commentId" bigint, "authorId" text, "authorKey" text, subscription jsonb, body jsonb, payload jsonb,
  "actionUser" jsonb, "judgedPayload" jsonb, "eventId" text, "judgmentId" text, "judgedEventId" text,
  "replyDecision" text, reasoning text, "createdAt" bigint, "lastUpdated" bigint)`);

/** True for an item of a row's annotation. The ids that differ most come first, since most pairs of a join do not match. */
const isOn = (row: string) => {
  const column = (name: string) => sql.ref(`${row}.${name}`);
  return sql`item."annotationId" = ${column('annotation_id')} and item."documentId" = ${column('document_id')}
    and item."organizationId" = ${column('organization_id')}`;
};

const sameAnnotation = (row: string, other: string) =>
  sql.join(
    ['annotation_id', 'document_id', 'organization_id'].map(
      (name) => sql`${sql.ref(`${row}.${name}`)} = ${sql.ref(`${other}.${name}`)}`,
    ),
    sql` and `,
  );

/** Adds the authors to the people of the annotation; a body that has them all stays as it is. */
const bodyWithAuthors = sql`
  case when coalesce(body -> 'involvedUserIds', '[]') @> news.involved
    and jsonb_exists_all(coalesce(body -> 'subscribedUsers', '{}') || coalesce(body -> 'unsubscribedUsers', '{}'),
      news.keys)
  then body
  else body || jsonb_build_object('involvedUserIds', ${withIds('involvedUserIds', sql`news.involved`)},
    'subscribedUsers', ${withSubscribers(sql`news.subscribed`)}) end`;

const judged = judgedAfterOpening({
  judgmentId: sql`item."judgmentId"`,
  commentId: sql`item."commentId"`,
  authorId: sql`item."authorId"`,
  origin: sql`'comment'`,
  replyDecision: sql`item."replyDecision"`,
  reasoning: sql`item.reasoning`,
  ownType: sql`cast(null as text)`,
  confidence: sql`cast(null as double precision)`,
  judgeType: sql`'human'`,
  actionUser: sql`item."actionUser"`,
  agent: sql`cast(null as jsonb)`,
  createdAt: sql`item."createdAt"`,
  now: sql`item.now`,
  from: sql`spoken as item`,
  matches: isOn('annotation'),
  opening: sql`coalesce(item."openedBy", case when not item."isFirst" then item."firstReasoning" end)`,
});

/**
 * Inserts comments of different requests of an API key, each with the effects of `insertPlain`, and returns the positions
 * of those that it inserted. It leaves out comments whose annotation does not exist or is locked by another transaction,
 * and those whose number is taken.
 */
export const insertCommentGroup = prepared<GroupValues, { position: number }>((db, row) => {
  const outboxRow = { apiKeyId: row.apiKeyId, workspaceId: row.workspaceId, createdAt: row.now };
  const added = eventColumns({
    ...outboxRow,
    eventId: sql`item."eventId"`,
    name: 'comment.add',
    payload: sql`item.payload || ${annotationRecord}`,
  });
  const remembered = eventColumns({
    ...outboxRow,
    eventId: sql`item."judgedEventId"`,
    name: 'memory.judgment_add',
    payload: sql`item."judgedPayload" || jsonb_build_object('decision', judged.decision)`,
  });
  const opening = openingInSql({
    apiKeyId: row.apiKeyId,
    organizationId: sql`annotation.organization_id`,
    documentId: sql`annotation.document_id`,
    annotationId: sql`annotation.annotation_id`,
  });
  // The planner expects a limit that it does not know to leave a tenth of the rows, so it looks each annotation up.
  const query = sql<{ position: number }>`
    with item as materialized (
      select item.*, cast(${row.now} as bigint) as now from jsonb_to_recordset(cast(${row.items} as jsonb)) ${columns}
    ), place as materialized (
      select locked.* from (
        select distinct "organizationId", "documentId", "annotationId" from item
        order by "organizationId", "documentId", "annotationId" limit ${row.count}
      ) as item cross join lateral (
        select annotations.organization_id, annotations.document_id, annotations.annotation_id from annotations
        where annotations.api_key_id = ${row.apiKeyId} and ${isOn('annotations')}
        for no key update skip locked) as locked
    ), news as (
      select place.*, max(item."lastUpdated") as latest, jsonb_agg(distinct item."authorId") as involved,
        array_agg(distinct item."authorKey") as keys,
        jsonb_object_agg(item."authorKey", item.subscription -> item."authorKey") as subscribed
      from place join item on ${isOn('place')}
      group by place.organization_id, place.document_id, place.annotation_id
    ), annotation as (
      update annotations set last_updated = greatest(annotations.last_updated, news.latest), body = ${bodyWithAuthors}
      from news
      where annotations.api_key_id = ${row.apiKeyId} and ${sameAnnotation('annotations', 'news')}
      returning annotations.*
    ), written as (
      insert into comments (api_key_id, organization_id, document_id, annotation_id, comment_id, author_id, body,
        created_at, last_updated)
      select annotation.api_key_id, annotation.organization_id, annotation.document_id, annotation.annotation_id,
        item."commentId", item."authorId", item.body, item."createdAt", item."lastUpdated"
      from annotation join item on ${isOn('annotation')}
      on conflict do nothing
      returning organization_id, document_id, annotation_id, comment_id
    ), done as materialized (
      select item.* from item join written on ${isOn('written')} and item."commentId" = written.comment_id
    ), seen as (
      insert into annotation_views (api_key_id, organization_id, document_id, annotation_id, user_id, viewed_at)
      select ${row.apiKeyId}, "organizationId", "documentId", "annotationId", "authorId", max("lastUpdated") from done
      group by "organizationId", "documentId", "annotationId", "authorId"
      order by "organizationId", "documentId", "annotationId", "authorId"
      on conflict (api_key_id, organization_id, document_id, annotation_id, user_id) do update
        set viewed_at = greatest(annotation_views.viewed_at, excluded.viewed_at)
    ), opening as materialized (
      select annotation.organization_id, annotation.document_id, annotation.annotation_id, (${opening}) as reasoning
      from annotation
    ), spoken as materialized (
      select item.*, opening.reasoning as "openedBy", first_value(item.reasoning) over earlier as "firstReasoning",
        row_number() over earlier = 1 as "isFirst"
      from done as item join opening on ${isOn('opening')}
      where item."judgmentId" <> ''
      window earlier as (partition by "organizationId", "documentId", "annotationId" order by position)
    ), ${judged}, event as (${insertEvents(
      sql`select ${added}, item.position from annotation join done as item on ${isOn('annotation')}
        union all select ${remembered}, item.position
        from judged join done as item on item."judgmentId" = judged.judgment_id`,
      sql`position, name`,
    )})
    select position from done`;
  return { compile: () => query.compile(db) };
});
