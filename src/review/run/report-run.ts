import type { Logger } from 'pino';
import { errorFields } from '../../lib/error-fields.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { withoutQueries, withoutQuery } from '../../lib/without-queries.ts';
import type { TokenUsage } from '../../outside/models/models.ts';
import type { ResultsSummary } from '../../shapes/agents/run.ts';
import type { ExecutionRow, Outcome } from '../../store/agents/executions.ts';
import { RunFault } from '../core/run-error.ts';
import {
  agentLabel,
  executionSeconds,
  executionsEnded,
  findingsReported,
  pagesReviewed,
} from './run-metrics.ts';

/** An ended execution, as its log line and metrics need it. */
export interface EndedRun {
  row: ExecutionRow;
  status: Outcome['status'];
  completedAt: number;
  resultsSummary: ResultsSummary;
  tokenUsage?: TokenUsage | undefined;
  error?: { code: string; message: string } | undefined;
  /** Internal error, which callers do not see. */
  bug?: unknown;
}

/** Log fields in the order in which people read: the outcome first, ids for further searches last. */
const logFields = ({ apiKeyId, executionId, agentId, agentName, seedUrl }: ExecutionRow, fields: object) => ({
  agentName,
  url: withoutQuery(seedUrl),
  ...fields,
  executionId,
  agentId,
  apiKeyId,
});

export function reportStart(log: Logger, row: ExecutionRow): void {
  if (row.attempts > 1)
    log.warn(logFields(row, { attempt: row.attempts }), 'run resumed after its process was lost');
  else log.info(logFields(row, { waitedMs: Math.max(0, Date.now() - row.startedAt) }), 'run starts');
}

/** Called once the end of a run is committed, by the process that ended it. */
export function reportEnd(log: Logger, ended: EndedRun): void {
  const { row, status, completedAt, resultsSummary, tokenUsage, error, bug } = ended;
  const agent = agentLabel(row.agentId);
  const ms = completedAt - row.startedAt;
  executionsEnded.inc({ agent, status });
  executionSeconds.observe({ agent }, ms / 1_000);
  const { severityCounts = {} } = resultsSummary;
  for (const [severity, count] of Object.entries(severityCounts))
    findingsReported.inc({ agent, severity }, count);
  const line = logFields(row, {
    status,
    ms,
    pages: resultsSummary.urlsProcessed,
    pagesFailed: resultsSummary.urlsErrored,
    findings: resultsSummary.totalFindings,
    ...(tokenUsage && tokenUsage.requestCount > 0 && { tokens: tokenUsage.totalTokens }),
    ...(error && { code: error.code, reason: withoutQueries(error.message) }),
  });
  if (bug !== undefined) log.error({ ...line, err: bug }, 'run ends');
  // A cancellation is no fault.
  else if (error && error.code !== 'CANCELLED') log.warn(line, 'run ends');
  else log.info(line, 'run ends');
}

export function reportReviewedPage(row: ExecutionRow): void {
  pagesReviewed.inc({ agent: agentLabel(row.agentId), outcome: 'completed' });
}

export function reportFailedPage(
  log: Logger,
  row: ExecutionRow,
  url: string,
  fault: RunFault,
  redact: (text: string) => string,
): void {
  pagesReviewed.inc({ agent: agentLabel(row.agentId), outcome: 'failed' });
  const { apiKeyId, executionId, agentId } = row;
  const because = firstCauseOf(fault, redact);
  const line = {
    url: withoutQuery(url),
    code: fault.code,
    reason: withoutQueries(fault.message),
    ...(because !== undefined && { because }),
    executionId,
    agentId,
    apiKeyId,
  };
  const bug = bugOf(fault);
  if (bug === undefined) log.warn(line, 'page fails');
  else log.error({ ...line, err: bug instanceof Error ? redacted(bug, redact) : bug }, 'page fails');
}

/** The internal error behind a fault, if there is one. */
export function bugOf({ code, cause }: RunFault): unknown {
  if (code !== 'INTERNAL') return undefined;
  return cause instanceof RunFault ? bugOf(cause) : cause;
}

const MAX_CAUSE_CHARS = 300;
const MAX_CAUSES = 10;

/** Root cause, such as a missing browser, which callers do not see; undefined if the fault has no cause. */
function firstCauseOf(fault: RunFault, redact: (text: string) => string): string | undefined {
  let first: unknown = fault;
  for (let depth = 0; depth < MAX_CAUSES && first instanceof Error && first.cause instanceof Error; depth++)
    first = first.cause;
  const { message } = first as Error;
  if (message === fault.message) return undefined;
  return shorten(withoutQueries(redact(message.replace(/\s+/g, ' ').trim())), MAX_CAUSE_CHARS);
}

/** Copy of an error without secrets, which its message and stack may contain. */
function redacted(error: Error, redact: (text: string) => string): Error {
  const { message, stack } = errorFields(error);
  const copy = new Error(redact(message));
  copy.stack = redact(stack ?? message);
  return copy;
}
