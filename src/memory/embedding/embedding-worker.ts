import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import { logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { createPace, type Pace } from '../../lib/threads/pace.ts';
import { pause } from '../../lib/time.ts';
import { type Embedder, EmbedFailure } from '../../outside/embed/vectors/embedder.ts';
import {
  claimNew,
  claimOutdated,
  type EmbeddedJudgment,
  replaceVectors,
  type UnembeddedJudgment,
  writeVectors,
  writeWords,
} from '../../store/memory/judgment-embedding.ts';
import { embedJudgments, wordsIn } from './embed-judgments.ts';
import { RenewalLog } from './renewal-log.ts';

export interface EmbeddingDeps {
  db: Db;
  outside: { embeddings: { current: Embedder } };
  log: Logger;
}

interface EmbeddingOptions {
  pollEveryMs?: number;
  /** Restricts the worker to one API key. Default: all. */
  apiKeyId?: string;
}

export interface JudgmentEmbedding {
  /** End of the last poll, failed ones included, in epoch milliseconds. */
  health(): { lastPollAt: number };
  /** Polls as often as a busy process, because there may be new judgments. */
  quicken(): void;
  /** Aborts the current batch; another process claims it again. */
  stop(): Promise<void>;
}

/** An empty poll is one statement on an index. */
const POLL_MS = 500;
/** Pause of an idle process between two polls. */
const IDLE_POLL_MS = 4_000;
/** Outdated vectors exist only after the operator changed the model. */
const OUTDATED_POLL_MS = 30_000;
const PAUSE_AFTER_FAULT_MS = 2_000;
const BATCH_SIZE = 32;
/** Time after which a claimed batch may be claimed by another process. */
const CLAIMED_MS = 120_000;
/**
 * Share of a processor that the main thread takes while the process counts as busy with requests. On a machine that is
 * busy otherwise, a thread takes little although its event loop seems to be always active.
 */
const BUSY_FROM = 0.45;
/** The same on a machine without idle processors, where the model takes time from these requests and from PostgreSQL. */
const BUSY_FROM_WITHOUT_IDLE = 0.25;
/** Share of idle time below which a machine has no idle processors. */
const IDLE_FROM = 0.1;
/** A busy process rests after a batch for this multiple of its duration. */
const REST_FACTOR = 4;
const LONGEST_REST_MS = 5_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Starts the worker that embeds judgments. */
export function startEmbedding(
  deps: EmbeddingDeps,
  { pollEveryMs = POLL_MS, apiKeyId }: EmbeddingOptions = {},
): JudgmentEmbedding {
  const { log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const renewal = new RenewalLog(log);
  // Two pipelines: while one writes and claims, the other keeps the model busy.
  const pipelines = [new BatchPipeline(deps, renewal, apiKeyId), new BatchPipeline(deps, renewal, apiKeyId)];
  // The pauses of idle pipelines differ, because polls at the same moment need a connection each.
  const paces = pipelines.map((_, index) =>
    createPace({ minMs: pollEveryMs, maxMs: Math.max(pollEveryMs, IDLE_POLL_MS + 300 * index) }),
  );
  let lastPollAt = Date.now();
  let failures = 0;

  const run = async (pipeline: BatchPipeline, pace: Pace) => {
    while (!signal.aborted) {
      try {
        const loadSince = startLoad();
        const count = await pipeline.next(signal);
        lastPollAt = Date.now();
        if (count > 0 && failures > 0) log.info('embedding of judgments works again');
        if (count > 0) {
          failures = 0;
          pace.found();
          await pause(restAfter(loadSince()), signal);
        } else await pace.pause(signal);
      } catch (error) {
        if (signal.aborted) return;
        lastPollAt = Date.now();
        if (error instanceof EmbedFailure) {
          // Logged once per outage, not once per attempt.
          if (failures === 0)
            log.warn({ kind: error.kind, reason: error.message }, 'judgments could not be embedded');
          failures += 1;
          await pause(pauseAfter(error, failures), signal);
        } else {
          logFault(log, error, 'embedding of judgments failed');
          await pause(PAUSE_AFTER_FAULT_MS, signal);
        }
      }
    }
  };
  const running = Promise.all(pipelines.map((pipeline, index) => run(pipeline, paces[index]!)));
  return {
    health: () => ({ lastPollAt }),
    quicken() {
      for (const pace of paces) pace.wake(pollEveryMs);
    },
    async stop() {
      stopping.abort(new Error('The process is stopping.'));
      await running;
      const closed = await Promise.allSettled(pipelines.map((pipeline) => pipeline.close()));
      for (const one of closed) {
        if (one.status === 'rejected') logFault(log, one.reason, 'vectors could not be written');
      }
    },
  };
}

interface Load {
  batchMs: number;
  /** Share of a processor that the main thread takes. */
  thread: number;
  /** Share of all processors of the machine that is idle. */
  idle: number;
}

/** Returns a function that returns the load since this moment. */
function startLoad(): () => Load {
  const startedAt = performance.now();
  const ofThread = process.threadCpuUsage();
  const ofMachine = machineTimes();
  return () => {
    const batchMs = performance.now() - startedAt;
    const { user, system } = process.threadCpuUsage(ofThread);
    const { idle, all } = machineTimes();
    return {
      batchMs,
      thread: (user + system) / 1_000 / batchMs,
      // The clock of these times may not tick within a short batch.
      idle: all > ofMachine.all ? (idle - ofMachine.idle) / (all - ofMachine.all) : 1,
    };
  };
}

/** Times of all processors since the start of the machine, in milliseconds. */
function machineTimes(): { idle: number; all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((one) => Object.values(one))) };
}

