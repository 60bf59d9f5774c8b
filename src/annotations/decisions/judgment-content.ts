import { asObject, type Fields } from '../../lib/json.ts';
import { cutText, shorten } from '../../lib/text/cut-text.ts';
import type { Decision } from '../../shapes/memory/judgment.ts';

/** Longest reasoning of a judgment, and longest part of its content and type, in UTF-16 units. */
export const MAX_REASONING_LENGTH = 20_000;
export const MAX_PART_LENGTH = 5_000;
export const MAX_TYPE_LENGTH = 200;
const MAX_PROPOSAL_LENGTH = 500;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The text of a comment without markup; a comment without text gives the title and description of its agent. */
export const plainTextOfComment = (body: Fields): string => {
  const plain = textOf(body.commentText);
  const html =
    plain ||
    textOf(body.commentHtml)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  const reason = asObject(asObject(body.agent).reason);
  const text = html || [textOf(reason.title), textOf(reason.description)].filter(Boolean).join('\n');
  return cutText(text, MAX_REASONING_LENGTH);
};

/** The content that an annotation is about: its proposal, the text it points at and its page, if it has any. */
export function contentOf(body: Fields): string | null {
  const suggestion = asObject(body.suggestion);
  const parts = [
    suggestion.summary,
    suggestion.oldValue,
    suggestion.newValue,
    asObject(body.targetElement).targetText,
    asObject(body.agent).url ?? asObject(body.pageInfo).url,
  ];
  const known = parts.map((part) => cutText(textOf(part), MAX_PART_LENGTH)).filter(Boolean);
  return known.length === 0 ? null : known.join('\n');
}

/** The content that a reply is about: the opening comment of the thread, then the annotation's content. */
export const answeredContent = (opening: string | undefined, content: string | null): string | null =>
  [cutText(opening ?? '', MAX_PART_LENGTH), content ?? ''].filter(Boolean).join('\n') || null;

/** The issue type of a finding, otherwise the annotation's target: `page`, `text`, `pin`, or `comment` without one. */
export function contentTypeOf(body: Fields): string {
  const issueType = textOf(asObject(asObject(body.agent).reason).issueType);
  if (issueType !== '') return cutText(issueType, MAX_TYPE_LENGTH);
  if (body.isPageAnnotation === true) return 'page';
  if (textOf(asObject(body.targetElement).targetText) !== '') return 'text';
  return typeof body.positionX === 'number' ? 'pin' : 'comment';
}

/** The reasoning of a decision without a given reason: a sentence that names the proposal or the opening comment. */
export function defaultReasoning(
  origin: 'suggestion' | 'status',
  decision: Decision,
  body: Fields,
  opening: string | undefined,
): string {
  const suggestion = asObject(body.suggestion);
  const proposed = textOf(suggestion.summary) || textOf(suggestion.newValue) || (opening ?? '');
  const done =
    origin === 'status'
      ? `Set the status to ${textOf(asObject(body.status).name) || 'another one'}`
      : `${decision === 'approve' ? 'Accepted' : 'Rejected'} the suggestion`;
  return proposed === '' ? `${done}.` : `${done}: ${shorten(proposed, MAX_PROPOSAL_LENGTH)}`;
}

/** The decision that a status expresses: by its id or name if they are clear, otherwise by its type. */
export function decisionOfStatus(
  status: Fields,
): Extract<Decision, 'approve' | 'reject' | 'resolve' | 'in_progress'> {
  const names = [status.id, status.name].map((name) => textOf(name).toLowerCase().replace(/[_-]+/g, ' '));
  if (names.some((name) => /^(?:approved|accepted)\b/.test(name))) return 'approve';
  if (names.some((name) => /^(?:rejected|declined)\b/.test(name))) return 'reject';
  return status.type === 'terminal' ? 'resolve' : 'in_progress';
}

/** The part of a comment's agent that judgments store; null without an agent. */
export const agentOf = (body: Fields, more: Fields = {}): Fields | null => {
  const agent = asObject(body.agent);
  if (Object.keys(agent).length === 0) return null;
  const { agentId, agentName, agentType, agentSource, executionId, url, reason } = agent;
  const { severity, issueType } = asObject(reason);
  const known = {
    agentId,
    agentName,
    agentType,
    agentSource,
    executionId,
    url,
    severity,
    issueType,
    ...more,
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
};

/** The name of the assistant that wrote a comment; undefined for a comment that a person or agent wrote themselves. */
export const assistantIn = (body: Fields): string | undefined => {
  const { name } = asObject(body.assistant);
  return typeof name === 'string' ? name : undefined;
};

/** An assistant as the agent of a judgment: readers recognize by `isAssistant` that no person judged. */
export const agentOfAssistant = (name: string): Fields => ({ agentName: name, isAssistant: true });

/** The confidence of an agent from 0 to 1; agents send percent. */
export const confidenceOf = (body: Fields): number | null => {
  const { confidence } = asObject(asObject(body.agent).reason);
  return typeof confidence === 'number' ? Math.min(1, Math.max(0, confidence / 100)) : null;
};
