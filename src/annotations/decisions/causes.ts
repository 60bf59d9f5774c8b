import { newId } from '../../lib/ids.ts';
import type { Fields } from '../../lib/json.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import type { Decision } from '../../shapes/memory/judgment.ts';
import type { AnnotationRef } from '../../store/annotations/comments.ts';
import {
  agentOf,
  answeredContent,
  confidenceOf,
  contentOf,
  contentTypeOf,
  MOST_REASONING,
  sentenceOf,
  wordsOfComment,
} from '../../store/memory/judgment-text-sql.ts';
import { mentionsIn, type NewJudgment } from '../../store/memory/judgments.ts';
import { decisionOfReply } from './from-reply.ts';

export interface Person {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
}

/** Who decided where an API key did, without a word of who that was for. */
export const NOBODY: Person = { userId: 'system', name: '' };

const personOf = ({ userId, name, email }: Person): Fields => ({
  userId,
  ...(typeof name === 'string' && { name }),
  ...(typeof email === 'string' && { email }),
});

interface Said {
  commentId: number;
  from: Person;
  body: Fields;
  createdAt: number;
}

/**
 * The judgment of a comment, or of a finding where an agent wrote it; undefined of one without words. `opening` is
 * what its thread began with, undefined where it is that itself.
 */
export function judgmentOfComment(
  annotation: AnnotationRef & { body: Fields },
  { commentId, from, body, createdAt }: Said,
  opening: string | undefined,
  more: { injected?: boolean | undefined } = {},
): NewJudgment | undefined {
  const reasoning = wordsOfComment(body);
  if (reasoning === '') return undefined;
  const agent = agentOf(body, more.injected ? { injected: true } : {});
  const content = contentOf(annotation.body);
  return {
    ...placeOf(annotation),
    judgmentId: newId('jdg'),
    commentId,
    origin: agent ? 'finding' : 'comment',
    decision: agent || opening === undefined ? 'comment' : decisionOfReply(reasoning),
    reasoning,
    content: opening === undefined ? content : answeredContent(opening, content),
    contentType: contentTypeOf(agent ? { ...annotation.body, agent: body.agent } : annotation.body),
    confidence: agent ? confidenceOf(body) : null,
    judgeType: agent ? 'agent' : 'human',
    reviewerId: from.userId,
    actionUser: personOf(from),
    agent,
    createdAt,
    ...mentionsIn(body.taggedUserContacts),
  };
}

export interface Decided {
  origin: 'suggestion' | 'status';
  decision: Decision;
  by: Person;
  at: number;
}

/** What is known of a thread when somebody decides on it. */
export interface Thread {
  /** What it began with. */
  opening: string | undefined;
  /** The newest comment of whoever decides. */
  said: { commentId: number; reasoning: string } | undefined;
  /** Of either of them. */
  tagged?: unknown;
}

/** The judgment of a decision on an annotation; its reasons are those that were given, or else those it can have. */
export function judgmentOfDecision(
  annotation: AnnotationRef & { body: Fields },
  { origin, decision, by, at }: Decided,
  { opening, said, tagged }: Thread,
  judgmentId: string = newId('jdg'),
): NewJudgment {
  const { rejectReason } = (annotation.body.suggestion ?? {}) as Fields;
  const given =
    decision === 'reject' && typeof rejectReason === 'string'
      ? cutText(rejectReason.trim(), MOST_REASONING)
      : '';
  const quoted = given === '' ? said : undefined;
  return {
    ...placeOf(annotation),
    judgmentId,
    commentId: quoted?.commentId ?? null,
    origin,
    decision,
    reasoning: given || (quoted?.reasoning ?? sentenceOf(origin, decision, annotation.body, opening)),
    content: answeredContent(opening, contentOf(annotation.body)),
    contentType: contentTypeOf(annotation.body),
    confidence: null,
    judgeType: 'human',
    reviewerId: by.userId,
    actionUser: personOf(by),
    agent: null,
    createdAt: at,
    ...mentionsIn(tagged),
  };
}

const placeOf = ({ organizationId, documentId, annotationId }: AnnotationRef) => ({
  organizationId,
  documentId,
  annotationId,
});
