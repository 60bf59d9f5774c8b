import type {
  Annotation,
  Comment,
  FindingRecord,
  MemorySuggestResult,
  Operations,
} from '../../../packages/client/src/operations.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { plural } from '../../lib/text/plural.ts';
import { shortenToBytes } from './answer.ts';
import { dataBlock, shownLine, shownText } from './data-block.ts';
import { dayOf, decisionSentence, minuteOf, stateOf } from './finding-text.ts';

export type FindingDetail = Operations['/v2/agents/findings/get']['result'];

/** All that a tool knows about a finding. */
export interface KnownFinding {
  detail: FindingDetail;
  /** Its annotation with the thread, if it is on a document. */
  thread: Annotation | undefined;
  /** Decisions on similar findings; a sentence if the memory did not answer. */
  precedents: MemorySuggestResult | string;
}

/** The whole text, without a picture. */
const MAX_BYTES = 6_000;
const COMMENTS = 6;
const SIGHTINGS = 3;

const cut = (text: string | undefined, length: number): string => shorten(shownText(text ?? ''), length);

function evidenceOf(finding: FindingRecord): string {
  const { title, description, suggestion, targetText, occurrence, context, url, statusCode } = finding;
  const { htmlSelector, htmlSnippet, pageUrl, issueType, agentName } = finding;
  const around =
    targetText === ''
      ? undefined
      : shownLine(
          `Words (occurrence ${occurrence}): ${cut(context?.before, 150)} [[${cut(targetText, 400)}]] ${cut(context?.after, 150)}`,
        );
  return [
    `Page: ${shorten(shownLine(pageUrl), 300)}`,
    `Rule: ${shorten(shownLine(issueType), 100)}, agent: ${shorten(shownLine(agentName), 60)}`,
    `Title: ${shorten(shownLine(title), 200)}`,
    `Description: ${cut(description, 900)}`,
    ...(suggestion ? [`Suggestion of the agent: ${cut(suggestion, 600)}`] : []),
    ...(around === undefined ? [] : [around]),
    ...(url ? [`Address: ${cut(url, 300)}${statusCode === undefined ? '' : ` (status ${statusCode})`}`] : []),
    ...(htmlSelector ? [`Selector: ${cut(htmlSelector, 300)}`] : []),
    ...(htmlSnippet ? [`HTML: ${cut(htmlSnippet, 600)}`] : []),
  ].join('\n');
}

function precedentLines(precedents: KnownFinding['precedents']): string[] {
  if (typeof precedents === 'string') return [`Precedents: ${precedents}`];
  const { primary, conflict } = precedents;
  if (!primary) return ['Precedents: too few decisions on similar findings.'];
  const { recommendation, basedOn, scopeLabel, uniqueReviewers, topReasons } = primary;
  const reasons = [
    `In: ${shorten(shownLine(scopeLabel), 100)}`,
    ...topReasons.slice(0, 3).map((reason) => `- ${shorten(shownLine(reason), 150)}`),
  ];
  const against = conflict ? ` ${conflict.basedOn} say the opposite.` : '';
  return [
    `Precedents: ${plural(basedOn, 'decision')} of ${plural(uniqueReviewers, 'reviewer')} on similar findings: ${recommendation}.${against}`,
    dataBlock('reasons', reasons.join('\n')),
  ];
}

function commentLine(comment: Comment): string {
  const { from, commentText, createdAt, assistant } = comment;
  const name = shownLine(String(from?.name ?? from?.userId ?? 'someone'));
  const by = assistant === undefined ? name : `${name} (by an assistant: ${shownLine(assistant.name)})`;
  return `- ${minuteOf(createdAt)} ${by}: ${shorten(shownLine(commentText ?? ''), 300)}`;
}

/** By its type, since people choose the names of statuses. */
const STATE_OF_STATUS = { default: 'open', ongoing: 'in progress', terminal: 'resolved' } as const;

function threadLines(thread: Annotation | undefined): string[] {
  if (!thread) return ['Thread: none, since the finding is on no document. reply and propose_fix need one.'];
  const { annotationId, comments, status, suggestion } = thread;
  const replies = comments.slice(1).slice(-COMMENTS);
  const state = suggestion ? `suggestion ${suggestion.status}` : STATE_OF_STATUS[status?.type ?? 'default'];
  return [
    `Thread ${annotationId}: ${state}, ${plural(Math.max(0, comments.length - 1), 'comment')} below the finding.`,
    ...(replies.length === 0 ? [] : [dataBlock('comments', replies.map(commentLine).join('\n'))]),
  ];
}

function historyLines({ finding, history }: FindingDetail): string[] {
  const { seenCount, firstSeenAt, lastSeenAt, fixedAt } = finding;
  const last = history
    .slice(0, SIGHTINGS)
    .map(({ executionId, startedAt }) => `${executionId} (${dayOf(startedAt)})`);
  const fixed = fixedAt === undefined ? '' : ` Gone since ${dayOf(fixedAt)}.`;
  return [
    `Seen by ${plural(seenCount, 'run')} from ${dayOf(firstSeenAt)} to ${dayOf(lastSeenAt)}; last: ${last.join(', ') || 'none is kept'}.${fixed}`,
  ];
}

/** A finding with its evidence, as text of at most 6 kB. */
export function describeFinding({ detail, thread, precedents }: KnownFinding): string {
  const { finding } = detail;
  const { id, severity, agentId } = finding;
  const head = [
    `Finding ${id} [${severity}] ${stateOf(finding)}, agent ${agentId}`,
    ...(finding.decision === undefined
      ? ['No decision yet.']
      : [`Decision: ${finding.decision}.`, dataBlock('the decision', decisionSentence(finding))]),
  ];
  const tail = [
    ...historyLines(detail),
    ...precedentLines(precedents),
    ...threadLines(thread),
    'To mend it, change the source of the page, then check with review_page.',
  ].join('\n');
  const rest = MAX_BYTES - Buffer.byteLength(head.join('\n')) - Buffer.byteLength(tail) - 400;
  const evidence = dataBlock('the page', shortenToBytes(evidenceOf(finding), Math.max(800, rest)));
  return [...head, evidence, tail].join('\n');
}
