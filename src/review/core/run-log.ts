import type { Db } from '../../db/tables.ts';
import { cutText, storable } from '../../lib/text/cut-text.ts';
import type { RunRef } from '../../store/agents/execution-leases.ts';
import { type LogRow, writeLog } from '../../store/agents/execution-log.ts';
import type { LogLine } from './execution-strategy.ts';

const FLUSH_MS = 300;
/** More than two lines per page of the largest run. */
const MAX_LINES = 25_000;

export interface RunLog {
  add(line: LogLine): void;
  /** Writes buffered lines; never throws, since a failing log must not end the run. */
  flush(): Promise<void>;
}

/** Log that is stored with a run. Lines are written in batches; lines beyond `MAX_LINES` are dropped. */
export function createRunLog(db: Db, ref: RunRef, onError: (error: unknown) => void): RunLog {
  let buffered: LogRow[] = [];
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const lines = buffered;
    buffered = [];
    writing = writing.then(() => writeLog(db, ref, lines)).catch(onError);
    return writing;
  };
  return {
    add({ level, kind = 'note', message, data = {} }) {
      count += 1;
      if (count > MAX_LINES) return;
      const isLast = count === MAX_LINES;
      buffered.push({
        at: Date.now(),
        level: isLast ? 'warn' : level,
        kind: isLast ? 'note' : kind,
        message: isLast ? 'The log is full; later lines are not kept.' : storable(cutText(message, 2_000)),
        data: isLast ? {} : storable(data),
      });
      timer ??= setTimeout(() => void flush(), FLUSH_MS);
    },
    flush,
  };
}
