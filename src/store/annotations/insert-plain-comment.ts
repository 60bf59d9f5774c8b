import { sql } from 'kysely';
import type { AnnotationEvent } from '../../annotations/annotation-event.ts';
import type { PreparedComment } from '../../annotations/comment-draft.ts';
import { assistantIn } from '../../annotations/decisions/judgment-content.ts';
import { recordOfComment, subscriptionsOf } from '../../annotations/present-annotation.ts';
import { grouped } from '../../db/grouped.ts';
import { prepared, type Statement } from '../../db/prepared.ts';
import { eventColumns, insertEvents } from '../../events/insert-events.ts';
import { md5, newTimedId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import { judgedComment, judgedInSql } from '../memory/judgment-statement.ts';
import { annotationRecord } from './annotation-sql.ts';
import { insertCommentGroup, type PlainValues } from './comment-group-statement.ts';

/** The part of the event `comment.add` that is known before the annotation is read; `annotationRecord` is the rest. */
export const eventPart = (
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
export const isPlain = ({ commentId, mentioned, body }: PreparedComment): boolean =>
  commentId === undefined &&
  mentioned.length === 0 &&
  body.agent === undefined &&
  assistantIn(body) === undefined;

export function plainInsertion(
  scope: Scope,
  annotation: AnnotationRef,
  comment: PreparedComment & { commentId: number },
  { byUser }: { byUser: boolean },
): Statement<{ commentId: number }> {
  const { organizationId, documentId, annotationId } = annotation;
  const judged = judgedComment(annotation, comment);
  return insertion({
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
    eventId: newTimedId('evt'),
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

const insertion = grouped<PlainValues, { commentId: number }>({
  laneOf: ({ apiKeyId }) => apiKeyId,
  keysOf: ({ organizationId, documentId, annotationId, commentId }) => [
    JSON.stringify([organizationId, documentId, annotationId, commentId]),
  ],
  sizeOf: ({ body, payload, judgedPayload }) => body.length + payload.length + judgedPayload.length,
  alone: insertPlain,
  async together(db, many) {
    const { apiKeyId, workspaceId, now } = many[0]!;
    const items = many.map(itemOf).join(',');
    const rows = await insertCommentGroup(db, {
      apiKeyId,
      workspaceId,
      now,
      items: `[${items}]`,
      count: many.length,
    });
    const written = new Set(rows.map(({ position }) => position));
    return many.map(({ commentId }, position) => (written.has(position) ? [{ commentId }] : undefined));
  },
});

/** The values as JSON, without those that all comments of an API key share, and with JSON texts as their values. */
const itemOf = (
  {
    apiKeyId,
    workspaceId,
    now,
    subscription,
    body,
    payload,
    actionUser,
    judgedPayload,
    ...rest
  }: PlainValues,
  position: number,
): string =>
  `{"subscription":${subscription},"body":${body},"payload":${payload},"actionUser":${actionUser},"judgedPayload":${judgedPayload},"position":${position},${JSON.stringify(rest).slice(1)}`;
