import { sql } from 'kysely';
import { idsOf } from '../../annotations/annotation-draft.ts';
import { eventsTooLarge, MAX_EVENT_CHARS } from '../../annotations/annotation-event.ts';
import type { PreparedComment } from '../../annotations/comment-draft.ts';
import { subscriptionsOf } from '../../annotations/present-annotation.ts';
import { prepared, type Statement } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { eventColumns, insertEvents } from '../../events/insert-events.ts';
import { newTimedId } from '../../lib/ids.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import type { User } from '../../shapes/user.ts';
import { judgedComment, judgedInSql } from '../memory/judgment-statement.ts';
import { annotationRecord, withIds, withSubscribers } from './annotation-sql.ts';
import { commentExists, numberComments } from './comment-rows.ts';
import { eventPart, isPlain, plainInsertion } from './insert-plain-comment.ts';
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
        eventId: newTimedId('evt'),
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
