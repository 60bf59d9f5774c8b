import { sql } from 'kysely';
import type { PreparedComment } from '../../annotations/comment-draft.ts';
import { MAX_TOLD, tooMuchToTell } from '../../annotations/record.ts';
import { prepared, type Statement } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { User } from '../../shapes/user.ts';
import { judgedComment, judgedInSql } from '../memory/judgment-statement.ts';
import { annotationRecord, toldOf } from './comment-event-sql.ts';
import { withIds, withSubscribers } from './comment-people.ts';
import { type AnnotationRef, commentExists, numberComments, subscriptionsOf } from './comments.ts';
import { additionOfOne, isPlain } from './insert-comment.ts';
import { listComments } from './list-comments.ts';

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
 * statement. It fails as a whole where one of the numbers is taken.
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
 * Comments to be added to an annotation, and the numbers that they get, in order. The statement answers no row where
 * there is no annotation. `attempt` counts the tries that met a number that is taken: ALREADY_EXISTS where the caller
 * chose it.
 */
export async function commentAddition(
  db: Db,
  scope: Scope,
  annotation: AnnotationRef,
  comments: readonly PreparedComment[],
  { byUser, attempt }: { byUser: boolean; attempt: number },
): Promise<{ commentIds: number[]; statement: Statement<{ commentId: number }> }> {
  if (attempt > 0) await requireFreeNumbers(db, scope, annotation, comments);
  if (comments.length > 1) await requireTellable(db, scope, annotation, comments.length);
  const { organizationId, documentId, annotationId } = annotation;
  const numbered = numberComments(
    comments.map((comment) => ({ annotationId, comment })),
    attempt,
  ).map(({ comment, commentId }) => ({ ...comment, commentId }));
  const commentIds = numbered.map(({ commentId }) => commentId);
  const [only] = numbered;
  if (only && comments.length === 1 && isPlain(comments[0]!)) {
    return { commentIds, statement: additionOfOne(scope, annotation, only, { byUser }) };
  }
  const statement = insertAll.with({
    organizationId,
    documentId,
    annotationId,
    apiKeyId: scope.apiKeyId,
    workspaceId: scope.workspaceId,
    now: Date.now(),
    lastUpdated: Math.max(...comments.map((comment) => comment.lastUpdated)),
    ...peopleOf(comments),
    items: JSON.stringify(
      numbered.map((comment, position) => ({
        position,
        commentId: comment.commentId,
        authorId: comment.from.userId,
        body: comment.body,
        createdAt: comment.createdAt,
        lastUpdated: comment.lastUpdated,
        eventId: newId('evt'),
        payload: toldOf(annotation, comment, byUser),
        ...judgedComment(annotation, comment),
      })),
    ),
  });
  return { commentIds, statement };
}

/** Each comment is told with the whole annotation, which may be large. */
async function requireTellable(
  db: Db,
  scope: Scope,
  annotation: AnnotationRef,
  times: number,
): Promise<void> {
  const { rows } = await sql<{ size: number }>`
    select octet_length(body::text) as size from annotations
    where api_key_id = ${scope.apiKeyId} and organization_id = ${annotation.organizationId}
      and document_id = ${annotation.documentId} and annotation_id = ${annotation.annotationId}`.execute(db);
  if (times * (rows[0]?.size ?? 0) > MAX_TOLD) throw tooMuchToTell();
}

/** A number that the server draws is drawn anew; one that the caller chose stays taken. */
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
