import type { JudgmentTables } from '../../db/tables/judgment-tables.ts';
import { newTimedId } from '../../lib/ids.ts';
import type { Fields } from '../../lib/json.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import type { Decision } from '../../shapes/memory/judgment.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import type { User } from '../../shapes/user.ts';
import type { StoredAnnotation } from '../present-annotation.ts';
import { decisionOfReply } from './from-reply.ts';
import {
  agentOf,
  agentOfAssistant,
  answeredContent,
  assistantIn,
  confidenceOf,
  contentOf,
  contentTypeOf,
  defaultReasoning,
  MAX_REASONING_LENGTH,
  plainTextOfComment,
} from './judgment-content.ts';

/** A judgment to be written; the store adds the API key, the time of recording and what search needs. */
export interface NewJudgment
  extends Omit<
    JudgmentTables['judgments'],
    'apiKeyId' | 'recordedAt' | 'reviewWords' | 'contentWords' | 'embeddedWith' | 'claimedUntil' | 'changed'
  > {
  /** Users mentioned in the reasoning and the text of each mention, so that erasure finds them in events. */
  mentions?: Mention[];
}

interface Mention {
  userId: string;
  text?: string | undefined;
  [field: string]: unknown;
}

/** `mentions` from `taggedUserContacts` of a comment. */
export const mentionsIn = (tagged: unknown): { mentions?: Mention[] } => {
  const list = (Array.isArray(tagged) ? tagged : []) as Mention[];
  return list.length === 0 ? {} : { mentions: list.map(({ userId, text }) => ({ userId, text })) };
};

export interface Person {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
}

/** The reviewer of a decision that an API key made without naming a user. */
export const SYSTEM_REVIEWER: Person = { userId: 'system', name: '' };

const personOf = ({ userId, name, email }: Person): User => ({
  userId,
  ...(typeof name === 'string' && { name }),
  ...(typeof email === 'string' && { email }),
});

interface WrittenComment {
  commentId: number;
  from: Person;
  body: Fields;
  createdAt: number;
}

/**
 * The judgment of a comment, or of a finding if an agent wrote the comment. That of a comment that an assistant wrote for a
 * person is an agent's. Undefined for a comment without words.
 * `opening` is the text of the thread's first comment; undefined for that comment itself.
 */
export function judgmentOfComment(
  annotation: AnnotationRef & { body: Fields },
  { commentId, from, body, createdAt }: WrittenComment,
  opening: string | undefined,
  more: { injected?: boolean | undefined } = {},
): NewJudgment | undefined {
  const reasoning = plainTextOfComment(body);
  if (reasoning === '') return undefined;
  const agent = agentOf(body, more.injected ? { injected: true } : {});
  const assistant = assistantIn(body);
  const judge = agent ?? (assistant === undefined ? null : agentOfAssistant(assistant));
  const content = contentOf(annotation.body);
  return {
    ...refOf(annotation),
    judgmentId: newTimedId('jdg'),
    commentId,
    origin: agent ? 'finding' : 'comment',
    decision: agent || opening === undefined ? 'comment' : decisionOfReply(reasoning),
    reasoning,
    content: opening === undefined ? content : answeredContent(opening, content),
    contentType: contentTypeOf(agent ? { ...annotation.body, agent: body.agent } : annotation.body),
    confidence: agent ? confidenceOf(body) : null,
    judgeType: judge ? 'agent' : 'human',
    reviewerId: from.userId,
    actionUser: personOf(from),
    agent: judge,
    createdAt,
    ...mentionsIn(body.taggedUserContacts),
  };
}

export interface Decided {
  origin: 'suggestion' | 'status';
  decision: Decision;
  by: Person;
  /** The name of the assistant that decided for the person. */
  assistant?: string | undefined;
  at: number;
}

export interface DecidedOn {
  row: StoredAnnotation;
  decided: Decided;
}

/** The state of a thread at the time of a decision on it. */
export interface JudgedThread {
  /** Text of the first comment. */
  opening: string | undefined;
  /** The decider's latest comment: of an assistant that decided, or of the person who did so themselves. */
  latestComment: { commentId: number; reasoning: string } | undefined;
  /** `taggedUserContacts` of the comments. */
  tagged?: unknown;
}

/**
 * The judgment of a decision on an annotation. Its reasoning is the given reason of a rejection, otherwise the
 * decider's latest comment, otherwise a sentence that says what was decided.
 */
export function judgmentOfDecision(
  annotation: AnnotationRef & { body: Fields },
  { origin, decision, by, assistant, at }: Decided,
  { opening, latestComment, tagged }: JudgedThread,
  judgmentId: string = newTimedId('jdg'),
): NewJudgment {
  const { rejectReason } = (annotation.body.suggestion ?? {}) as Fields;
  const given =
    decision === 'reject' && typeof rejectReason === 'string'
      ? cutText(rejectReason.trim(), MAX_REASONING_LENGTH)
      : '';
  const quoted = given === '' ? latestComment : undefined;
  return {
    ...refOf(annotation),
    judgmentId,
    commentId: quoted?.commentId ?? null,
    origin,
    decision,
    reasoning: given || (quoted?.reasoning ?? defaultReasoning(origin, decision, annotation.body, opening)),
    content: answeredContent(opening, contentOf(annotation.body)),
    contentType: contentTypeOf(annotation.body),
    confidence: null,
    judgeType: assistant === undefined ? 'human' : 'agent',
    reviewerId: by.userId,
    actionUser: personOf(by),
    agent: assistant === undefined ? null : agentOfAssistant(assistant),
    createdAt: at,
    ...mentionsIn(tagged),
  };
}

const refOf = ({ organizationId, documentId, annotationId }: AnnotationRef) => ({
  organizationId,
  documentId,
  annotationId,
});