/**
 * Milliseconds of rest after a batch. The model takes as much processor time as the requests that make its work, so it
 * waits for a quieter moment, but never stands still.
 */
export function restAfter({ batchMs, thread, idle }: Load): number {
  const busyFrom = idle < IDLE_FROM ? BUSY_FROM_WITHOUT_IDLE : BUSY_FROM;
  return thread < busyFrom ? 0 : Math.min(LONGEST_REST_MS, REST_FACTOR * batchMs);
}

const pauseAfter = ({ retryAfterMs }: EmbedFailure, failures: number): number =>
  retryAfterMs ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));

/** Embeds all waiting judgments of an API key in the foreground. Returns their number. */
export async function embedWaiting(
  deps: EmbeddingDeps,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
): Promise<number> {
  const pipeline = new BatchPipeline(deps, new RenewalLog(deps.log), apiKeyId);
  const { signal } = new AbortController();
  let all = 0;
  for (let count = await pipeline.next(signal); count > 0; count = await pipeline.next(signal)) all += count;
  await pipeline.close();
  return all;
}

/** Processes batches as a pipeline: while one is written, the next is embedded. */
class BatchPipeline {
  readonly #deps: EmbeddingDeps;
  readonly #renewal: RenewalLog;
  readonly #apiKeyId: string | undefined;
  #afterKey = '';
  #nextOutdatedPollAt = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(deps: EmbeddingDeps, renewal: RenewalLog, apiKeyId?: string) {
    this.#deps = deps;
    this.#renewal = renewal;
    this.#apiKeyId = apiKeyId;
  }

  /** Processes one batch. Returns its size. */
  async next(signal: AbortSignal): Promise<number> {
    const claimed = await this.#claim();
    if (claimed.length === 0) {
      await this.#written();
      this.#renewal.foundNone();
      return 0;
    }
    const { db, outside } = this.#deps;
    const embedder = outside.embeddings.current;
    const fresh = new Set(claimed.filter((one) => one.embeddedWith === '').map(keyOf));
    const renewed = claimed.length - fresh.size;
    if (renewed > 0) this.#renewal.began(renewed, embedder.model);
    let embedded: EmbeddedJudgment[];
    try {
      embedded = await embedJudgments(embedder, claimed, signal);
      await this.#written();
    } catch (error) {
      this.#renewal.ended(renewed, false);
      await this.#written();
      await writeWords(db, claimed.map(wordsIn));
      throw error;
    }
    this.#writing = this.#write(embedder.model, embedded, fresh);
    this.#writing.then(
      () => this.#renewal.ended(renewed, true),
      // The failure itself reaches the next caller that awaits the write.
      () => this.#renewal.ended(renewed, false),
    );
    return claimed.length;
  }

  close(): Promise<void> {
    return this.#written();
  }

  async #written(): Promise<void> {
    const writing = this.#writing;
    this.#writing = Promise.resolve();
    await writing;
  }

  async #claim(): Promise<UnembeddedJudgment[]> {
    const { db, outside } = this.#deps;
    const now = Date.now();
    const claim = { apiKeyId: this.#apiKeyId, limit: BATCH_SIZE, now, until: now + CLAIMED_MS };
    let rows = await claimNew(db, this.#afterKey, claim);
    if (rows.length === 0 && this.#afterKey !== '') rows = await claimNew(db, '', claim);
    this.#afterKey = rows.at(-1)?.apiKeyId ?? '';
    if (rows.length > 0 || now < this.#nextOutdatedPollAt) return rows;
    const outdated = await claimOutdated(db, outside.embeddings.current.model, claim);
    if (outdated.length === 0) this.#nextOutdatedPollAt = now + OUTDATED_POLL_MS;
    return outdated;
  }

  async #write(
    model: string,
    embedded: readonly EmbeddedJudgment[],
    fresh: ReadonlySet<string>,
  ): Promise<void> {
    const { db } = this.#deps;
    const write = (part: readonly EmbeddedJudgment[]) =>
      part.every((one) => fresh.has(keyOf(one)))
        ? writeVectors(db, model, part)
        : replaceVectors(db, model, part);
    try {
      await write(embedded);
    } catch {
      // Written one by one, so that a judgment whose write fails does not hold up the rest of its batch.
      const faults: unknown[] = [];
      for (const one of embedded) await write([one]).catch((fault: unknown) => faults.push(fault));
      if (faults.length > 0) throw faults[0];
    }
  }
}

const keyOf = ({ apiKeyId, judgmentId }: Pick<UnembeddedJudgment, 'apiKeyId' | 'judgmentId'>): string =>
  JSON.stringify([apiKeyId, judgmentId]);
