import { Worker } from 'node:worker_threads';

/** A word in the dictionaries. */
export interface WordLookup {
  known: boolean;
  /** True for a word in lower case, false for names. */
  ordinary: boolean;
  /** Words of which it is a common misspelling, the likeliest first. */
  preferred: string[];
  /** Known words at a small edit distance, the likeliest first; only for unknown words. */
  near: string[];
}

export interface Speller {
  /** Looks up each word, in the order of the words. */
  lookUp(words: readonly string[]): Promise<WordLookup[]>;
  close(): Promise<void>;
}

/** Idle time after which the thread ends, since the dictionaries take a few hundred megabytes. */
const IDLE_MS = 120_000;
const MAX_HEAP_MB = 400;

/**
 * English dictionaries in a thread of their own, since loading them blocks for seconds. The thread starts with the first
 * request and ends after an idle time.
 */
export function createSpeller(idleMs = IDLE_MS): Speller {
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;
  const pending = new Map<number, PromiseWithResolvers<WordLookup[]>>();

  const stop = async () => {
    clearTimeout(timer);
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  const fail = (error: Error) => {
    worker = undefined;
    for (const request of pending.values()) request.reject(error);
    pending.clear();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./speller-thread.ts', import.meta.url), {
      // Without a limit, garbage grows to several times the size of the dictionaries.
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 32 },
    });
    started.unref();
    started.on('message', ({ id, lookups, error }: { id: number; lookups: WordLookup[]; error?: string }) => {
      const request = pending.get(id);
      pending.delete(id);
      if (error === undefined) request?.resolve(lookups);
      else request?.reject(new Error(error));
    });
    started.on('error', (error) => worker === started && fail(error as Error));
    started.on('exit', () => worker === started && fail(new Error('The thread of the dictionaries ended.')));
    return started;
  };

  return {
    async lookUp(words) {
      clearTimeout(timer);
      worker ??= start();
      // Keeps the process alive until the answer.
      worker.ref();
      lastId += 1;
      const request = Promise.withResolvers<WordLookup[]>();
      pending.set(lastId, request);
      worker.postMessage({ id: lastId, words });
      try {
        return await request.promise;
      } finally {
        if (pending.size === 0) {
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

/** The dictionaries of this process, which all runs share. */
export const sharedSpeller = (): Speller => (shared ??= createSpeller());
