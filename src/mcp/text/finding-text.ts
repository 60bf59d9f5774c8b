import type { FindingRecord } from '../../../packages/client/src/operations.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { shownLine } from './data-block.ts';

type Decided = Pick<FindingRecord, 'decision' | 'decidedBy' | 'reason' | 'decidedAt'>;

/** Epoch milliseconds as a minute in UTC, such as `2026-11-27 09:30`. */
export const minuteOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const STATE = { new: 'new', still_there: 'still there', fixed: 'fixed' } as const;

export const stateOf = ({ state }: Pick<FindingRecord, 'state'>): string => STATE[state];

/** A finding on one line, which begins with its id. */
export function findingLine(finding: FindingRecord): string {
  const { id, severity, issueType, title, pageUrl, targetText, agentName, decision } = finding;
  const quote = shownLine(targetText);
  return [
    `${id} [${severity}] ${issueType}: ${shorten(shownLine(title), 120)}`,
    ...(quote === '' || title.includes(targetText) ? [] : [`"${shorten(quote, 80)}"`]),
    shorten(shownLine(pageUrl), 160),
    `${shorten(shownLine(agentName), 40)}, ${stateOf(finding)}${decision ? `, ${decision}` : ''}`,
  ].join(' | ');
}

/** Models and backends may choose any issue type. */
const TAG = /^[\w.-]{1,60}$/;

/** A finding in a list, for programs: ids, words of the service and addresses, and no text of a page. */
export const findingFields = ({
  id,
  severity,
  issueType,
  pageUrl,
  organizationId,
  documentId,
  agentId,
  state,
  decision = 'undecided' as never,
}: FindingRecord): Record<string, unknown> => ({
  id,
  severity,
  ...(TAG.test(issueType) && { rule: issueType }),
  pageUrl: shorten(pageUrl, 300),
  ...(documentId !== undefined && { organizationId, documentId }),
  agentId,
  state,
  decision,
});

/** Who decided what, as a sentence; `assistant` names the assistant that decided for the person. */
export function decisionSentence({ decision, decidedBy, reason, decidedAt }: Decided): string {
  if (decision === undefined) return 'No decision yet.';
  const { name = '', userId = '', assistant } = decidedBy ?? {};
  const who = shownLine(name) || userId || 'someone';
  const by = assistant === undefined ? who : `${who}, by the assistant ${shownLine(assistant)}`;
  const when = decidedAt === undefined ? '' : ` on ${dayOf(decidedAt)}`;
  const why = reason === undefined ? '' : `: ${shorten(shownLine(reason), 400)}`;
  return `${decision} by ${by}${when}${why}`;
}
