import type { Logger } from 'pino';
import { logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { pause } from '../../lib/time.ts';
import { type Embedder, EmbedFailure } from '../../outside/embed/embedder.ts';
import {
  claimNew,
  claimOutdated,
  type Embedded,
  replaceVectors,
  type UnembeddedJudgment,
  writeVectors,
  writeWords,
} from '../../store/memory/judgment-embedding.ts';
import { embedJudgments, wordsIn } from './embed-texts.ts';
import { RenewalLog } from './renewal-log.ts';

export interface EmbeddingDeps {
  db: Db;
  outside: { embeddings: { current: Embedder } };
  log: Logger;
}

interface EmbeddingOptions {
  lookEveryMs?: number;
  /** Only of this API key. By default of all. */
  apiKeyId?: string;
}

export interface JudgmentEmbedding {
  /** When it last got through a look, in epoch milliseconds. */
  health(): { lastLookAt: number };
  /** Breaks off what is being embedded, which another process takes up. */
  stop(): Promise<void>;
}

/** A look that finds nothing is one statement, which an index answers. */
const LOOK_EVERY_MS = 500;
/** Vectors of another model are there only after the operator changed it. */
const LOOK_FOR_OTHERS_EVERY_MS = 30_000;
const FAULT_MS = 2_000;
const AT_ONCE = 32;
/** Whoever embeds so few has died, or is so slow that another may try as well. */
const CLAIMED_MS = 120_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Makes the vectors of judgments in the background, until stopped. */
export function startEmbedding(
  deps: EmbeddingDeps,
  { lookEveryMs = LOOK_EVERY_MS, apiKeyId }: EmbeddingOptions = {},
): JudgmentEmbedding {
  const { log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  // While one writes and claims, the other keeps the model at work.
  const renewal = new RenewalLog(log);
  const all = [new Turns(deps, renewal, apiKeyId), new Turns(deps, renewal, apiKeyId)];
  let lastLookAt = Date.now();
  let failures = 0;

  const run = async (turns: Turns) => {
    while (!signal.aborted) {
      try {
        const many = await turns.next(signal);
        lastLookAt = Date.now();
        if (many > 0 && failures > 0) log.info('judgments are embedded again');
        if (many > 0) failures = 0;
        else await pause(lookEveryMs, signal);
      } catch (error) {
        if (signal.aborted) return;
        lastLookAt = Date.now();
        if (error instanceof EmbedFailure) {
          // A provider that is down for an hour fails a hundred times, of which nobody wants to read.
          if (failures === 0)
            log.warn({ kind: error.kind, reason: error.message }, 'judgments cannot be embedded');
          failures += 1;
          await pause(pauseAfter(error, failures), signal);
        } else {
          logFault(log, error, 'judgments cannot be filtered after');
          await pause(FAULT_MS, signal);
        }
      }
    }
  };
  const running = Promise.all(all.map(run));
  return {
    health: () => ({ lastLookAt }),
    async stop() {
      stopping.abort(new Error('The process is stopping.'));
      await running;
      const closed = await Promise.allSettled(all.map((turns) => turns.close()));
      for (const one of closed) {
        if (one.status === 'rejected') logFault(log, one.reason, 'vectors cannot be written');
      }
    },
  };
}

const pauseAfter = ({ retryAfterMs }: EmbedFailure, failures: number): number =>
  retryAfterMs ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));

/** Embeds all of an API key that waits; answers how many there were. For whoever does not want to wait for the background. */
export async function embedWaiting(
  deps: EmbeddingDeps,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
): Promise<number> {
  const turns = new Turns(deps, new RenewalLog(deps.log), apiKeyId);
  const { signal } = new AbortController();
  let all = 0;
  for (let many = await turns.next(signal); many > 0; many = await turns.next(signal)) all += many;
  await turns.close();
  return all;
}

/** Takes batches one after the other: while one is written, the next one is embedded. */
class Turns {
  readonly #deps: EmbeddingDeps;
  readonly #renewal: RenewalLog;
  readonly #apiKeyId: string | undefined;
  #afterKey = '';
  #nextLookForOthers = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(deps: EmbeddingDeps, renewal: RenewalLog, apiKeyId?: string) {
    this.#deps = deps;
    this.#renewal = renewal;
    this.#apiKeyId = apiKeyId;
  }

  /** Works on some; answers how many. */
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
    let embedded: Embedded[];
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
      // Whoever awaits it hears of its failure.
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
    const claim = { apiKeyId: this.#apiKeyId, limit: AT_ONCE, now, until: now + CLAIMED_MS };
    let rows = await claimNew(db, this.#afterKey, claim);
    if (rows.length === 0 && this.#afterKey !== '') rows = await claimNew(db, '', claim);
    this.#afterKey = rows.at(-1)?.apiKeyId ?? '';
    if (rows.length > 0 || now < this.#nextLookForOthers) return rows;
    const others = await claimOutdated(db, outside.embeddings.current.model, claim);
    if (others.length === 0) this.#nextLookForOthers = now + LOOK_FOR_OTHERS_EVERY_MS;
    return others;
  }

  async #write(model: string, embedded: readonly Embedded[], fresh: ReadonlySet<string>): Promise<void> {
    const { db } = this.#deps;
    const write = (part: readonly Embedded[]) =>
      part.every((one) => fresh.has(keyOf(one)))
        ? writeVectors(db, model, part)
        : replaceVectors(db, model, part);
    try {
      await write(embedded);
    } catch {
      // Those who were only together with the one at fault, or with others who held it, are not to wait for it.
      const faults: unknown[] = [];
      for (const one of embedded) await write([one]).catch((fault: unknown) => faults.push(fault));
      if (faults.length > 0) throw faults[0];
    }
  }
}

const keyOf = ({ apiKeyId, judgmentId }: Pick<UnembeddedJudgment, 'apiKeyId' | 'judgmentId'>): string =>
  JSON.stringify([apiKeyId, judgmentId]);
