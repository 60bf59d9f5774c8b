import { Worker } from 'node:worker_threads';
import type { NearWord } from './near-words.ts';

/** A word in the dictionaries. */
export interface WordLookup {
  known: boolean;
  /** True for a word in lower case, false for names. */
  ordinary: boolean;
  /** Words of which it is a common misspelling, the likeliest first. */
  preferred: string[];
  /** Place of the likeliest of them among the commonest words. */
  preferredRank?: number;
  /** Known words at a small edit distance, the likeliest first; only for unknown words. */
  near: NearWord[];
  /** Place among the commonest words of the language, from 0; absent for rarer words. */
  rank?: number;
  /** True for an unknown word that is formed by rule from known ones. */
  isFormed?: true;
}

export type SpellerRequest = { language: string; words: readonly string[] } | { texts: readonly string[] };

export interface Speller {
  /** Looks up each word in the dictionaries of a language, in the order of the words. */
  lookUp(words: readonly string[], language: string): Promise<WordLookup[]>;
  /** The language of each text as an ISO 639-1 code; empty if it cannot be determined. */
  identify(texts: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}

/** Idle time after which the thread ends, since the dictionaries take a few hundred megabytes. */
const IDLE_MS = 120_000;
const MAX_HEAP_MB = 600;

/**
 * Dictionaries in a thread of their own, since loading them blocks for seconds. The thread starts with the first
 * request and ends after an idle time.
 */
export function createSpeller(idleMs = IDLE_MS): Speller {
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;
  const pending = new Map<number, PromiseWithResolvers<unknown>>();

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
    started.on('message', ({ id, answer, error }: { id: number; answer: unknown; error?: string }) => {
      const request = pending.get(id);
      pending.delete(id);
      if (error === undefined) request?.resolve(answer);
      else request?.reject(new Error(error));
    });
    started.on('error', (error) => worker === started && fail(error as Error));
    started.on('exit', () => worker === started && fail(new Error('The thread of the dictionaries ended.')));
    return started;
  };

  async function ask<Answer>(request: SpellerRequest): Promise<Answer> {
    clearTimeout(timer);
    worker ??= start();
    // Keeps the process alive until the answer.
    worker.ref();
    lastId += 1;
    const asked = Promise.withResolvers<unknown>();
    pending.set(lastId, asked);
    worker.postMessage({ id: lastId, request });
    try {
      return (await asked.promise) as Answer;
    } finally {
      if (pending.size === 0) {
        worker?.unref();
        clearTimeout(timer);
        timer = setTimeout(() => void stop(), idleMs);
        timer.unref();
      }
    }
  }

  return {
    lookUp: (words, language) => ask({ words, language }),
    identify: (texts) => ask({ texts }),
    close: stop,
  };
}

let shared: Speller | undefined;

/** The dictionaries of this process, which all runs share. */
export const sharedSpeller = (): Speller => (shared ??= createSpeller());
