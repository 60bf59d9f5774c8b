import { sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import type { Tx } from '../db/tables.ts';
import { newId } from '../lib/ids.ts';
import type { Scope } from '../lib/scope.ts';
import type { User } from '../shapes/user.ts';
import { MAX_TOLD, tooMuchToTell } from './annotation-record.ts';
import { addComment, isPlain } from './comment-addition.ts';
import { annotationRecord, toldOf } from './comment-events.ts';
import { listComments, requireAnnotation } from './comment-lists.ts';
import { withIds, withSubscribers } from './comment-people.ts';
import { type AnnotationRef, commentExists, numberComments, ROUNDS, subscriptionsOf } from './comments.ts';
import { judgedComment, judgedInSql } from './judgment-statement.ts';
import type { PreparedComment } from './prepare-comment.ts';

interface Values extends Record<string, unknown> {
  workspaceId: string;
  apiKeyId: string;
  organizationId: string;
  documentId: string;
  annotationId: string;
  now: number;
  lastUpdated: number;
  /** All that follows is JSON. */
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

const given = (text: string) => sql`cast(${text} as jsonb)`;

/**
 * Comments, what they change of their annotation, that their authors have seen it, and the events: in one
 * statement. It does nothing where one of the numbers is taken.
 */
const insertAll = prepared<Values, { commentId: number }>((db, row) => {
  const judged = judgedInSql(row, {
    ...itemColumns,
    firstReasoning: sql`case when item.position > 0
      then (select nullif(first.reasoning, '') from item as first where first.position = 0) end`,
    now: sql`cast(${row.now} as bigint)`,
    from: sql`(select item.* from item join written on written.comment_id = item."commentId") as item`,
  });
  const query = sql<{ commentId: number }>`
    with item as (
      select * from jsonb_to_recordset(${given(row.items)}) as item(position integer, "commentId" bigint,
        "authorId" text, body jsonb, "createdAt" bigint, "lastUpdated" bigint, "eventId" text, payload jsonb,
        "judgmentId" text, origin text, "replyDecision" text, reasoning text, "ownType" text,
        confidence double precision, "judgeType" text, "actionUser" jsonb, agent jsonb, "judgedEventId" text,
        "judgedPayload" jsonb)
    ), annotation as (
      update annotations set
        last_updated = greatest(last_updated, cast(${row.lastUpdated} as bigint)),
        body = body || jsonb_build_object(
          'involvedUserIds', ${withIds('involvedUserIds', given(row.involved))},
          'mentionedUserIds', ${withIds('mentionedUserIds', given(row.mentioned))},
          'subscribedUsers', ${withSubscribers(given(row.subscribed))})
      where api_key_id = ${row.apiKeyId} and organization_id = ${row.organizationId}
        and document_id = ${row.documentId} and annotation_id = ${row.annotationId}
        and not exists (select 1 from comments
          where comments.api_key_id = ${row.apiKeyId} and comments.organization_id = ${row.organizationId}
            and comments.document_id = ${row.documentId} and comments.annotation_id = ${row.annotationId}
            and comments.comment_id in (select item."commentId" from item))
      returning *
    ), written as (
      insert into comments (api_key_id, organization_id, document_id, annotation_id, comment_id, author_id, body,
        created_at, last_updated)
      select annotation.api_key_id, annotation.organization_id, annotation.document_id, annotation.annotation_id,
        item."commentId", item."authorId", item.body, item."createdAt", item."lastUpdated"
      from annotation cross join item
      on conflict do nothing
      returning comment_id
    ), seen as (
      insert into annotation_views (api_key_id, organization_id, document_id, annotation_id, user_id, viewed_at)
      select api_key_id, organization_id, document_id, annotation_id, author.id,
        cast(${row.lastUpdated} as bigint)
      from annotation cross join jsonb_array_elements_text(${given(row.authors)}) as author(id)
      on conflict (api_key_id, organization_id, document_id, annotation_id, user_id) do update
        set viewed_at = greatest(annotation_views.viewed_at, excluded.viewed_at)
    ), ${judged}, told as (
      insert into events (api_key_id, workspace_id, event_id, name, payload, created_at, relayed_at)
      select api_key_id, ${row.workspaceId}, event_id, name, payload, cast(${row.now} as bigint), null
      from (
        select annotation.api_key_id, item."eventId" as event_id, 'comment.add' as name,
          item.payload || ${annotationRecord} as payload, item.position
        from annotation cross join item
        where item."commentId" in (select written.comment_id from written)
        union all
        select judged.api_key_id, item."judgedEventId", 'memory.judgment_add',
          item."judgedPayload" || jsonb_build_object('decision', judged.decision), item.position
        from judged join item on item."judgmentId" = judged.judgment_id
      ) as one order by position, name
    )
    select comment_id from written`;
  return { compile: () => query.compile(db) };
});

/**
 * Adds comments to an annotation, in one statement as a rule, and answers their numbers in order. NOT_FOUND
 * where the annotation is not there, ALREADY_EXISTS where a number is taken that the caller chose.
 */
export async function addComments(
  tx: Tx,
  scope: Scope,
  annotation: AnnotationRef,
  comments: readonly PreparedComment[],
  { byUser }: { byUser: boolean },
): Promise<number[]> {
  const { organizationId, documentId, annotationId } = annotation;
  const place = { organizationId, documentId, annotationId };
  const numbers = new Map<PreparedComment, number>();
  const [only] = comments;
  if (only && comments.length === 1 && isPlain(only)) {
    const commentId = await addComment(tx, scope, annotation, only, { byUser });
    if (commentId !== undefined) return [commentId];
  }
  if (comments.length > 1) await requireTellable(tx, scope, annotation, comments.length);
  let left = comments;
  for (let round = 0; round < ROUNDS && left.length > 0; round++) {
    const numbered = numberComments(
      left.map((comment) => ({ annotationId, comment })),
      round,
    );
    const rows = await insertAll(tx, {
      ...place,
      apiKeyId: scope.apiKeyId,
      workspaceId: scope.workspaceId,
      now: Date.now(),
      lastUpdated: Math.max(...left.map((comment) => comment.lastUpdated)),
      ...peopleOf(left),
      items: JSON.stringify(
        numbered.map(({ commentId, comment }, position) => ({
          position,
          commentId,
          authorId: comment.from.userId,
          body: comment.body,
          createdAt: comment.createdAt,
          lastUpdated: comment.lastUpdated,
          eventId: newId('evt'),
          payload: toldOf(annotation, { ...comment, commentId }, byUser),
          ...judgedComment(annotation, { ...comment, commentId }),
        })),
      ),
    });
    const written = new Set(rows.map((row) => row.commentId));
    for (const { comment, commentId } of numbered) {
      if (written.has(commentId)) numbers.set(comment, commentId);
    }
    left = left.filter((comment) => !numbers.has(comment));
    if (left.length > 0) await requireFreeNumbers(tx, scope, annotation, left);
  }
  if (left.length > 0) throw new Error('No free number was found for a comment.');
  return comments.map((comment) => numbers.get(comment)!);
}

/** Each comment is told with the whole annotation, which may be large. */
async function requireTellable(
  tx: Tx,
  scope: Scope,
  annotation: AnnotationRef,
  times: number,
): Promise<void> {
  const { rows } = await sql<{ size: number }>`
    select octet_length(body::text) as size from annotations
    where api_key_id = ${scope.apiKeyId} and organization_id = ${annotation.organizationId}
      and document_id = ${annotation.documentId} and annotation_id = ${annotation.annotationId}`.execute(tx);
  if (times * (rows[0]?.size ?? 0) > MAX_TOLD) throw tooMuchToTell();
}

/** Why not all were written: unless it was only that a number we chose is taken, nothing would help. */
async function requireFreeNumbers(
  tx: Tx,
  scope: Scope,
  annotation: AnnotationRef,
  comments: readonly PreparedComment[],
): Promise<void> {
  await requireAnnotation(tx, scope, annotation, undefined);
  const commentIds = comments.flatMap(({ commentId }) => (commentId === undefined ? [] : [commentId]));
  const [taken] = await listComments(tx, scope, annotation, { commentIds });
  if (taken) throw commentExists(taken.commentId);
}

/** Whom the comments make part of the annotation's story. Agents neither look at it nor follow it. */
function peopleOf(comments: readonly PreparedComment[]) {
  const authors = comments.filter(({ body }) => !body.agent).map(({ from }) => from);
  const mentioned = comments.flatMap((comment) => comment.mentioned);
  const idsOf = (users: readonly User[]) =>
    JSON.stringify([...new Set(users.map(({ userId }) => userId))].sort());
  return {
    authors: idsOf(authors),
    mentioned: idsOf(mentioned),
    involved: idsOf([...comments.map(({ from }) => from), ...mentioned]),
    subscribed: JSON.stringify(subscriptionsOf([...mentioned, ...authors])),
  };
}
