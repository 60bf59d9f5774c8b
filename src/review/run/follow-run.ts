import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { type LogEvent, linesAfter, sequenceOfLine } from '../../store/agents/execution-log.ts';
import { requireExecution } from '../../store/agents/executions.ts';

const LOOK_EVERY_MS = 300;

interface Told {
  events: LogEvent[];
  next: string | null;
  done: boolean;
}

/**
 * What a run noted behind a line of its log. Where there is nothing yet it looks again, up to `waitMs`, until the
 * run has ended or nobody listens; nothing is held in between.
 */
export async function followRun(
  db: Db,
  scope: Scope,
  executionId: string,
  { after, waitMs, limit }: { after?: string | null | undefined; waitMs: number; limit: number },
  untilGone: () => AbortSignal,
): Promise<Told> {
  const ref = { apiKeyId: scope.apiKeyId, executionId };
  const look = async (place: number): Promise<Told> => {
    // In this order: of a run that has ended nothing more is written.
    const { status } = await requireExecution(db, scope, executionId);
    const lines = await linesAfter(db, ref, place, limit + 1);
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
  let told = await look(place);
  if (isAnswer(told) || waitMs === 0) return told;
  const gone = untilGone();
  while (!isAnswer(told) && Date.now() < until && !gone.aborted) {
    const ms = Math.min(LOOK_EVERY_MS, until - Date.now());
    await sleep(ms, undefined, { signal: gone }).catch(() => {});
    told = await look(place);
  }
  return told;
}

const isAnswer = ({ events, done }: Told): boolean => done || events.length > 0;
