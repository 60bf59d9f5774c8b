import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import type { JudgmentFilters, MemoryPlace } from '../../shapes/memory/judgment.ts';
import type { Distance, Searched } from '../../store/knowledge/search-knowledge.ts';
import type { QueryVector, QueryWord } from '../../store/memory/judgment-candidates.ts';
import {
  type PackedPlace,
  type PackedRanking,
  type RankedPlace,
  type Ranking,
  unpack,
  unpackPlace,
} from './packed-ranking.ts';
import type { WordCounts } from './ranking-score.ts';

export interface RankingQuery {
  apiKeyId: string;
  place: MemoryPlace;
  filters: JudgmentFilters;
  kind: 'review' | 'content';
  /** At most 40 (`queryWords`): the matched words are a bit set in one number, which has 53 exact bits. */
  words: readonly QueryWord[];
  /** The query, embedded by every model whose vectors are to be compared. */
  vectors: readonly QueryVector[];
  limit: number;
  /** Preselected candidates, with the word counts over all judgments. */
  preselected?: { judgmentIds: readonly string[]; counts: WordCounts } | undefined;
}

export interface PlacesQuery {
  apiKeyId: string;
  /** Each within the next one. */
  places: readonly MemoryPlace[];
  filters: JudgmentFilters;
  words: readonly QueryWord[];
  vector: QueryVector;
  /** Number of judgments ranked per place and kind of text. */
  limit: number;
}

export interface KnowledgeQuery extends Searched, QueryVector {
  apiKeyId: string;
  /** Items whose distance is returned in any case. */
  itemIds: readonly string[];
}

export interface KnowledgeDistances {
  /** Nearest first. */
  nearest: Distance[];
  requested: Distance[];
}

export interface JudgmentPairs {
  apiKeyId: string;
  from: readonly string[];
  to: readonly string[];
}

/** Compares vectors in a worker thread, off the event loop. */
export interface Scorer {
  /** Starts the thread ahead of the first search, so that a time limit covers the search alone. */
  start(): Promise<void>;
  /** Ranks the judgments of a place. */
  rank(question: RankingQuery, signal?: AbortSignal): Promise<Ranking>;
  /** The relevant judgments of several places; undefined if the caches alone cannot tell, so that each is to be ranked. */
  rankPlaces(question: PlacesQuery, signal?: AbortSignal): Promise<RankedPlace[] | undefined>;
  /** Similarities of judgments to each other: `to.length` numbers for each of `from`, NaN for those without vectors. */
  compareJudgments(question: JudgmentPairs): Promise<Float64Array>;
  compareKnowledge(question: KnowledgeQuery, signal?: AbortSignal): Promise<KnowledgeDistances>;
  /** Bytes of the thread's caches. */
  cachedBytes(): Promise<number>;
  close(): Promise<void>;
}

/** Messages to the thread, and its replies. */
export type Task =
  | { name: 'rank'; question: RankingQuery }
  | { name: 'rankPlaces'; question: PlacesQuery }
  | { name: 'compareJudgments'; question: JudgmentPairs }
  | { name: 'compareKnowledge'; question: KnowledgeQuery }
  | { name: 'cachedBytes' };
export type ThreadRequest = { id: number; task: Task } | { id: number; isCancelled: true } | 'close';
/** Fields of an error that survive the crossing from the thread. */
interface ThreadError {
  name: string;
  message: string;
  code?: string;
  syscall?: string;
}

export type ThreadReply = { id: number; answer: unknown } | { id: number; error: ThreadError };

interface Settings {
  /** Idle time after which the thread and its caches are released. */
  idleMs?: number;
  /** Limit of the caches in bytes. */
  cacheBytes?: number;
  /** Heap limit of the thread in MB, caches excluded. */
  heapMb?: number;
}

const IDLE_MS = 10 * 60_000;
const CACHE_BYTES = 256 * 1024 * 1024;
/** Caches are typed arrays outside of the heap; the heap holds the rows in transit and the results. */
const HEAP_MB = 512;

/** The thread ended, probably out of memory. Reported with SQLSTATE 53200, so that callers may retry later. */
class ThreadLost extends Error {
  override name = 'ThreadLost';
  readonly code = '53200';
}

/** The thread starts with the first search and ends when idle. */
export function createScorer(
  connection: pg.ClientConfig,
  { idleMs = IDLE_MS, cacheBytes = CACHE_BYTES, heapMb = HEAP_MB }: Settings = {},
): Scorer {
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;
  let isClosed = false;
  /** The thread, once it has answered. */
  let ready: Worker | undefined;
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
    started.on('message', (answered: ThreadReply) => {
      ready = started;
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
    await end(ending);
  };

  const askOnce = async (task: Task, signal: AbortSignal | undefined): Promise<unknown> => {
    signal?.throwIfAborted();
    if (isClosed) throw new ThreadLost('The service is stopping.');
    clearTimeout(timer);
    worker ??= start();
    const target = worker;
    // Keeps the process alive while an answer is due.
    target.ref();
    lastId += 1;
    const id = lastId;
    const question = Promise.withResolvers<unknown>();
    waiting.set(id, question);
    const cancel = () => {
      question.reject(signal?.reason);
      target.postMessage({ id, isCancelled: true } satisfies ThreadRequest);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      target.postMessage({ id, task } satisfies ThreadRequest);
      return await question.promise;
    } finally {
      signal?.removeEventListener('abort', cancel);
      waiting.delete(id);
      if (waiting.size === 0 && worker) {
        worker.unref();
        clearTimeout(timer);
        timer = setTimeout(() => void stop(), idleMs);
        timer.unref();
      }
    }
  };
  const ask = async <Answer>(task: Task, signal?: AbortSignal): Promise<Answer> => {
    try {
      return (await askOnce(task, signal)) as Answer;
    } catch (error) {
      // Another search may have exhausted its memory, so one retry. A search that is too large itself fails again.
      if (!(error instanceof ThreadLost) || isClosed) throw error;
      return (await askOnce(task, signal)) as Answer;
    }
  };

  return {
    async start() {
      if (!ready || ready !== worker) await ask({ name: 'cachedBytes' });
    },
    rank: async (question, signal) => unpack(await ask<PackedRanking>({ name: 'rank', question }, signal)),
    rankPlaces: async (question, signal) =>
      (await ask<PackedPlace[] | undefined>({ name: 'rankPlaces', question }, signal))?.map(unpackPlace),
    compareJudgments: (question) => ask({ name: 'compareJudgments', question }),
    compareKnowledge: (question, signal) => ask({ name: 'compareKnowledge', question }, signal),
    cachedBytes: () => ask({ name: 'cachedBytes' }),
    close() {
      isClosed = true;
      return stop();
    },
  };
}

/** Lets the thread close its connections, which the server would otherwise log as broken. */
async function end(worker: Worker): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage('close' satisfies ThreadRequest);
  const last = setTimeout(() => void worker.terminate(), 2_000);
  await ended;
  clearTimeout(last);
}

/** Rebuilds an error of the thread; callers handle it by code and message. */
const errorFrom = ({ message, ...rest }: ThreadError): Error => Object.assign(new Error(message), rest);
