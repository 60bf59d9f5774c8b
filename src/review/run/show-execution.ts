import type { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import type { cause, Finding, HeldBack } from '../../shapes/agents/execution.ts';
import type { execution, pageResult } from '../../shapes/agents/execution-record.ts';
import type { Comparison, ResultsSummary } from '../../shapes/agents/run.ts';
import type { CauseRow } from '../../store/agents/execution-causes.ts';
import type { countPages, PageRow } from '../../store/agents/execution-pages.ts';
import type { ExecutionRow } from '../../store/agents/executions.ts';

type Execution = z.input<typeof execution>;

type Reviewer = { userId: string; name: string };

const NO_USAGE = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };

/** Data that a record adds to the row of an execution. */
interface RecordExtras {
  /** Present while it runs. */
  progress?: Awaited<ReturnType<typeof countPages>> | undefined;
  queuePosition?: number | undefined;
  causes?: { total: number; first: z.input<typeof cause>[] } | undefined;
}

/** An execution as a list returns it: without samples and without the output of the response adapter. */
export function executionListed(row: ExecutionRow): Execution {
  const { response, crawlerResults, comparison, ...outcome } = row.outcome;
  const { findings, erroredUrls, skippedUrls, ...summary } = { ...outcome.resultsSummary } as ResultsSummary;
  const { fixedFindings, ...counts } = comparison ?? {};
  const { urls, ...crawl } = crawlerResults ?? {};
  return executionRecord({
    ...row,
    outcome: {
      ...outcome,
      ...(outcome.resultsSummary && { resultsSummary: summary }),
      ...(comparison && { comparison: { ...(counts as Comparison), fixedFindings: [] } }),
      ...(crawlerResults && { crawlerResults: crawl }),
    },
  });
}

/** An execution as the API returns it. */
export function executionRecord(
  row: ExecutionRow,
  { progress, queuePosition, causes }: RecordExtras = {},
): Execution {
  const request = row.request;
  const outcome = row.outcome;
  const soFar = {
    totalFindings: progress?.findings ?? 0,
    totalAnnotationsCreated: progress?.annotations ?? 0,
    urlsProcessed: progress ? progress.processed - progress.skipped : 0,
    urlsWithFindings: progress?.withFindings ?? 0,
    urlsErrored: progress?.errored ?? 0,
    summary: null,
  };
  return {
    id: row.executionId,
    agentId: row.agentId,
    agentName: row.agentName,
    agentVersion: row.agentVersion,
    metadata: { organizationId: row.organizationId, documentId: row.documentId },
    config: {
      seedUrl: row.seedUrl,
      crossPageExecute: request.crossPageExecute,
      maxUrlsToProcess: request.maxUrlsToProcess,
      deviceType: request.deviceType,
      ...(request.auth && { auth: request.auth.shown }),
    },
    status: row.status,
    ...(outcome.verdict && { verdict: outcome.verdict }),
    ...(queuePosition !== undefined && { queuePosition }),
    startedAt: row.startedAt,
    completedAt: row.completedAt,
    durationMs: row.completedAt === null ? null : row.completedAt - row.startedAt,
    trigger: row.trigger,
    workflowExecutionId: request.workflowExecutionId ?? null,
    previousExecutionId: request.previousExecutionId ?? null,
    ranBy: row.ranBy,
    resultsSummary: outcome.resultsSummary ?? soFar,
    ...(row.status === 'running' &&
      progress && {
        progress: {
          urlsPlanned: progress.planned,
          urlsProcessed: progress.processed,
          findings: progress.findings,
        },
      }),
    ...(outcome.error && { error: outcome.error }),
    ...(outcome.crawlerResults && { crawlerResults: outcome.crawlerResults }),
    ...(outcome.comparison && { comparison: outcome.comparison }),
    ...(causes && { causes: causes.first, causesTotal: causes.total }),
    ...(outcome.response && { response: outcome.response }),
    ...(outcome.llmModel && { llmModel: outcome.llmModel }),
    tokenUsage: outcome.tokenUsage ?? NO_USAGE,
  };
}

const heldBackOn = ({ detail }: PageRow): HeldBack[] => detail.heldBack ?? [];

/** Ids of the judgments for which findings of these pages were held back. */
export const heldBackBy = (pages: readonly PageRow[]): string[] => [
  ...new Set(
    pages.flatMap((page) =>
      heldBackOn(page).flatMap(({ precedent }) => precedent.judgments.map(({ recordId }) => recordId)),
    ),
  ),
];

/** A cause as the API returns it, with its first places. */
export const causeRecord = (
  { causeId, places, pages, openPlaces, newPlaces, fixedPlaces, annotationId, body }: CauseRow,
  isCompared: boolean,
  examples: z.input<typeof cause>['examples'],
): z.input<typeof cause> => ({
  id: causeId,
  ...body,
  places,
  pages,
  openPlaces,
  newPlaces,
  fixedPlaces,
  ...(isCompared && { comparison: newPlaces === places ? ('new' as const) : ('still_there' as const) }),
  ...(annotationId !== null && { commentId: annotationId }),
  examples,
});

/**
 * Result of a page as the API returns it, with the findings that the answer has room for; undefined while the page is
 * planned. `reviewers` has an entry for each judgment
 * of `heldBackBy` that was not revoked.
 */
export function pageRecord(
  execution: ExecutionRow,
  page: PageRow,
  findings: readonly Finding[],
  reviewers: ReadonlyMap<string, { actionUser: Fields; reasoning: string }>,
): z.input<typeof pageResult> | undefined {
  if (page.processedAt === null || page.status === 'planned') return undefined;
  const detail = page.detail;
  return {
    id: page.urlHash,
    url: page.url,
    urlHash: page.urlHash,
    agentId: execution.agentId,
    agentName: execution.agentName,
    status: page.status,
    ...(detail.summary !== undefined && { summary: detail.summary }),
    error: detail.error ?? null,
    findings: [...findings],
    findingCount: page.findingCount,
    ...(heldBackOn(page).length > 0 && {
      heldBack: heldBackOn(page).map((finding) => ({
        ...finding,
        precedent: {
          ...finding.precedent,
          judgments: finding.precedent.judgments.map((judgment) => {
            const known = reviewers.get(judgment.recordId);
            return {
              ...judgment,
              reviewer: known ? ({ name: '', ...known.actionUser } as Reviewer) : null,
              ...(known && { reasoning: known.reasoning }),
            };
          }),
        },
      })),
    }),
    annotationsCreated: page.annotationsCreated,
    ...(detail.screenshot && { screenshot: detail.screenshot }),
    ...(detail.data !== undefined && { data: detail.data }),
    processedAt: page.processedAt,
  };
}
