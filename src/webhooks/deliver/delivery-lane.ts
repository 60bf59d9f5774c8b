import type { Logger } from 'pino';
import { logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import type { SafeFetch, Targets } from '../../outside/net/outbound-fetch.ts';
import { type DueDelivery, loadDue, releaseIdleLane } from '../../store/webhooks/due-deliveries.ts';
import {
  holdWaiting,
  type LaneEndpoint,
  type LaneKey,
  loadLaneEndpoint,
  lockEndpoint,
  pauseLane,
  releaseLease,
} from '../../store/webhooks/lanes.ts';
import { buildRequest, type OpenedEndpoint, openEndpoint } from './build-request.ts';
import type { ConcurrencyControl } from './concurrency-control.ts';
import { attemptSeconds, attemptsByOutcome } from './delivery-metrics.ts';
import { BatchQueue, batchByOrderKey, type OrderedBatch } from './ordered-batches.ts';
import { PollBackoff } from './poll-backoff.ts';
import type { ResultRecorder } from './record-results.ts';
import { retryDelayMs } from './retry-schedule.ts';
import type { SendSlot, SendSlots } from './send-slots.ts';
import { failedToBuild, type SendOutcome, sendWebhook } from './send-webhook.ts';

export interface LaneDeps {
  db: Db;
  keyring: Keyring;
  fetch: SafeFetch;
  log: Logger;
  recorder: ResultRecorder;
  /** Identifies this process as the holder of leases. */
  holder: string;
  now(): number;
  random(): number;
  slots: SendSlots;
  targets: Targets;
  /** Limit of the bytes of bodies that a lane loads; it is lower the more lanes there are. */
  maxQueuedBytes(): number;
  /** Aborts the requests in flight. */
  aborting: AbortSignal;
}

/** Interval of polls for due deliveries while others are in flight. */
const POLL_EVERY_MS = 250;
/** An endpoint that was loaded longer ago is loaded again before anything is sent. */
const FRESH_MS = 2_000;
/** A `retry-after` pauses the whole lane, for at most this long. */
const MAX_REQUESTED_PAUSE_MS = 60_000;

/** Delivers to one endpoint while it is leased: several at once, but those with one order key one after the other. */
export class Lane {
  readonly key: LaneKey;
  /** It is releasing its lease, or has done so. */
  isLeaving = false;
  readonly #deps: LaneDeps;
  readonly #concurrency: ConcurrencyControl;
  #stored: LaneEndpoint | undefined;
  #endpoint: OpenedEndpoint | undefined;
  readonly #queue = new BatchQueue();
  #loadedAt = 0;
  readonly #polls = new PollBackoff();
  /** Ids of deliveries that are queued, in flight or not recorded yet. */
  readonly #busy = new Set<string>();
  #inFlight = 0;
  /** The slot for the next delivery. */
  #slot: SendSlot | undefined;
  #stopWaitingForSlot: (() => void) | undefined;
  #pausedUntil = 0;
  #isFailing = false;
  #isEnding = false;
  #timer: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;
  /** Something may have become due since the last load. */
  #mayHaveMore = true;

  constructor(key: LaneKey, deps: LaneDeps, concurrency: ConcurrencyControl) {
    this.key = key;
    this.#deps = deps;
    this.#concurrency = concurrency;
  }

  /** Polls again, because there may be new deliveries. */
  notify(): void {
    this.#mayHaveMore = true;
    this.#wake?.();
  }

  /** Starts no more deliveries; `run` ends when those in flight have ended. */
  end(): void {
    this.#isEnding = true;
    this.#clearQueue();
    this.#releaseSlot();
    this.#wake?.();
  }

  /** Works until nothing is due, the endpoint is disabled or `end` is called. */
  async run(): Promise<void> {
    const { db, holder, now } = this.#deps;
    try {
      for (;;) {
        if (this.#isEnding || this.#pausedUntil > 0) {
          if (this.#busy.size === 0) return await this.#leave();
          await this.#untilWoken();
        } else if (this.#shouldLoad() || this.#mustReload()) {
          if (this.#isStale()) this.#clearQueue();
          await this.#load();
          this.#sendMore();
        } else if (this.#busy.size > 0) {
          await this.#untilWoken();
        } else {
          this.isLeaving = true;
          if (await releaseIdleLane(db, holder, this.key, now())) return;
          this.isLeaving = false;
          this.#mayHaveMore = true;
          this.#polls.reset();
        }
      }
    } finally {
      clearTimeout(this.#timer);
      // After an error, deliveries in flight would otherwise continue with the queue without a lease.
      this.end();
    }
  }

  #shouldLoad(): boolean {
    // Loading takes as long as a few deliveries, so it starts before the queue is empty.
    const enough = this.#stored?.rateLimit ? 1 : this.#concurrency.limit * 3;
    const hasRoom = this.#queue.chars < this.#deps.maxQueuedBytes() / 2;
    const isWaitingToSend = this.#stopWaitingForSlot !== undefined && this.#queue.length > 0;
    return (
      this.#mayHaveMore &&
      !isWaitingToSend &&
      this.#polls.isDue() &&
      this.#queue.length < enough &&
      (hasRoom || this.#queue.length === 0)
    );
  }

  /** Deliveries that were loaded a while ago may be held by now, or sent by another process. */
  #mustReload(): boolean {
    return this.#queue.length > 0 && this.#isStale() && this.#slot !== undefined;
  }

  #isStale = (): boolean => performance.now() - this.#loadedAt > FRESH_MS;

  async #leave(): Promise<void> {
    const { db, holder } = this.#deps;
    this.isLeaving = true;
    if (this.#pausedUntil > 0 && !this.#isEnding) await pauseLane(db, holder, this.key, this.#pausedUntil);
    else await releaseLease(db, holder, this.key);
  }

  /** Loads the endpoint and its due deliveries. Ends the lane if the endpoint is disabled or deleted. */
  async #load(): Promise<void> {
    const { db, keyring, now } = this.#deps;
    this.#mayHaveMore = false;
    const stored = await loadLaneEndpoint(db, this.key);
    const endpoint = stored && !stored.disabled ? openEndpoint(stored, keyring, now()) : undefined;
    if (!stored || !endpoint) {
      this.end();
      await holdDisabled(this.#deps, this.key);
      return;
    }
    const resolvedFrom = performance.now();
    await this.#deps.targets.refresh(endpoint.url);
    // Resolving the host took so long that the endpoint may have changed; its addresses are cached now.
    if (performance.now() - resolvedFrom > FRESH_MS) return await this.#load();
    this.#stored = stored;
    this.#endpoint = endpoint;
    this.#isFailing ||= stored.failingSince !== null;
    const limit = this.#loadLimit(stored);
    const due = await loadDue(db, this.key, {
      now: now(),
      limit,
      except: [...this.#busy],
      basic: stored.kind !== 'advanced',
      bytes: this.#deps.maxQueuedBytes(),
    });
    // Meanwhile the lease may have been lost, or the receiver may have asked for a pause.
    if (this.#isEnding || this.#pausedUntil > 0) return;
    this.#loadedAt = performance.now();
    const batches = batchByOrderKey(due, now(), this.#busy);
    for (const batch of batches) {
      this.#queue.push(batch);
      for (const { messageId } of batch) this.#busy.add(messageId);
    }
    if (batches.length >= limit) this.#mayHaveMore = true;
    this.#polls.polled(batches.length);
  }

  #loadLimit({ rateLimit }: LaneEndpoint): number {
    const max = this.#concurrency.limit * 8;
    return rateLimit === null ? max : Math.min(max, rateLimit * 2 + 1);
  }

  #clearQueue(): void {
    for (const { messageId } of this.#queue.clear()) this.#busy.delete(messageId);
  }

  /** Sends as many deliveries as concurrency, rate limit and slots admit. */
  #sendMore(): void {
    const { now } = this.#deps;
    while (this.#queue.length > 0 && this.#inFlight < this.#concurrency.limit) {
      const { rateLimit } = this.#stored!;
      const delayMs = this.#concurrency.rateDelayMs(rateLimit, performance.now());
      if (delayMs > 0) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#sendMore(), delayMs);
        break;
      }
      const slot = this.#takeSlot();
      if (!slot) return;
      if (this.#isStale()) {
        // `run` reloads first; the slot is kept.
        this.#wake?.();
        return;
      }
      this.#slot = undefined;
      this.#concurrency.countDelivery(rateLimit, performance.now());
      const batch = this.#queue.take()!;
      void this.#deliver(batch, slot, now());
    }
    this.#releaseSlot();
  }

  /** Returns a slot, or undefined while none is free; then `#sendMore` is called when one is granted. */
  #takeSlot(): SendSlot | undefined {
    const { slots, targets } = this.#deps;
    if (this.#slot || this.#stopWaitingForSlot) return this.#slot;
    const request = { apiKeyId: this.key.apiKeyId, targets: targets.of(this.#endpoint!.url) };
    this.#slot = slots.tryTake(request);
    if (this.#slot) return this.#slot;
    this.#stopWaitingForSlot = slots.wait(request, (slot) => {
      this.#stopWaitingForSlot = undefined;
      // The host may resolve to other addresses by now, which have slots of their own.
      if (String(targets.of(this.#endpoint!.url)) === String(request.targets)) this.#slot = slot;
      else slot.release();
      this.#sendMore();
      this.#wake?.();
    });
    return undefined;
  }

  #releaseSlot(): void {
    this.#stopWaitingForSlot?.();
    this.#stopWaitingForSlot = undefined;
    this.#slot?.release();
    this.#slot = undefined;
  }

  async #deliver(batch: OrderedBatch, slot: SendSlot, at: number): Promise<void> {
    const [delivery, ...rest] = batch;
    this.#inFlight += 1;
    const { url } = this.#endpoint!;
    const outcome = await this.#send(delivery!, at);
    slot.release();
    if (outcome) outcome.attempt.at = at;
    this.#inFlight -= 1;
    const goesOn = outcome?.attempt.outcome === 'delivered' && !this.#isEnding && this.#pausedUntil === 0;
    if (goesOn && rest.length > 0) this.#queue.putBack(rest);
    else for (const { messageId } of rest) this.#busy.delete(messageId);
    if (!goesOn && rest.length > 0) this.#mayHaveMore = true;
    if (outcome) this.#record(delivery!, outcome, url);
    else this.#busy.delete(delivery!.messageId);
    this.#sendMore();
    this.#wake?.();
  }

  /** Returns undefined if the request was aborted, so that its outcome is unknown. */
  async #send({ messageId, body }: DueDelivery, at: number): Promise<SendOutcome | undefined> {
    const { fetch, log, aborting } = this.#deps;
    try {
      return await sendWebhook(fetch, buildRequest(this.#endpoint!, { messageId, json: body, at }), aborting);
    } catch (error) {
      logFault(log, error, 'webhook request cannot be built', { ...this.key, messageId });
      return failedToBuild(at, error);
    }
  }

  #record({ messageId, tries, eventType }: DueDelivery, outcome: SendOutcome, url: string): void {
    const { now, random, recorder, log } = this.#deps;
    const { attempt, retryAfterMs, isGone, isForbidden } = outcome;
    attemptsByOutcome.inc({ outcome: isForbidden ? 'forbidden' : attempt.outcome });
    log.debug(
      { ...this.key, messageId, tries: tries + 1, ...attempt, response: undefined },
      'webhook attempt',
    );
    if (attempt.status !== undefined) attemptSeconds.observe(attempt.latencyMs / 1_000);
    const delivered = attempt.outcome === 'delivered';
    const delayMs =
      delivered || isGone
        ? undefined
        : retryDelayMs(tries + 1, { status: attempt.status, retryAfterMs }, random());
    const { workspaceId } = this.#stored!;
    const result = {
      ...this.key,
      workspaceId,
      messageId,
      eventType,
      triesBefore: tries,
      status: delivered ? 'delivered' : isGone ? 'held' : delayMs === undefined ? 'failed' : 'waiting',
      nextAt: delayMs === undefined ? null : now() + delayMs,
      attempt,
      wasFailing: this.#isFailing,
      isGone,
      isForbidden,
      url,
    } as const;
    if (isGone) this.end();
    if (delivered) {
      this.#polls.reset();
      this.#concurrency.succeeded();
    } else this.#concurrency.failed();
    this.#isFailing = !delivered;
    if (!delivered) this.#pauseAfter(retryAfterMs);
    void recorder.add(result).then(() => {
      this.#busy.delete(messageId);
      this.#wake?.();
    });
  }

  #pauseAfter(retryAfterMs = 0): void {
    const pauseMs = Math.max(this.#concurrency.pauseMs(), Math.min(retryAfterMs, MAX_REQUESTED_PAUSE_MS));
    if (pauseMs === 0) return;
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#deps.now() + pauseMs);
    this.#clearQueue();
  }

  #untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#mayHaveMore = true;
        this.#sendMore();
        done();
      }, POLL_EVERY_MS);
      const done = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      this.#wake = done;
    });
  }
}

/** Holds for a replay the deliveries of an endpoint that is turned off, unless it was turned on meanwhile. */
async function holdDisabled({ db, keyring, now, aborting }: LaneDeps, key: LaneKey): Promise<void> {
  const holdSome = () =>
    db.transaction().execute(async (tx) => {
      await lockEndpoint(tx, key);
      const stored = await loadLaneEndpoint(tx, key);
      const isOn = stored && !stored.disabled && openEndpoint(stored, keyring, now());
      return !stored || Boolean(isOn) || (await holdWaiting(tx, key.apiKeyId, [key.endpointId]));
    });
  while (!aborting.aborted && !(await holdSome()));
}
