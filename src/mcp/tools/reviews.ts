import { z } from 'zod';
import type { Review } from '../../../packages/client/src/operations.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { plural } from '../../lib/text/plural.ts';
import { type Severity, severities } from '../../shapes/agents/execution.ts';
import { reviewPresets } from '../../shapes/agents/review.ts';
import type { Answer } from '../text/answer.ts';
import { dataBlock, shownLine } from '../text/data-block.ts';
import { minuteOf } from '../text/finding-text.ts';
import { Refusal } from '../text/refusal.ts';
import { ID } from './get-finding.ts';
import { cursor, limit, listedFindings, place } from './list-findings.ts';
import { READS, type ToolContext, tool } from './tool.ts';

/** Clients give up on a tool after a minute. */
const MAX_WAIT_SECONDS = 45;
/** The longest that one request waits. */
const ROUND_MS = 10_000;
const FIRST_FINDINGS = 10;

const waitSeconds = z.int().min(0).max(MAX_WAIT_SECONDS);

/** Follows a review until it ends, the time is over, or the client gives up. */
async function follow(
  reviewId: string,
  waitMs: number,
  { service, signal, stopping, progress }: ToolContext,
): Promise<Review> {
  const ends = Date.now() + waitMs;
  for (let seen: string | undefined; ; ) {
    const left = Math.max(0, ends - Date.now());
    const { review } = await service.call(
      '/v2/reviews/get',
      { reviewId, ...(seen !== undefined && { seen, waitMs: Math.min(left, ROUND_MS) }) },
      { signal },
    );
    const { urlsPlanned, urlsProcessed, findings } = review.progress;
    if (review.status === 'ended' || left === 0) return review;
    if (stopping?.aborted)
      throw new Refusal(
        `The service stops, and the review ${reviewId} goes on when it is back: call get_review with this id in a minute.`,
      );
    await progress({
      done: urlsProcessed,
      total: Math.max(urlsPlanned, urlsProcessed),
      message:
        urlsPlanned === 0
          ? 'The review begins.'
          : `${urlsProcessed} of ${plural(urlsPlanned, 'page')}, ${plural(findings, 'finding')}`,
    });
    seen = review.revision;
  }
}

function problemLines({ executions }: Review): string[] {
  const problems = executions
    .filter(({ error }) => error)
    .slice(0, 5)
    .map(({ agentName, url, error }) =>
      shorten(`Problem: ${shownLine(agentName)} on ${shownLine(url)}: ${shownLine(error!.message)}`, 300),
    );
  return problems.length === 0 ? [] : [dataBlock('problems', problems.join('\n'))];
}

function stateLines(review: Review): string[] {
  const { id, status, verdict, counts, progress, startedAt } = review;
  if (status === 'running') {
    const { urlsPlanned, urlsProcessed, findings } = progress;
    return [
      `Review ${id} is running since ${minuteOf(startedAt)} UTC: ${urlsProcessed} of ${plural(urlsPlanned, 'page')}, ${plural(findings, 'finding')} so far. Call get_review with this id to go on waiting.`,
    ];
  }
  const graded = severities
    .filter((one) => (counts?.bySeverity[one] ?? 0) > 0)
    .map((one) => `${counts!.bySeverity[one]} ${one}`);
  const changed =
    counts?.new === undefined
      ? ''
      : ` New: ${counts.new}, fixed since the review before: ${counts.fixed ?? 0}.`;
  return [
    `Review ${id} has ended: ${verdict ?? 'no verdict'}. ${plural(counts?.open ?? 0, 'open finding')} of ${counts?.findings ?? 0} on ${plural(counts?.pages ?? 0, 'page')}${graded.length > 0 ? ` (${graded.join(', ')})` : ''}.${changed}`,
    `The whole report is the resource redpen://runs/${id}/report.md.`,
  ];
}

const structuredOf = ({ id, status, verdict, counts, progress }: Review): Record<string, unknown> => ({
  reviewId: id,
  status,
  ...(verdict !== undefined && { verdict }),
  ...(counts && { counts }),
  progress,
});

const answerOf = (
  review: Review,
  { service }: ToolContext,
  page: { cursor?: string | undefined; limit: number },
  shown: readonly Severity[] = severities,
): Promise<Answer> =>
  listedFindings(
    service,
    { reviewId: review.id, ...(shown.length < severities.length && { severity: [...shown] }) },
    page,
    {
      before: [
        ...stateLines(review),
        ...problemLines(review),
        ...(shown.length < severities.length
          ? [`Below are those of severity ${shown.join(', ')}; get_review lists all.`]
          : []),
      ],
      structured: structuredOf(review),
    },
  );

/** The gravest severities whose findings fit into a first answer; at least one. */
function graveIn({ counts }: Review): readonly Severity[] {
  const countOf = (severity: Severity): number => counts?.bySeverity[severity] ?? 0;
  const shown: Severity[] = [];
  let sum = 0;
  for (const severity of severities) {
    sum += countOf(severity);
    if (sum > FIRST_FINDINGS && shown.some((one) => countOf(one) > 0)) break;
    shown.push(severity);
  }
  return shown;
}

export const reviewPage = tool({
  name: 'review_page',
  title: 'Review a page',
  description:
    'Opens pages in a real browser and reviews them; waits for the result, else gives a reviewId for get_review. After a fix, review the page with the same agents.',
  input: z
    .strictObject({
      urls: z
        .array(z.url({ protocol: /^https?$/ }).max(2_000))
        .min(1)
        .max(10),
      agents: z.array(z.string().min(1).max(200)).min(1).max(20).optional().describe('Ids.'),
      preset: z.enum(reviewPresets).optional().describe('Default: launch, without agents.'),
      ...place,
      maxPages: z.int().min(1).max(100).default(1).describe('More than 1 follows links.'),
      waitSeconds: waitSeconds.default(MAX_WAIT_SECONDS),
    })
    .refine(
      ({ organizationId, documentId }) => (organizationId === undefined) === (documentId === undefined),
      {
        path: ['documentId'],
        error: 'goes together with organizationId',
      },
    ),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  hints: {
    FAILED_PRECONDITION: 'A review of it may be running: look at overview, or call get_review.',
    NOT_FOUND: 'overview shows agents and documents.',
  },
  async run({ maxPages, preset, waitSeconds, ...request }, context) {
    const { reviewId } = await context.service.call('/v2/reviews/run', {
      ...request,
      ...(preset !== undefined && { preset }),
      ...(preset === undefined && request.agents === undefined && { preset: 'launch' as const }),
      ...(maxPages > 1 && { crossPageExecute: true, maxUrlsToProcess: maxPages }),
    });
    const review = await follow(reviewId, waitSeconds * 1_000, context);
    return await answerOf(review, context, { limit: FIRST_FINDINGS }, graveIn(review));
  },
});

export const getReview = tool({
  name: 'get_review',
  title: 'Get a review',
  description: 'State of a review and its open findings.',
  input: z.strictObject({
    reviewId: z.string().regex(ID, 'is no id of a review'),
    waitSeconds: waitSeconds.default(0).describe('Waits for its end.'),
    cursor,
    limit,
  }),
  annotations: READS,
  hints: { NOT_FOUND: 'overview shows the latest reviews.' },
  async run({ reviewId, waitSeconds, cursor, limit }, context) {
    if (reviewId.startsWith('fnd_')) throw new Refusal('This is the id of a finding: call get_finding.');
    const review = await follow(reviewId, waitSeconds * 1_000, context);
    return await answerOf(review, context, { cursor, limit });
  },
});
