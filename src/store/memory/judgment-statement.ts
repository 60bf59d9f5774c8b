import { type RawBuilder, sql } from 'kysely';
import type { PreparedComment } from '../../annotations/comment-draft.ts';
import { judgmentOfComment } from '../../annotations/decisions/build-judgment.ts';
import { MAX_PART_LENGTH, MAX_TYPE_LENGTH } from '../../annotations/decisions/judgment-content.ts';
import { newTimedId } from '../../lib/ids.ts';
import type { Fields } from '../../lib/json.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import { judgmentEventPayload } from './judgments.ts';

/** Input of the statements that write comments together with their judgments. */
export interface JudgedComment {
  /** Empty for a comment without words, which has no judgment. */
  judgmentId: string;
  origin: string;
  /** The decision, if the comment is a reply. */
  replyDecision: string;
  reasoning: string;
  /** Content type named by an agent; null for comments of people. */
  ownType: string | null;
  confidence: number | null;
  judgeType: string;
  actionUser: Fields;
  agent: Fields | null;
  judgedEventId: string;
  /** Event payload without the decision. */
  judgedPayload: Fields;
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

/** Everything that is known before the annotation is read. */
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
    judgedEventId: newTimedId('evt'),
    judgedPayload,
  };
}

type JudgedItem = Record<
  | Exclude<keyof JudgedComment, 'judgedEventId' | 'judgedPayload'>
  | 'commentId'
  | 'authorId'
  | 'createdAt'
  | 'now'
  /** First comment of the thread, if the same statement writes it. */
  | 'firstReasoning',
  RawBuilder<unknown>
> & { from: RawBuilder<unknown> };

/**
 * CTEs for a statement that writes comments on a row called `annotation`: the opening of the thread, and the judgments.
 * Equivalent to `judgmentOfComment`.
 */
export const judgedInSql = (
  ref: AnnotationRef & { apiKeyId: string },
  item: JudgedItem,
): RawBuilder<unknown> =>
  sql`opening as (${openingInSql(ref)}), ${judgedAfterOpening({
    ...item,
    opening: sql`coalesce((select opening.reasoning from opening), ${item.firstReasoning})`,
    matches: sql`true`,
  })}`;

/** The earliest judgment of a thread's comments, as a row with its `reasoning`. */
export const openingInSql = (ref: Record<keyof AnnotationRef | 'apiKeyId', unknown>): RawBuilder<unknown> =>
  sql`select one.reasoning from judgments as one
      where one.api_key_id collate "C" = ${ref.apiKeyId} and one.organization_id = ${ref.organizationId}
        and one.annotation_id = ${ref.annotationId} and one.document_id = ${ref.documentId}
        and one.origin in ('comment', 'finding')
      order by one.created_at, one.judgment_id limit 1`;

/** The CTE of `judgedInSql` with the judgments, for rows whose threads and openings the statement knows. */
export const judgedAfterOpening = ({
  opening,
  matches,
  ...item
}: Omit<JudgedItem, 'firstReasoning'> & {
  opening: RawBuilder<unknown>;
  /** True for the annotation of an item. */
  matches: RawBuilder<unknown>;
}): RawBuilder<unknown> => {
  const content = contentInSql('annotation');
  return sql`judged as (
      insert into judgments (api_key_id, judgment_id, organization_id, document_id, annotation_id, comment_id, origin,
        decision, reasoning, content, content_type, confidence, judge_type, reviewer_id, action_user, agent,
        created_at, recorded_at)
      select annotation.api_key_id, ${item.judgmentId}, annotation.organization_id, annotation.document_id,
        annotation.annotation_id, ${item.commentId}, ${item.origin},
        case when ${opening} is null then 'comment' else ${item.replyDecision} end, ${item.reasoning},
        nullif(concat_ws(e'\\n', nullif(left(${opening}, 5000), ''), ${content}), ''),
        coalesce(${item.ownType}, ${contentTypeInSql('annotation')}), ${item.confidence}, ${item.judgeType},
        ${item.authorId}, ${item.actionUser}, ${item.agent}, ${item.createdAt}, ${item.now}
      from annotation join ${item.from} on ${matches}
      where ${item.judgmentId} <> ''
      returning api_key_id, judgment_id, decision
    )`;
};

const at = (row: string, path: string[]): RawBuilder<unknown> =>
  sql`${sql.ref(`${row}.body`)} #>> ${sql.lit(`{${path.join(',')}}`)}`;

/** A text within the body of a row, trimmed and cut; null if it is empty or no string. */
const inBody = (row: string, path: string[], max: number): RawBuilder<string | null> => sql`
  case when jsonb_typeof(${sql.ref(`${row}.body`)} #> ${sql.lit(`{${path.join(',')}}`)}) = 'string'
    then nullif(left(btrim(${at(row, path)}, e' \\t\\r\\n'), ${sql.lit(max)}), '') end`;

/** `contentOf` of `annotations/decisions/judgment-content.ts`, for a statement that has the annotation as a row. */
const contentInSql = (row: string): RawBuilder<string | null> => {
  const part = (...path: string[]) => inBody(row, path, MAX_PART_LENGTH);
  return sql`nullif(concat_ws(e'\\n', ${part('suggestion', 'summary')}, ${part('suggestion', 'oldValue')},
    ${part('suggestion', 'newValue')}, ${part('targetElement', 'targetText')},
    coalesce(${part('agent', 'url')}, ${part('pageInfo', 'url')})), '')`;
};

/** `contentTypeOf` of the same file. */
const contentTypeInSql = (row: string): RawBuilder<string> => {
  const body = sql.ref(`${row}.body`);
  return sql`coalesce(${inBody(row, ['agent', 'reason', 'issueType'], MAX_TYPE_LENGTH)}, case
    when ${body} -> 'isPageAnnotation' = 'true' then 'page'
    when ${inBody(row, ['targetElement', 'targetText'], 1)} is not null then 'text'
    when jsonb_typeof(${body} -> 'positionX') = 'number' then 'pin' else 'comment' end)`;
};
