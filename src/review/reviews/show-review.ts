import type { z } from 'zod';
import { md5 } from '../../lib/ids.ts';
import type { review } from '../../shapes/agents/review.ts';
import type { ReviewExecution, ReviewProgress, ReviewRow } from '../../store/agents/reviews.ts';
import { choicesOf } from './sent-choices.ts';

type Shown = z.input<typeof review>;

/** A review as the API returns it, with its executions in their order. */
export function reviewRecord(
  row: ReviewRow,
  executions: readonly ReviewExecution[],
  progress: readonly ReviewProgress[],
): Shown {
  const { urls, agents, preset, groupId, crossPageExecute, maxUrlsToProcess, deviceType } = row.request;
  const { organizationId = '', documentId = '' } = executions[0] ?? {};
  const shown = executions.map((run): Shown['executions'][number] => {
    const {
      planned = 0,
      processed = 0,
      findings = 0,
    } = progress.find(({ executionId }) => executionId === run.executionId) ?? {};
    return {
      executionId: run.executionId,
      agentId: run.agentId,
      agentName: run.agentName,
      url: run.seedUrl,
      status: run.status,
      ...(run.outcome.verdict && { verdict: run.outcome.verdict }),
      progress: { urlsPlanned: planned, urlsProcessed: processed, findings },
      ...(run.outcome.error && { error: run.outcome.error }),
    };
  });
  const sumOf = (key: keyof Shown['progress']) => shown.reduce((sum, { progress }) => sum + progress[key], 0);
  const record = {
    id: row.reviewId,
    status: row.status,
    ...(row.outcome.verdict && { verdict: row.outcome.verdict }),
    urls,
    agents,
    ...(preset !== undefined && { preset }),
    ...(groupId !== undefined && { groupId }),
    config: { crossPageExecute, maxUrlsToProcess, deviceType, ...choicesOf(row.request) },
    metadata: { organizationId, documentId },
    startedAt: row.startedAt,
    completedAt: row.completedAt,
    durationMs: row.completedAt === null ? null : row.completedAt - row.startedAt,
    progress: {
      urlsPlanned: sumOf('urlsPlanned'),
      urlsProcessed: sumOf('urlsProcessed'),
      findings: sumOf('findings'),
    },
    ...(row.outcome.counts && { counts: row.outcome.counts }),
    executions: shown,
  };
  return { ...record, revision: md5(JSON.stringify(record)) };
}
