import { sql } from 'kysely';
import { idsOf } from '../../annotations/annotation-draft.ts';
import { type AnnotationEvent, eventsTooLarge, MAX_EVENT_CHARS } from '../../annotations/annotation-event.ts';
import type { PreparedComment } from '../../annotations/comment-draft.ts';
import { recordOfComment, subscriptionsOf } from '../../annotations/present-annotation.ts';
import { prepared, type Statement } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { eventColumns, insertEvents } from '../../events/insert-events.ts';
import { md5, newId } from '../../lib/ids.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import type { User } from '../../shapes/user.ts';
import { judgedComment, judgedInSql } from '../memory/judgment-statement.ts';
import { annotationRecord, withIds, withSubscribers } from './annotation-sql.ts';
import { commentExists, numberComments } from './comment-rows.ts';
import { listComments } from './list-comments.ts';

/**
 * Builds the one statement that adds comments to an annotation, and draws their numbers. The statement returns no row
 * if the annotation does not exist, and fails as a whole if a number is taken; `attempt` counts such failures. Throws
 * ALREADY_EXISTS if the caller chose the taken number.
 */
export async function commentInsertion(
  db: Db,
  scope: Scope,
  annotation: AnnotationRef,
  comments: readonly PreparedComment[],
  { byUser, attempt }: { byUser: boolean; attempt: number },
): Promise<{ commentIds: number[]; statement: Statement<{ commentId: number }> }> {
  if (attempt > 0) await requireFreeNumbers(db, scope, annotation, comments);
  if (comments.length > 1) await requireRoomInEvents(db, scope, annotation, comments.length);
  const { organizationId, documentId, annotationId } = annotation;
  const numbered = numberComments(
    comments.map((comment) => ({ annotationId, comment })),
    attempt,
  ).map(({ comment, commentId }) => ({ ...comment, commentId }));
  const commentIds = numbered.map(({ commentId }) => commentId);
  const [only] = numbered;
  if (only && comments.length === 1 && isPlain(comments[0]!)) {
    return { commentIds, statement: plainInsertion(scope, annotation, only, { byUser }) };
  }
  const statement = insertBatch.with({
    organizationId,
    documentId,
    annotationId,
    apiKeyId: scope.apiKeyId,
    workspaceId: scope.workspaceId,
    now: Date.now(),
    lastUpdated: Math.max(...comments.map((comment) => comment.lastUpdated)),
    ...participantsOf(comments),
    items: JSON.stringify(
      numbered.map((comment, position) => ({
        position,
        commentId: comment.commentId,
        authorId: comment.from.userId,
        body: comment.body,
        createdAt: comment.createdAt,
        lastUpdated: comment.lastUpdated,
        eventId: newId('evt'),
        payload: eventPart(annotation, comment, byUser),
        ...judgedComment(annotation, comment),
      })),
    ),
  });
  return { commentIds, statement };
}

/** Refuses comments whose events would be too large together: each event holds the whole annotation. */
async function requireRoomInEvents(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentId, annotationId }: AnnotationRef,
  count: number,
): Promise<void> {
  const row = await db
    .selectFrom('annotations')
    .select((eb) => eb.fn<number>('octet_length', [eb.cast('body', 'text')]).as('bytes'))
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('annotationId', '=', annotationId)
    .executeTakeFirst();
  if (count * (row?.bytes ?? 0) > MAX_EVENT_CHARS) throw eventsTooLarge();
}

/** Refuses numbers that the caller chose and that are taken; the others are drawn again. */
async function requireFreeNumbers(
  db: Db,
  scope: Scope,
  annotation: AnnotationRef,
  comments: readonly PreparedComment[],
): Promise<void> {
  const commentIds = comments.flatMap(({ commentId }) => (commentId === undefined ? [] : [commentId]));
  if (commentIds.length === 0) return;
  const [taken] = await listComments(db, scope, annotation, { commentIds });
  if (taken) throw commentExists(taken.commentId);
}

