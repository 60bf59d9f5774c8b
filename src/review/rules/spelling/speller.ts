import { Worker } from 'node:worker_threads';

/** What the dictionaries say of a word. */
export interface Verdict {
  /** Whether it is a word, with capitals where it needs them. */
  known: boolean;
  /** Whether it is a word in small letters, and no name. */
  ordinary: boolean;
  /** Words that it is often a misspelling of, the likeliest first. */
  preferred: string[];
  /** Known words one slip of the fingers away, the likeliest first; only for words that are unknown. */
  near: string[];
}

export interface Speller {
  /** One verdict for each word. */
  judge(words: readonly string[]): Promise<Verdict[]>;
  close(): Promise<void>;
}

/** The dictionaries take a few hundred megabytes, which nobody needs while no page is proofread. */
const IDLE_MS = 120_000;
const MAX_HEAP_MB = 400;

/**
 * English dictionaries in a thread of their own, since loading them takes seconds of a processor. The thread
 * starts with the first question and ends when none came for a while.
 */
export function createSpeller(idleMs = IDLE_MS): Speller {
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<Verdict[]>>();

  const stop = async () => {
    clearTimeout(timer);
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  const fail = (error: Error) => {
    worker = undefined;
    for (const question of waiting.values()) question.reject(error);
    waiting.clear();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./speller-worker.ts', import.meta.url), {
      // Left alone, the thread lets garbage pile up to several times what the dictionaries take.
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 32 },
    });
    started.unref();
    started.on('message', ({ id, verdicts, error }: { id: number; verdicts: Verdict[]; error?: string }) => {
      const question = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) question?.resolve(verdicts);
      else question?.reject(new Error(error));
    });
    started.on('error', (error) => worker === started && fail(error as Error));
    started.on('exit', () => worker === started && fail(new Error('The dictionaries went away.')));
    return started;
  };

  return {
    async judge(words) {
      clearTimeout(timer);
      worker ??= start();
      // Keeps the process alive while an answer is owed.
      worker.ref();
      lastId += 1;
      const question = Promise.withResolvers<Verdict[]>();
      waiting.set(lastId, question);
      worker.postMessage({ id: lastId, words });
      try {
        return await question.promise;
      } finally {
        if (waiting.size === 0) {
          worker?.unref();
          clearTimeout(timer);
          timer = setTimeout(() => void stop(), idleMs);
          timer.unref();
        }
      }
    },
    close: stop,
  };
}

let shared: Speller | undefined;

/** The dictionaries of this process: they are the same for every run. */
export const sharedSpeller = (): Speller => (shared ??= createSpeller());
