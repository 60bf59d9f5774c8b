import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import type { JudgmentFilters, MemoryPlace } from '../../shapes/memory/judgment.ts';
import type { Distance, Searched } from '../../store/knowledge/search-knowledge.ts';
import type { QueryVector, QueryWord } from '../../store/memory/judgment-candidates.ts';
import type { Counts, Scored } from './ranking-score.ts';

export interface RankingQuery {
  apiKeyId: string;
  place: MemoryPlace;
  filters: JudgmentFilters;
  kind: 'review' | 'content';
  /** At most 50, as bits of a number stand for them. */
  words: readonly QueryWord[];
  /** What is asked for, once for each model whose vectors are to be compared with it. */
  vectors: readonly QueryVector[];
  limit: number;
  /** Where indexes picked those that are filtered at: their ids, and how frequent words are among all. */
  likely?: { judgmentIds: readonly string[]; counts: Counts } | undefined;
}

export interface Ranking {
  /** Best first. */
  scored: Scored[];
  total: number;
  /** The models of what was filtered at; empty for what waits for vectors. */
  models: string[];
}

export interface KnowledgeQuery extends Searched, QueryVector {
  apiKeyId: string;
  /** Items of which the distance is wanted, however far they are. */
  itemIds: readonly string[];
}

export interface KnowledgeDistances {
  /** Nearest first. */
  nearest: Distance[];
  asked: Distance[];
}

/** Compares vectors in a thread, so that nothing else waits for that. */
export interface Scorer {
  /** For who wants searches to take no longer than they do when others came before. */
  start(): Promise<void>;
  /** The judgments of a place that speak of what is asked for. */
  rank(question: RankingQuery, signal?: AbortSignal): Promise<Ranking>;
  /** The items of knowledge nearest to a vector. */
  compareKnowledge(question: KnowledgeQuery, signal?: AbortSignal): Promise<KnowledgeDistances>;
  /** Bytes of all that the thread keeps. */
  cachedBytes(): Promise<number>;
  close(): Promise<void>;
}

/** What the thread is sent, and what it answers. */
export type Task =
  | { name: 'rank'; question: RankingQuery }
  | { name: 'compareKnowledge'; question: KnowledgeQuery }
  | { name: 'cachedBytes' };
export type Asked = { id: number; task: Task } | { id: number; isGivenUp: true } | 'close';
/** What is known of an error by once it has crossed from a thread. */
interface ThreadError {
  name: string;
  message: string;
  code?: string;
  syscall?: string;
}

export type Answered = { id: number; answer: unknown } | { id: number; error: ThreadError };

interface Settings {
  /** After so long without a search the thread and all that it keeps is given up. */
  idleMs?: number;
  /** How much of judgments is kept at most, in bytes. */
  cacheBytes?: number;
  /** What the thread may take beside that, in megabytes. */
  heapMb?: number;
}

const IDLE_MS = 10 * 60_000;
const CACHE_BYTES = 256 * 1024 * 1024;
/** Beside the caches, which lie outside of the heap: what is read at once, and what a search makes of it. */
const HEAP_MB = 512;

/** The thread ended, for lack of memory perhaps; like a server that is short of it, it can be asked again later. */
class ThreadLost extends Error {
  override name = 'ThreadLost';
  readonly code = '53200';
}

/** The thread starts with the first search and ends when none came for a while. */
export function createScorer(
  connection: pg.ClientConfig,
  { idleMs = IDLE_MS, cacheBytes = CACHE_BYTES, heapMb = HEAP_MB }: Settings = {},
): Scorer {
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;
  let isClosed = false;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();

  const lose = (error: Error) => {
    worker = undefined;
    for (const question of waiting.values()) question.reject(new ThreadLost(error.message, { cause: error }));
    waiting.clear();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./scorer-thread.ts', import.meta.url), {
      workerData: { connection, cacheBytes },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    started.on('message', (answered: Answered) => {
      const question = waiting.get(answered.id);
      if ('error' in answered) question?.reject(errorFrom(answered.error));
      else question?.resolve(answered.answer);
    });
    started.on('error', (error) => worker === started && lose(error as Error));
    started.on(
      'exit',
      () => worker === started && lose(new Error('The thread that compares vectors ended.')),
    );
    return started;
  };
  const stop = async () => {
    clearTimeout(timer);
    const ending = worker;
    if (!ending) return;
    lose(new Error('The thread that compares vectors was stopped.'));
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    // It closes its connections, which the server would else take for broken ones.
    ending.postMessage('close' satisfies Asked);
    const last = setTimeout(() => void ending.terminate(), 2_000);
    await ended;
    clearTimeout(last);
  };

  const askOnce = async (task: Task, signal: AbortSignal | undefined): Promise<unknown> => {
    signal?.throwIfAborted();
    if (isClosed) throw new ThreadLost('The service is stopping.');
    clearTimeout(timer);
    worker ??= start();
    const asked = worker;
    // Keeps the process alive while an answer is owed.
    asked.ref();
    lastId += 1;
    const id = lastId;
    const question = Promise.withResolvers<unknown>();
    waiting.set(id, question);
    const giveUp = () => {
      question.reject(signal?.reason);
      asked.postMessage({ id, isGivenUp: true } satisfies Asked);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      asked.postMessage({ id, task } satisfies Asked);
      return await question.promise;
    } finally {
      signal?.removeEventListener('abort', giveUp);
      waiting.delete(id);
      if (waiting.size === 0 && worker) {
        worker.unref();
        clearTimeout(timer);
        timer = setTimeout(() => void stop(), idleMs);
        timer.unref();
      }
    }
  };
  const ask = async (task: Task, signal?: AbortSignal): Promise<unknown> => {
    try {
      return await askOnce(task, signal);
    } catch (error) {
      // Another search may have been too much for it. One that is too much itself ends a second one too.
      if (!(error instanceof ThreadLost) || isClosed) throw error;
      return await askOnce(task, signal);
    }
  };

  return {
    start: async () => void (await ask({ name: 'cachedBytes' })),
    rank: async (question, signal) => (await ask({ name: 'rank', question }, signal)) as Ranking,
    compareKnowledge: async (question, signal) =>
      (await ask({ name: 'compareKnowledge', question }, signal)) as KnowledgeDistances,
    cachedBytes: async () => (await ask({ name: 'cachedBytes' })) as number,
    close() {
      isClosed = true;
      return stop();
    },
  };
}

/** An error of the thread as one of ours: what is to be done about it goes by its code and message. */
const errorFrom = ({ message, ...rest }: ThreadError): Error => Object.assign(new Error(message), rest);
