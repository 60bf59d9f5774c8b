import type { LogEvent } from '@redpen/client';

export interface RunLogLine extends LogEvent {
  agentName: string;
  executionId: string;
}

interface Answer {
  events: LogEvent[];
  next: string | null;
  done: boolean;
}

interface Options {
  read(executionId: string, after: string | null, waitMs: number, signal: AbortSignal): Promise<Answer>;
  isAway(error: unknown): boolean;
  pause(ms: number, signal: AbortSignal): Promise<void>;
  onLines(lines: readonly RunLogLine[]): void;
}

/** Browsers open six connections to a service at most, so of several runs none is waited for long. */
const WAIT_MS = 20_000;
const PAUSE_MS = 150;
/** Keeps the requests of many runs below some twenty a second. */
const PAUSE_OF_EACH_MS = 50;
const AWAY_MS = 500;

/**
 * Follows the logs of runs until they have ended. Each log goes on after the last line that is known, so that no line
 * is missed or shown twice if the service is away for a while.
 */
export async function followLogs(
  runs: readonly { executionId: string; agentName: string }[],
  options: Options,
  signal: AbortSignal,
): Promise<void> {
  const { read, isAway, pause, onLines } = options;
  const after = new Map<string, string | null>();
  let open = [...runs];
  let isFirst = true;
  while (open.length > 0 && !signal.aborted) {
    const waitMs = open.length === 1 && !isFirst ? WAIT_MS : 0;
    let isMissing = false;
    const ended = new Set<string>();
    for (const { executionId, agentName } of open) {
      try {
        const answer = await read(executionId, after.get(executionId) ?? null, waitMs, signal);
        if (signal.aborted) return;
        after.set(executionId, answer.next);
        if (answer.events.length > 0)
          onLines(answer.events.map((event) => ({ ...event, agentName, executionId })));
        if (answer.done) ended.add(executionId);
      } catch (error) {
        if (signal.aborted) return;
        if (!isAway(error)) throw error;
        isMissing = true;
        break;
      }
    }
    open = open.filter(({ executionId }) => !ended.has(executionId));
    isFirst = false;
    if (isMissing) await pause(AWAY_MS, signal);
    else if (waitMs === 0 && open.length > 0)
      await pause(Math.max(PAUSE_MS, open.length * PAUSE_OF_EACH_MS), signal);
  }
}

/** Adds lines to those that are shown, in the order of time. */
export function withLines(lines: readonly RunLogLine[], more: readonly RunLogLine[]): readonly RunLogLine[] {
  const last = lines.at(-1)?.at ?? 0;
  const all = [...lines, ...more];
  const isInOrder = more.every(({ at }, index) => at >= (more[index - 1]?.at ?? last));
  return isInOrder ? all : all.sort((one, other) => one.at - other.at);
}