/** New participants and subscribers of the annotation, as JSON. Agents neither view nor follow annotations. */
function participantsOf(comments: readonly PreparedComment[]) {
  const authors = comments.filter(({ body }) => !body.agent).map(({ from }) => from);
  const mentioned = comments.flatMap((comment) => comment.mentioned);
  const sortedIds = (users: readonly User[]) => JSON.stringify(idsOf(users).sort());
  return {
    authors: sortedIds(authors),
    mentioned: sortedIds(mentioned),
    involved: sortedIds([...comments.map(({ from }) => from), ...mentioned]),
    subscribed: JSON.stringify(subscriptionsOf([...mentioned, ...authors])),
  };
}

/** The part of the event `comment.add` that is known before the annotation is read; `annotationRecord` is the rest. */
const eventPart = (
  { organizationId, documentId, annotationId }: AnnotationRef,
  comment: PreparedComment & { commentId: number },
  byUser: boolean,
): Omit<AnnotationEvent, 'commentAnnotation'> => ({
  organizationId,
  documentId,
  annotationId,
  targetComment: recordOfComment(comment),
  actionUser: comment.from,
  loud: byUser || comment.triggerNotification,
  logged: byUser || comment.triggerActivities,
});

interface PlainValues extends AnnotationRef, Fields {
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

/**
 * Inserts one comment of a person without mentions, the most frequent write, with the same effects as
 * `insertBatch`. It takes a sixth less time (measured), and leaves the annotation's body untouched if the author is a
 * participant already, which matters for large bodies.
 */
const insertPlain = prepared<PlainValues, { commentId: number }>((db, row) => {
  const isInvolved = sql`jsonb_exists(body -> 'involvedUserIds', ${row.authorId})`;
  const isUnsubscribed = sql`jsonb_exists(body -> 'unsubscribedUsers', ${row.authorKey})`;
  const text = (value: string) => sql`cast(${value} as text)`;
  const judged = judgedInSql(row, {
    judgmentId: text(row.judgmentId),
    commentId: sql`written.comment_id`,
    authorId: text(row.authorId),
    origin: sql`'comment'`,
    replyDecision: text(row.replyDecision),
    reasoning: text(row.reasoning),
    firstReasoning: sql`cast(null as text)`,
    ownType: sql`cast(null as text)`,
    confidence: sql`cast(null as double precision)`,
    judgeType: sql`'human'`,
    actionUser: sql`cast(${row.actionUser} as jsonb)`,
    agent: sql`cast(null as jsonb)`,
    createdAt: sql`cast(${row.createdAt} as bigint)`,
    now: sql`cast(${row.now} as bigint)`,
    from: sql`written`,
  });
  const outboxRow = { workspaceId: row.workspaceId, createdAt: row.now };
  const added = eventColumns({
    ...outboxRow,
    apiKeyId: sql`annotation.api_key_id`,
    eventId: row.eventId,
    name: 'comment.add',
    payload: sql`cast(${row.payload} as jsonb) || ${annotationRecord}`,
  });
  const remembered = eventColumns({
    ...outboxRow,
    apiKeyId: sql`judged.api_key_id`,
    eventId: row.judgedEventId,
    name: 'memory.judgment_add',
    payload: sql`cast(${row.judgedPayload} as jsonb) || jsonb_build_object('decision', decision)`,
  });
  const query = sql<{ commentId: number }>`
    with annotation as (
      update annotations set
        last_updated = greatest(last_updated, cast(${row.lastUpdated} as bigint)),
        body = case
          when ${isInvolved} and (${isUnsubscribed} or jsonb_exists(body -> 'subscribedUsers', ${row.authorKey}))
          then body
          else body || jsonb_build_object(
            'involvedUserIds', case when ${isInvolved} then body -> 'involvedUserIds'
              else coalesce(body -> 'involvedUserIds', '[]') || to_jsonb(cast(${row.authorId} as text)) end,
            'subscribedUsers', case when ${isUnsubscribed} then coalesce(body -> 'subscribedUsers', '{}')
              else cast(${row.subscription} as jsonb) || coalesce(body -> 'subscribedUsers', '{}') end) end
      where api_key_id = ${row.apiKeyId} and organization_id = ${row.organizationId}
        and document_id = ${row.documentId} and annotation_id = ${row.annotationId}
      returning *
    ), written as (
      insert into comments (api_key_id, organization_id, document_id, annotation_id, comment_id, author_id, body,
        created_at, last_updated)
      select api_key_id, organization_id, document_id, annotation_id, cast(${row.commentId} as bigint),
        ${row.authorId}, cast(${row.body} as jsonb), cast(${row.createdAt} as bigint),
        cast(${row.lastUpdated} as bigint)
      from annotation
      returning comment_id
    ), seen as (
      insert into annotation_views (api_key_id, organization_id, document_id, annotation_id, user_id, viewed_at)
      select api_key_id, organization_id, document_id, annotation_id, ${row.authorId},
        cast(${row.lastUpdated} as bigint)
      from annotation
      on conflict (api_key_id, organization_id, document_id, annotation_id, user_id) do update
        set viewed_at = greatest(annotation_views.viewed_at, excluded.viewed_at)
    ), ${judged}, event as (${insertEvents(sql`select ${added} from annotation cross join written
      union all select ${remembered} from judged`)}
    )
    select comment_id from written`;
  return { compile: () => query.compile(db) };
});

/** True for comments that `insertPlain` takes. */
const isPlain = ({ commentId, mentioned, body }: PreparedComment): boolean =>
  commentId === undefined && mentioned.length === 0 && body.agent === undefined;

function plainInsertion(
  scope: Scope,
  annotation: AnnotationRef,
  comment: PreparedComment & { commentId: number },
  { byUser }: { byUser: boolean },
): Statement<{ commentId: number }> {
  const { organizationId, documentId, annotationId } = annotation;
  const judged = judgedComment(annotation, comment);
  return insertPlain.with({
    apiKeyId: scope.apiKeyId,
    workspaceId: scope.workspaceId,
    organizationId,
    documentId,
    annotationId,
    commentId: comment.commentId,
    authorId: comment.from.userId,
    authorKey: md5(comment.from.userId),
    subscription: JSON.stringify(subscriptionsOf([comment.from])),
    body: JSON.stringify(comment.body),
    payload: JSON.stringify(eventPart(annotation, comment, byUser)),
    eventId: newId('evt'),
    judgmentId: judged.judgmentId,
    judgedEventId: judged.judgedEventId,
    replyDecision: judged.replyDecision,
    reasoning: judged.reasoning,
    actionUser: JSON.stringify(judged.actionUser),
    judgedPayload: JSON.stringify(judged.judgedPayload),
    createdAt: comment.createdAt,
    lastUpdated: comment.lastUpdated,
    now: Date.now(),
  });
}

interface BatchValues extends Fields {
  workspaceId: string;
  apiKeyId: string;
  organizationId: string;
  documentId: string;
  annotationId: string;
  now: number;
  lastUpdated: number;
  /** This and the following fields are JSON texts. */
  items: string;
  authors: string;
  mentioned: string;
  involved: string;
  subscribed: string;
}

const itemColumns = {
  judgmentId: sql`item."judgmentId"`,
  commentId: sql`item."commentId"`,
  authorId: sql`item."authorId"`,
  origin: sql`item.origin`,
  replyDecision: sql`item."replyDecision"`,
  reasoning: sql`item.reasoning`,
  ownType: sql`item."ownType"`,
  confidence: sql`item.confidence`,
  judgeType: sql`item."judgeType"`,
  actionUser: sql`item."actionUser"`,
  agent: sql`nullif(item.agent, 'null')`,
  createdAt: sql`item."createdAt"`,
};

const jsonb = (text: string) => sql`cast(${text} as jsonb)`;

/**
 * Inserts comments, updates their annotation, marks it as viewed by the authors, and writes judgments and events, in
 * one statement that fails as a whole if a number is taken.
 */
const insertBatch = prepared<BatchValues, { commentId: number }>((db, row) => {
  const judged = judgedInSql(row, {
    ...itemColumns,
    firstReasoning: sql`case when item.position > 0
      then (select nullif(first.reasoning, '') from item as first where first.position = 0) end`,
    now: sql`cast(${row.now} as bigint)`,
    from: sql`(select item.* from item join written on written.comment_id = item."commentId") as item`,
  });
  const outboxRow = { workspaceId: row.workspaceId, createdAt: row.now };
  const added = eventColumns({
    ...outboxRow,
    apiKeyId: sql`annotation.api_key_id`,
    eventId: sql`item."eventId"`,
    name: 'comment.add',
    payload: sql`item.payload || ${annotationRecord}`,
  });
  const remembered = eventColumns({
    ...outboxRow,
    apiKeyId: sql`judged.api_key_id`,
    eventId: sql`item."judgedEventId"`,
    name: 'memory.judgment_add',
    payload: sql`item."judgedPayload" || jsonb_build_object('decision', judged.decision)`,
  });
  const query = sql<{ commentId: number }>`
    with item as (
      select * from jsonb_to_recordset(${jsonb(row.items)}) as item(position integer, "commentId" bigint,
        "authorId" text, body jsonb, "createdAt" bigint, "lastUpdated" bigint, "eventId" text, payload jsonb,
        "judgmentId" text, origin text, "replyDecision" text, reasoning text, "ownType" text,
        confidence double precision, "judgeType" text, "actionUser" jsonb, agent jsonb, "judgedEventId" text,
        "judgedPayload" jsonb)
    ), annotation as (
      update annotations set
        last_updated = greatest(last_updated, cast(${row.lastUpdated} as bigint)),
        body = body || jsonb_build_object(
          'involvedUserIds', ${withIds('involvedUserIds', jsonb(row.involved))},
          'mentionedUserIds', ${withIds('mentionedUserIds', jsonb(row.mentioned))},
          'subscribedUsers', ${withSubscribers(jsonb(row.subscribed))})
      where api_key_id = ${row.apiKeyId} and organization_id = ${row.organizationId}
        and document_id = ${row.documentId} and annotation_id = ${row.annotationId}
      returning *
    ), written as (
      insert into comments (api_key_id, organization_id, document_id, annotation_id, comment_id, author_id, body,
        created_at, last_updated)
      select annotation.api_key_id, annotation.organization_id, annotation.document_id, annotation.annotation_id,
        item."commentId", item."authorId", item.body, item."createdAt", item."lastUpdated"
      from annotation cross join item
      returning comment_id
    ), seen as (
      insert into annotation_views (api_key_id, organization_id, document_id, annotation_id, user_id, viewed_at)
      select api_key_id, organization_id, document_id, annotation_id, author.id,
        cast(${row.lastUpdated} as bigint)
      from annotation cross join jsonb_array_elements_text(${jsonb(row.authors)}) as author(id)
      on conflict (api_key_id, organization_id, document_id, annotation_id, user_id) do update
        set viewed_at = greatest(annotation_views.viewed_at, excluded.viewed_at)
    ), ${judged}, event as (${insertEvents(
      sql`select ${added}, item.position from annotation cross join item
        where item."commentId" in (select written.comment_id from written)
        union all select ${remembered}, item.position
        from judged join item on item."judgmentId" = judged.judgment_id`,
      sql`position, name`,
    )}
    )
    select comment_id from written`;
  return { compile: () => query.compile(db) };
});
