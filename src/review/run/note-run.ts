import type { Logger } from 'pino';
import { errorFields } from '../../lib/error-fields.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { withoutQueries, withoutQuery } from '../../lib/without-queries.ts';
import type { TokenUsage } from '../../outside/models/models.ts';
import type { ExecutionRow, Outcome } from '../../store/agents/executions.ts';
import { RunFault } from '../core/run-error.ts';
import {
  agentLabel,
  executionSeconds,
  executionsEnded,
  findingsReported,
  pagesReviewed,
} from './run-meters.ts';

/** An execution that ended, for its log line and metrics. */
export interface Ended {
  row: ExecutionRow;
  status: Outcome['status'];
  completedAt: number;
  resultsSummary: Record<string, unknown>;
  tokenUsage?: TokenUsage | undefined;
  error?: { code: string; message: string } | undefined;
  /** The fault of this program, which the caller's answer leaves out. */
  bug?: unknown;
}

/** Ordered for readers: the outcome first, ids for further searches last. */
const about = ({ apiKeyId, executionId, agentId, agentName, seedUrl }: ExecutionRow, what: object) => ({
  agentName,
  url: withoutQuery(seedUrl),
  ...what,
  executionId,
  agentId,
  apiKeyId,
});

export function noteStart(log: Logger, row: ExecutionRow): void {
  if (row.attempts > 1) log.warn(about(row, { attempt: row.attempts }), 'run is taken up again');
  else log.info(about(row, { waitedMs: Math.max(0, Date.now() - row.startedAt) }), 'run starts');
}

/** For when the end of a run is committed: by the process that ended it, once. */
export function noteEnd(log: Logger, ended: Ended): void {
  const { row, status, completedAt, resultsSummary, tokenUsage, error, bug } = ended;
  const agent = agentLabel(row.agentId);
  const ms = completedAt - row.startedAt;
  executionsEnded.inc({ agent, status });
  executionSeconds.observe({ agent }, ms / 1_000);
  const { severityCounts = {} } = resultsSummary as { severityCounts?: Record<string, number> };
  for (const [severity, count] of Object.entries(severityCounts))
    findingsReported.inc({ agent, severity }, count);
  const line = about(row, {
    status,
    ms,
    pages: resultsSummary.urlsProcessed,
    pagesFailed: resultsSummary.urlsErrored,
    findings: resultsSummary.totalFindings,
    ...(tokenUsage && tokenUsage.requestCount > 0 && { tokens: tokenUsage.totalTokens }),
    ...(error && { code: error.code, reason: withoutQueries(error.message) }),
  });
  if (bug !== undefined) log.error({ ...line, err: bug }, 'run ends');
  // Who cancels a run knows of it.
  else if (error && error.code !== 'CANCELLED') log.warn(line, 'run ends');
  else log.info(line, 'run ends');
}

export function noteReviewed(row: ExecutionRow): void {
  pagesReviewed.inc({ agent: agentLabel(row.agentId), outcome: 'completed' });
}

export function noteFailedPage(
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

const LONGEST_CAUSE = 300;
const MOST_CAUSES = 10;

/** Root cause, such as a missing browser, which callers do not see; undefined if the fault has no cause. */
function firstCauseOf(fault: RunFault, redact: (text: string) => string): string | undefined {
  let first: unknown = fault;
  for (let depth = 0; depth < MOST_CAUSES && first instanceof Error && first.cause instanceof Error; depth++)
    first = first.cause;
  const { message } = first as Error;
  if (message === fault.message) return undefined;
  return shorten(withoutQueries(redact(message.replace(/\s+/g, ' ').trim())), LONGEST_CAUSE);
}

/** An error whose words may hold what the page or the agent keeps secret. */
function redacted(error: Error, redact: (text: string) => string): Error {
  const { message, stack } = errorFields(error);
  const copy = new Error(redact(message));
  copy.stack = redact(stack ?? message);
  return copy;
}
