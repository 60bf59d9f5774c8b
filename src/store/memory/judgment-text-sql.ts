import { type RawBuilder, sql } from 'kysely';
import { asObject, type Fields } from '../../lib/json.ts';
import { cutText, shorten } from '../../lib/text/cut-text.ts';
import type { Decision } from '../../shapes/memory/judgment.ts';

/** Of what is said of something, and of each thing that is told about what it is said of, in UTF-16 units. */
export const MOST_REASONING = 20_000;
const MOST_OF_PART = 5_000;
const MOST_OF_TYPE = 200;
const MOST_PROPOSED = 500;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** What a comment says, without its markup. */
export const wordsOfComment = (body: Fields): string => {
  const plain = textOf(body.commentText);
  const html =
    plain ||
    textOf(body.commentHtml)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  const reason = asObject(asObject(body.agent).reason);
  const said = html || [textOf(reason.title), textOf(reason.description)].filter(Boolean).join('\n');
  return cutText(said, MOST_REASONING);
};

/** What an annotation is about, as far as it tells: what it proposes, the words it points at, its page. */
export function contentOf(body: Fields): string | null {
  const suggestion = asObject(body.suggestion);
  const parts = [
    suggestion.summary,
    suggestion.oldValue,
    suggestion.newValue,
    asObject(body.targetElement).targetText,
    asObject(body.agent).url ?? asObject(body.pageInfo).url,
  ];
  const told = parts.map((part) => cutText(textOf(part), MOST_OF_PART)).filter(Boolean);
  return told.length === 0 ? null : told.join('\n');
}

/** What is judged by whoever answers what a thread began with. */
export const answeredContent = (opening: string | undefined, content: string | null): string | null =>
  [cutText(opening ?? '', MOST_OF_PART), content ?? ''].filter(Boolean).join('\n') || null;

/** The issue type of a finding; else what an annotation points at: `page`, `text`, `pin`, or nothing: `comment`. */
export function contentTypeOf(body: Fields): string {
  const issueType = textOf(asObject(asObject(body.agent).reason).issueType);
  if (issueType !== '') return cutText(issueType, MOST_OF_TYPE);
  if (body.isPageAnnotation === true) return 'page';
  if (textOf(asObject(body.targetElement).targetText) !== '') return 'text';
  return typeof body.positionX === 'number' ? 'pin' : 'comment';
}

const at = (row: string, path: string[]): RawBuilder<unknown> =>
  sql`${sql.ref(`${row}.body`)} #>> ${sql.lit(`{${path.join(',')}}`)}`;

/** A text within the body of a row, as `textOf` reads it; null where there is none. */
const inBody = (row: string, path: string[], most: number): RawBuilder<string | null> => sql`
  case when jsonb_typeof(${sql.ref(`${row}.body`)} #> ${sql.lit(`{${path.join(',')}}`)}) = 'string'
    then nullif(left(btrim(${at(row, path)}, e' \\t\\r\\n'), ${sql.lit(most)}), '') end`;

/** The same as `contentOf`, in a statement that has the annotation as a row. */
export const contentInSql = (row: string): RawBuilder<string | null> => {
  const part = (...path: string[]) => inBody(row, path, MOST_OF_PART);
  return sql`nullif(concat_ws(e'\\n', ${part('suggestion', 'summary')}, ${part('suggestion', 'oldValue')},
    ${part('suggestion', 'newValue')}, ${part('targetElement', 'targetText')},
    coalesce(${part('agent', 'url')}, ${part('pageInfo', 'url')})), '')`;
};

/** The same as `contentTypeOf`. */
export const contentTypeInSql = (row: string): RawBuilder<string> => {
  const body = sql.ref(`${row}.body`);
  return sql`coalesce(${inBody(row, ['agent', 'reason', 'issueType'], MOST_OF_TYPE)}, case
    when ${body} -> 'isPageAnnotation' = 'true' then 'page'
    when ${inBody(row, ['targetElement', 'targetText'], 1)} is not null then 'text'
    when jsonb_typeof(${body} -> 'positionX') = 'number' then 'pin' else 'comment' end)`;
};

/** Why somebody decided who did not say: what was proposed, or what was said in the first place. */
export function sentenceOf(
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
  return proposed === '' ? `${done}.` : `${done}: ${shorten(proposed, MOST_PROPOSED)}`;
}

/** What setting a status decides. */
export function decisionOfStatus(
  status: Fields,
): Extract<Decision, 'approve' | 'reject' | 'resolve' | 'in_progress'> {
  const names = [status.id, status.name].map((name) => textOf(name).toLowerCase().replace(/[_-]+/g, ' '));
  if (names.some((name) => /^(?:approved|accepted)\b/.test(name))) return 'approve';
  if (names.some((name) => /^(?:rejected|declined)\b/.test(name))) return 'reject';
  return status.type === 'terminal' ? 'resolve' : 'in_progress';
}

/** Of an agent, what tells who it was and how sure. */
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

/** 0 to 1; agents tell it in percent. */
export const confidenceOf = (body: Fields): number | null => {
  const { confidence } = asObject(asObject(body.agent).reason);
  return typeof confidence === 'number' ? Math.min(1, Math.max(0, confidence / 100)) : null;
};
