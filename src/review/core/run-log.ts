import type { Db } from '../../db/tables.ts';
import { cutText, storable } from '../../lib/text/cut-text.ts';
import type { RunRef } from '../../store/agents/execution-leases.ts';
import { type LogRow, writeLog } from '../../store/agents/execution-log.ts';
import type { LogLine } from './execute-task.ts';

const FLUSH_MS = 300;
/** Two for each page of the largest run, and some. */
const MAX_LINES = 25_000;

export interface RunLog {
  add(line: LogLine): void;
  /** Writes what waits; never throws, since a log must not end what it tells of. */
  flush(): Promise<void>;
}

/** A run's own log, kept with it. Lines are written together, a moment after the first of them; past a cap the rest is dropped. */
export function createRunLog(db: Db, ref: RunRef, onError: (error: unknown) => void): RunLog {
  let waiting: LogRow[] = [];
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = [];
    writing = writing.then(() => writeLog(db, ref, lines)).catch(onError);
    return writing;
  };
  return {
    add({ level, kind = 'note', message, data = {} }) {
      count += 1;
      if (count > MAX_LINES) return;
      const last = count === MAX_LINES;
      waiting.push({
        at: Date.now(),
        level: last ? 'warn' : level,
        kind: last ? 'note' : kind,
        message: last ? 'The log is full; later lines are not kept.' : storable(cutText(message, 2_000)),
        data: last ? {} : storable(data),
      });
      timer ??= setTimeout(() => void flush(), FLUSH_MS);
    },
    flush,
  };
}
