import type { Logger } from 'pino';
import { logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import type { SafeFetch, Targets } from '../../outside/net/outbound-fetch.ts';
import { type DueDelivery, loadDue, restLane } from '../../store/webhooks/due-deliveries.ts';
import {
  type LaneEndpoint,
  type LaneKey,
  loadLaneEndpoint,
  pauseLane,
  releaseLease,
} from '../../store/webhooks/lanes.ts';
import { pack, type Target, targetOf } from './build-request.ts';
import type { Pace } from './concurrency-control.ts';
import { attemptSeconds, attemptsByOutcome } from './delivery-meters.ts';
import type { Recorder } from './delivery-recorder.ts';
import { holdForReplay } from './hold-for-replay.ts';
import { type Chain, ChainQueue, chainsOf } from './ordered-batches.ts';
import { Looks } from './poll-backoff.ts';
import { waitAfter } from './schedule.ts';
import { type Sent, send, unsendable } from './send.ts';
import type { SendSlots, Slot } from './send-slots.ts';

/** What all lanes of a process share. */
export interface LaneDeps {
  db: Db;
  keyring: Keyring;
  fetch: SafeFetch;
  log: Logger;
  recorder: Recorder;
  /** Under whose name leases are held. */
  holder: string;
  now(): number;
  random(): number;
  slots: SendSlots;
  targets: Targets;
  /** How much of messages' text a lane may hold that waits to go out; less, the more lanes there are. */
  heldBytes(): number;
  /** Ends what is under way. */
  aborting: AbortSignal;
}

/** How often a lane looks for what has become due while something is under way. */
const LOOK_EVERY_MS = 250;
/** An endpoint that was looked at longer ago is looked at again before anything is sent. */
const FRESH_MS = 2_000;
/** What a receiver asks for with `retry-after` holds for all of its lane, up to this. */
const LONGEST_ASKED_PAUSE_MS = 60_000;

/** Delivers to one endpoint while it holds the lease: several at once, but of one key one after the other. */
export class Lane {
  readonly key: LaneKey;
  /** It is giving its lease back, or has done so. */
  isLeaving = false;
  readonly #deps: LaneDeps;
  readonly #pace: Pace;
  #endpoint: LaneEndpoint | undefined;
  #target: Target | undefined;
  /** What is loaded and waits to go out. */
  readonly #queue = new ChainQueue();
  #loadedAt = 0;
  readonly #looks = new Looks();
  /** Ids that are loaded, under way or not written down yet. */
  readonly #busy = new Set<string>();
  #inFlight = 0;
  /** Leave to send the next delivery. */
  #slot: Slot | undefined;
  #stopWaiting: (() => void) | undefined;
  #pausedUntil = 0;
  #isFailing = false;
  #isEnding = false;
  #timer: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;
  /** Something may have become due since the last load. */
  #mayHaveMore = true;

  constructor(key: LaneKey, deps: LaneDeps, pace: Pace) {
    this.key = key;
    this.#deps = deps;
    this.#pace = pace;
  }

  /** There may be something new. */
  look(): void {
    this.#mayHaveMore = true;
    this.#wake?.();
  }

  /** Starts nothing any more; `run` ends once what is under way has ended. */
  end(): void {
    this.#isEnding = true;
    this.#dropQueue();
    this.#giveBackSlot();
    this.#wake?.();
  }

  /** Works until nothing is due, the endpoint is not to be sent to, or it is told to end. */
  async run(): Promise<void> {
    const { db, holder, now } = this.#deps;
    try {
      for (;;) {
        if (this.#isEnding || this.#pausedUntil > 0) {
          if (this.#busy.size === 0) return await this.#leave();
          await this.#untilSomethingHappens();
        } else if (this.#isHungry() || this.#isToBeRenewed()) {
          if (this.#isStale()) this.#dropQueue();
          await this.#load();
          this.#fill();
        } else if (this.#busy.size > 0) {
          await this.#untilSomethingHappens();
        } else {
          this.isLeaving = true;
          if (await restLane(db, holder, this.key, now())) return;
          this.isLeaving = false;
          this.#mayHaveMore = true;
          this.#looks.freely();
        }
      }
    } finally {
      clearTimeout(this.#timer);
      // When it breaks off, sends that are still under way would go on with what is queued, without a lease.
      this.end();
    }
  }

  #isHungry(): boolean {
    // A load takes as long as a few of the deliveries, and nobody is to wait for it.
    const enough = this.#endpoint?.rateLimit ? 1 : this.#pace.limit * 3;
    const hasRoom = this.#queue.chars < this.#deps.heldBytes() / 2;
    const isWaitingToSend = this.#stopWaiting !== undefined && this.#queue.length > 0;
    return (
      this.#mayHaveMore &&
      !isWaitingToSend &&
      this.#looks.isTime() &&
      this.#queue.length < enough &&
      (hasRoom || this.#queue.length === 0)
    );
  }

  /** What was loaded a while ago may be held, or sent by others, by now. */
  #isToBeRenewed(): boolean {
    return this.#queue.length > 0 && this.#isStale() && this.#slot !== undefined;
  }

  #isStale = (): boolean => performance.now() - this.#loadedAt > FRESH_MS;

  async #leave(): Promise<void> {
    const { db, holder } = this.#deps;
    this.isLeaving = true;
    if (this.#pausedUntil > 0 && !this.#isEnding) await pauseLane(db, holder, this.key, this.#pausedUntil);
    else await releaseLease(db, holder, this.key);
  }

  /** Looks at the endpoint anew and takes up what is due; ends where nothing is to be sent to it. */
  async #load(): Promise<void> {
    const { db, keyring, now } = this.#deps;
    this.#mayHaveMore = false;
    const endpoint = await loadLaneEndpoint(db, this.key);
    const target = endpoint && !endpoint.disabled ? targetOf(endpoint, keyring, now()) : undefined;
    if (!endpoint || !target) {
      this.end();
      await holdForReplay(this.#deps, this.key);
      return;
    }
    const asked = performance.now();
    await this.#deps.targets.refresh(target.url);
    // What was read of the endpoint may be outdated; its addresses are known now.
    if (performance.now() - asked > FRESH_MS) return await this.#load();
    this.#endpoint = endpoint;
    this.#target = target;
    this.#isFailing ||= endpoint.failingSince !== null;
    const limit = this.#atOnce(endpoint);
    const due = await loadDue(db, this.key, {
      now: now(),
      limit,
      except: [...this.#busy],
      basic: endpoint.kind !== 'advanced',
      bytes: this.#deps.heldBytes(),
    });
    // Meanwhile the lease may be lost, or the receiver have asked for a pause.
    if (this.#isEnding || this.#pausedUntil > 0) return;
    this.#loadedAt = performance.now();
    const chains = chainsOf(due, now(), this.#busy);
    for (const chain of chains) {
      this.#queue.push(chain);
      for (const { messageId } of chain) this.#busy.add(messageId);
    }
    if (chains.length >= limit) this.#mayHaveMore = true;
    this.#looks.cameBack(chains.length);
  }

  #atOnce({ rateLimit }: LaneEndpoint): number {
    const most = this.#pace.limit * 8;
    return rateLimit === null ? most : Math.min(most, rateLimit * 2 + 1);
  }

  #dropQueue(): void {
    for (const { messageId } of this.#queue.drop()) this.#busy.delete(messageId);
  }

  /** Sends as much as may go out now. */
  #fill(): void {
    const { now } = this.#deps;
    while (this.#queue.length > 0 && this.#inFlight < this.#pace.limit) {
      const { rateLimit } = this.#endpoint!;
      const waitMs = this.#pace.waitMs(rateLimit, performance.now());
      if (waitMs > 0) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#fill(), waitMs);
        break;
      }
      const slot = this.#takeSlot();
      if (!slot) return;
      if (this.#isStale()) {
        // It is loaded anew, and the slot is kept for it.
        this.#wake?.();
        return;
      }
      this.#slot = undefined;
      this.#pace.take(rateLimit, performance.now());
      const chain = this.#queue.take()!;
      void this.#deliver(chain, slot, now());
    }
    this.#giveBackSlot();
  }

  /** A slot to send with; undefined while none is free, and then `#fill` is called once one is. */
  #takeSlot(): Slot | undefined {
    const { slots, targets } = this.#deps;
    if (this.#slot || this.#stopWaiting) return this.#slot;
    const wish = { apiKeyId: this.key.apiKeyId, targets: targets.of(this.#target!.url) };
    this.#slot = slots.tryTake(wish);
    if (this.#slot) return this.#slot;
    this.#stopWaiting = slots.wait(wish, (slot) => {
      this.#stopWaiting = undefined;
      // Its name may lead elsewhere by now, where others are to be counted.
      if (String(targets.of(this.#target!.url)) === String(wish.targets)) this.#slot = slot;
      else slot.release();
      this.#fill();
      this.#wake?.();
    });
    return undefined;
  }

  #giveBackSlot(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    this.#slot?.release();
    this.#slot = undefined;
  }

  async #deliver(chain: Chain, slot: Slot, at: number): Promise<void> {
    const [delivery, ...rest] = chain;
    this.#inFlight += 1;
    const { url } = this.#target!;
    const sent = await this.#send(delivery!, at);
    slot.release();
    if (sent) sent.attempt.at = at;
    this.#inFlight -= 1;
    const goesOn = sent?.attempt.outcome === 'delivered' && !this.#isEnding && this.#pausedUntil === 0;
    if (goesOn && rest.length > 0) this.#queue.putBack(rest);
    else for (const { messageId } of rest) this.#busy.delete(messageId);
    if (!goesOn && rest.length > 0) this.#mayHaveMore = true;
    if (sent) this.#note(delivery!, sent, url);
    else this.#busy.delete(delivery!.messageId);
    this.#fill();
    this.#wake?.();
  }

  /** Undefined where it was cut off from this side, so that nobody knows what became of it. */
  async #send({ messageId, body }: DueDelivery, at: number): Promise<Sent | undefined> {
    const { fetch, log, aborting } = this.#deps;
    try {
      return await send(fetch, pack(this.#target!, { messageId, json: body, at }), aborting);
    } catch (error) {
      logFault(log, error, 'webhook cannot be made ready', { ...this.key, messageId });
      return unsendable(at, error);
    }
  }

  #note({ messageId, tries, eventType }: DueDelivery, sent: Sent, url: string): void {
    const { now, random, recorder, log } = this.#deps;
    const { attempt, retryAfterMs, isGone, isForbidden } = sent;
    attemptsByOutcome.inc({ outcome: isForbidden ? 'forbidden' : attempt.outcome });
    log.debug(
      { ...this.key, messageId, tries: tries + 1, ...attempt, response: undefined },
      'webhook is tried',
    );
    if (attempt.status !== undefined) attemptSeconds.observe(attempt.latencyMs / 1_000);
    const delivered = attempt.outcome === 'delivered';
    const waitMs =
      delivered || isGone
        ? undefined
        : waitAfter(tries + 1, { status: attempt.status, retryAfterMs }, random());
    const { workspaceId } = this.#endpoint!;
    const result = {
      ...this.key,
      workspaceId,
      messageId,
      eventType,
      triesBefore: tries,
      status: delivered ? 'delivered' : isGone ? 'held' : waitMs === undefined ? 'failed' : 'waiting',
      nextAt: waitMs === undefined ? null : now() + waitMs,
      attempt,
      wasFailing: this.#isFailing,
      isGone,
      isForbidden,
      url,
    } as const;
    if (isGone) this.end();
    if (delivered) {
      this.#looks.freely();
      this.#pace.succeeded();
    } else this.#pace.failed();
    this.#isFailing = !delivered;
    if (!delivered) this.#pauseAfter(retryAfterMs);
    void recorder.add(result).then(() => {
      this.#busy.delete(messageId);
      this.#wake?.();
    });
  }

  #pauseAfter(retryAfterMs = 0): void {
    const pauseMs = Math.max(this.#pace.pauseMs(), Math.min(retryAfterMs, LONGEST_ASKED_PAUSE_MS));
    if (pauseMs === 0) return;
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#deps.now() + pauseMs);
    this.#dropQueue();
  }

  #untilSomethingHappens(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#mayHaveMore = true;
        this.#fill();
        done();
      }, LOOK_EVERY_MS);
      const done = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      this.#wake = done;
    });
  }
}
