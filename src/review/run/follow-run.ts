import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { type LogEvent, linesAfter, sequenceOfLine } from '../../store/agents/execution-log.ts';
import { requireExecution } from '../../store/agents/executions.ts';

const POLL_EVERY_MS = 300;

interface NewLines {
  events: LogEvent[];
  next: string | null;
  done: boolean;
}

interface Following {
  after?: string | null | undefined;
  waitMs: number;
  limit: number;
  /** Only lines of these kinds. */
  kinds?: readonly LogEvent['kind'][] | undefined;
}

/**
 * Long polling: returns the lines after a line of a run's log. Without new lines it polls until `waitMs` have passed, the
 * run has ended or the client has gone. No connection or transaction is held in between.
 */
export async function followRun(
  db: Db,
  scope: Scope,
  executionId: string,
  { after, waitMs, limit, kinds }: Following,
  untilGone: () => AbortSignal,
): Promise<NewLines> {
  const ref = { apiKeyId: scope.apiKeyId, executionId };
  const poll = async (place: number): Promise<NewLines> => {
    // The status is read first: no lines are written after the end of a run, so none can be missed.
    const { status } = await requireExecution(db, scope, executionId);
    const lines = await linesAfter(db, ref, place, { limit: limit + 1, kinds });
    const events = lines.slice(0, limit);
    return {
      events,
      next: events.at(-1)?.id ?? after ?? null,
      done: status !== 'running' && lines.length <= limit,
    };
  };
  await requireExecution(db, scope, executionId);
  const place = after == null ? 0 : await sequenceOfLine(db, ref, after);
  const until = Date.now() + waitMs;
  let lines = await poll(place);
  if (isAnswer(lines) || waitMs === 0) return lines;
  const gone = untilGone();
  while (!isAnswer(lines) && Date.now() < until && !gone.aborted) {
    const ms = Math.min(POLL_EVERY_MS, until - Date.now());
    await sleep(ms, undefined, { signal: gone }).catch(() => {});
    lines = await poll(place);
  }
  return lines;
}

const isAnswer = ({ events, done }: NewLines): boolean => done || events.length > 0;
