import { sql } from 'kysely';
import type { PreparedComment } from '../../annotations/comment-draft.ts';
import { prepared, type Statement } from '../../db/prepared.ts';
import { md5, newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { judgedComment, judgedInSql } from '../memory/judgment-statement.ts';
import { annotationRecord, toldOf } from './comment-event-sql.ts';
import { type AnnotationRef, subscriptionsOf } from './comments.ts';

interface Values extends AnnotationRef, Record<string, unknown> {
  apiKeyId: string;
  workspaceId: string;
  commentId: number;
  authorId: string;
  authorKey: string;
  /** JSON, as are body, payloads and the acting user. */
  subscription: string;
  body: string;
  payload: string;
  actionUser: string;
  judgedPayload: string;
  eventId: string;
  /** Empty where it leaves no judgment behind. */
  judgmentId: string;
  judgedEventId: string;
  replyDecision: string;
  reasoning: string;
  createdAt: number;
  lastUpdated: number;
  now: number;
}

/**
 * The commonest of all writes: one comment of a person who mentions nobody. It says the same as the statement
 * for many, and costs a third: the database plans it in less time, and leaves the annotation's body alone where
 * its author is part of the annotation already.
 */
const insertOne = prepared<Values, { commentId: number }>((db, row) => {
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
    ), ${judged}, told as (
      insert into events (api_key_id, workspace_id, event_id, name, payload, created_at, relayed_at)
      select annotation.api_key_id, ${row.workspaceId}, ${row.eventId}, 'comment.add',
        cast(${row.payload} as jsonb) || ${annotationRecord}, cast(${row.now} as bigint), cast(null as bigint)
      from annotation cross join written
      union all
      select api_key_id, ${row.workspaceId}, ${row.judgedEventId}, 'memory.judgment_add',
        cast(${row.judgedPayload} as jsonb) || jsonb_build_object('decision', decision),
        cast(${row.now} as bigint), null
      from judged
    )
    select comment_id from written`;
  return { compile: () => query.compile(db) };
});

/** Whether a comment is one that `additionOfOne` takes. */
export const isPlain = ({ commentId, mentioned, body }: PreparedComment): boolean =>
  commentId === undefined && mentioned.length === 0 && body.agent === undefined;

/** One plain comment, to be written under this number. It answers no row where there is no annotation. */
export function additionOfOne(
  scope: Scope,
  annotation: AnnotationRef,
  comment: PreparedComment & { commentId: number },
  { byUser }: { byUser: boolean },
): Statement<{ commentId: number }> {
  const { organizationId, documentId, annotationId } = annotation;
  const judged = judgedComment(annotation, comment);
  return insertOne.with({
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
    payload: JSON.stringify(toldOf(annotation, comment, byUser)),
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
