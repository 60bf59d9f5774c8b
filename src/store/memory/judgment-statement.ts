import { type RawBuilder, sql } from 'kysely';
import type { PreparedComment } from '../../annotations/comment-draft.ts';
import { judgmentOfComment } from '../../annotations/decisions/causes.ts';
import { newId } from '../../lib/ids.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import { contentInSql, contentTypeInSql } from './judgment-text-sql.ts';
import { judgmentEventPayload } from './judgments.ts';

/** What the statements that write comments are told of the judgments that these leave behind. */
export interface JudgedComment {
  /** Empty where it leaves none, being without words. */
  judgmentId: string;
  origin: string;
  /** What it decides where it is a reply. */
  replyDecision: string;
  reasoning: string;
  /** Only of an agent's: what it says that is about. */
  ownType: string | null;
  confidence: number | null;
  judgeType: string;
  actionUser: Record<string, unknown>;
  agent: Record<string, unknown> | null;
  judgedEventId: string;
  /** What the event tells, but for the decision. */
  judgedPayload: Record<string, unknown>;
}

const NONE: JudgedComment = {
  judgmentId: '',
  origin: '',
  replyDecision: '',
  reasoning: '',
  ownType: null,
  confidence: null,
  judgeType: '',
  actionUser: {},
  agent: null,
  judgedEventId: '',
  judgedPayload: {},
};

/** The part of it that is known before the annotation is read. */
export function judgedComment(
  annotation: AnnotationRef,
  comment: PreparedComment & { commentId: number },
): JudgedComment {
  const reply = judgmentOfComment({ ...annotation, body: {} }, comment, 'What came first.');
  if (!reply) return NONE;
  const { decision: replyDecision, contentType, ...judgment } = reply;
  const { decision: _, ...judgedPayload } = judgmentEventPayload(reply);
  return {
    judgmentId: judgment.judgmentId,
    origin: judgment.origin,
    replyDecision,
    reasoning: judgment.reasoning,
    ownType: judgment.agent?.issueType === undefined ? null : contentType,
    confidence: judgment.confidence,
    judgeType: judgment.judgeType,
    actionUser: judgment.actionUser,
    agent: judgment.agent,
    judgedEventId: newId('evt'),
    judgedPayload,
  };
}

type Written = Record<
  | Exclude<keyof JudgedComment, 'judgedEventId' | 'judgedPayload'>
  | 'commentId'
  | 'authorId'
  | 'createdAt'
  | 'now'
  /** What the thread begins with, where that is part of the same statement. */
  | 'firstReasoning',
  RawBuilder<unknown>
> & { from: RawBuilder<unknown> };

/**
 * Two more parts of a statement that writes comments on a row called `annotation`: what the thread began with, and the
 * judgments. They say the same as `judgmentOfComment`.
 */
export const judgedInSql = (
  ref: AnnotationRef & { apiKeyId: string },
  item: Written,
): RawBuilder<unknown> => {
  const opening = sql`coalesce((select opening.reasoning from opening), ${item.firstReasoning})`;
  const content = contentInSql('annotation');
  return sql`opening as (
      select one.reasoning from judgments as one
      where one.api_key_id collate "C" = ${ref.apiKeyId} and one.organization_id = ${ref.organizationId}
        and one.annotation_id = ${ref.annotationId} and one.document_id = ${ref.documentId}
        and one.origin in ('comment', 'finding')
      order by one.created_at, one.judgment_id limit 1
    ), judged as (
      insert into judgments (api_key_id, judgment_id, organization_id, document_id, annotation_id, comment_id, origin,
        decision, reasoning, content, content_type, confidence, judge_type, reviewer_id, action_user, agent,
        created_at, recorded_at)
      select annotation.api_key_id, ${item.judgmentId}, annotation.organization_id, annotation.document_id,
        annotation.annotation_id, ${item.commentId}, ${item.origin},
        case when ${opening} is null then 'comment' else ${item.replyDecision} end, ${item.reasoning},
        nullif(concat_ws(e'\\n', nullif(left(${opening}, 5000), ''), ${content}), ''),
        coalesce(${item.ownType}, ${contentTypeInSql('annotation')}), ${item.confidence}, ${item.judgeType},
        ${item.authorId}, ${item.actionUser}, ${item.agent}, ${item.createdAt}, ${item.now}
      from annotation cross join ${item.from}
      where ${item.judgmentId} <> ''
      returning api_key_id, judgment_id, decision
    )`;
};
