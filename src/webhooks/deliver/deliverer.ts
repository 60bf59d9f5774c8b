import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import type { Jobs } from '../../jobs/queue.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { createPace, type Pace } from '../../lib/threads/pace.ts';
import { pause } from '../../lib/time.ts';
import { beginOperation } from '../../lib/tracing/tracing.ts';
import type { SafeFetch, Targets } from '../../outside/net/outbound-fetch.ts';
import { claimLanes, type LaneKey, pauseLane, renewLeases } from '../../store/webhooks/lanes.ts';
import { ConcurrencyControl } from './concurrency-control.ts';
import { Lane, type LaneDeps } from './delivery-lane.ts';
import { activeEndpoints } from './delivery-metrics.ts';
import { createEndpointLog } from './endpoint-log.ts';
import { ResultRecorder, recordResults } from './record-results.ts';
import type { SendSlots } from './send-slots.ts';

/*
 * The pipeline of a delivery: `compose/fan-out.ts` writes messages and deliveries → the deliverer leases lanes (one
 * per endpoint) with due deliveries → `delivery-lane.ts` loads due deliveries (`store/webhooks/due-deliveries.ts`),
 * groups them (`ordered-batches.ts`) and takes a slot (`send-slots.ts`) → `build-request.ts` formats and signs →
 * `send-webhook.ts` posts → `record-results.ts` writes the outcome, with the next attempt by `retry-schedule.ts`.
 */

export interface DelivererDeps {
  db: Db;
  jobs: Jobs;
  keyring: Keyring;
  outside: { webhooks: SafeFetch; webhookTargets: Targets };
  webhookSlots: SendSlots;
  log: Logger;
}

export interface DelivererOptions {
  /** The clock by which deliveries are due; leases use the real clock. */
  now?: () => number;
  random?: () => number;
  pollEveryMs?: number;
}

export interface Deliverer {
  /** Polls at once, because something may be due. */
  wake(): void;
  /** Polls as often as a busy process, because something may become due soon. */
  quicken(): void;
  /** When it last polled for due lanes, in epoch milliseconds. */
  health(): { lastPollAt: number };
  /** Starts no more deliveries and waits some seconds for those in flight. */
  stop(): Promise<void>;
}

const POLL_EVERY_MS = 250;
/** Pause of an idle process between two polls for retries that became due, and for deliveries of other processes. */
const IDLE_POLL_EVERY_MS = 2_100;
const FAULT_MS = 2_000;
/** Other processes take over the lanes of a dead process after this long. */
const LEASE_MS = 10_000;
const RENEWED_EVERY_MS = 3_000;
/** A lease counts as expired this long before its end, in case this process is slow. */
const LEASE_MARGIN_MS = 1_000;
const MAX_LANES = 2_000;
/** Bytes of loaded messages that wait to be sent: over all lanes, and in one lane. */
const MAX_QUEUED_BYTES = 128_000_000;
const MAX_QUEUED_BYTES_OF_LANE = 2_000_000;
/** Pause of a lane after an unexpected error. */
const BROKEN_PAUSE_MS = 10_000;
const GRACE_MS = 3_000;
/** Endpoints whose concurrency control is remembered, the most recently used. */
const MAX_CONTROLS = 10_000;

/** Delivers webhooks until stopped: leases lanes that are due and runs them. */
export function startDeliverer(deps: DelivererDeps, options: DelivererOptions = {}): Deliverer {
  const { log } = deps;
  const { now = Date.now, random = Math.random, pollEveryMs = POLL_EVERY_MS } = options;
  const aborting = new AbortController();
  const logNews = createEndpointLog(log, now);
  const recorder = new ResultRecorder(
    (results) => recordResults({ ...deps, now, logNews }, results),
    (error) => logFault(log, error, 'results of webhooks cannot be written'),
  );
  const lanes = new LeasedLanes({
    db: deps.db,
    keyring: deps.keyring,
    fetch: deps.outside.webhooks,
    log,
    recorder,
    holder: randomUUID(),
    now,
    random,
    slots: deps.webhookSlots,
    targets: deps.outside.webhookTargets,
    aborting: aborting.signal,
  });
  let lastPollAt = Date.now();
  const pace = createPace({ minMs: pollEveryMs, maxMs: Math.max(pollEveryMs, IDLE_POLL_EVERY_MS) });
  const claiming = repeat(
    async () => {
      if ((await lanes.claim()) > 0) pace.found();
      lastPollAt = Date.now();
    },
    pace,
    (error) => logFault(log, error, 'due webhook endpoints cannot be claimed'),
  );
  const renewing = repeat(
    () => lanes.renew(),
    createPace({ minMs: RENEWED_EVERY_MS, maxMs: RENEWED_EVERY_MS }),
    (error) => logFault(log, error, 'leases of webhook endpoints cannot be renewed'),
  );
  const expiring = setInterval(() => lanes.endExpired(), LEASE_MARGIN_MS / 2);

  return {
    wake() {
      lanes.notifyAll();
      pace.wake();
    },
    quicken: () => pace.wake(pollEveryMs),
    health: () => ({ lastPollAt }),
    async stop() {
      clearInterval(expiring);
      await Promise.all([claiming.stop(), renewing.stop()]);
      const ended = lanes.endAll();
      const grace = new AbortController();
      await Promise.race([ended, pause(GRACE_MS, grace.signal)]);
      aborting.abort(new Error('The process is stopping.'));
      await Promise.race([ended, pause(GRACE_MS / 3, grace.signal)]);
      grace.abort();
      await recorder.close();
    },
  };
}

interface LeasedLane {
  lane: Lane;
  done: Promise<void>;
  /** End of its lease, by the monotonic clock. */
  validUntil: number;
}

const idOf = ({ apiKeyId, endpointId }: LaneKey): string => JSON.stringify([apiKeyId, endpointId]);

/** The lanes that this process has leased. */
class LeasedLanes {
  readonly #deps: LaneDeps;
  readonly #lanes = new Map<string, LeasedLane>();
  readonly #controls = new Map<string, ConcurrencyControl>();

  constructor(deps: Omit<LaneDeps, 'maxQueuedBytes'>) {
    this.#deps = {
      ...deps,
      maxQueuedBytes: () =>
        Math.min(MAX_QUEUED_BYTES_OF_LANE, Math.floor(MAX_QUEUED_BYTES / Math.max(1, this.#lanes.size))),
    };
  }

  /** Leases lanes with due deliveries and starts them. Returns their number. */
  async claim(): Promise<number> {
    const limit = MAX_LANES - this.#lanes.size;
    if (limit <= 0) return 0;
    const { db, holder, now } = this.#deps;
    const validUntil = performance.now() + LEASE_MS - LEASE_MARGIN_MS;
    const real = Date.now();
    const lease = { dueBy: now(), now: real, until: real + LEASE_MS, limit };
    const claimed = await claimLanes(db, holder, lease);
    for (const key of claimed) this.#start(key, validUntil);
    return claimed.length;
  }

  /** Renews all leases, the heartbeat of this process, and ends lanes whose lease was lost. */
  async renew(): Promise<void> {
    const { db, holder } = this.#deps;
    const validUntil = performance.now() + LEASE_MS - LEASE_MARGIN_MS;
    const real = Date.now();
    const lease = { holder, now: real, until: real + LEASE_MS };
    const keys = [...this.#lanes.values()].map(({ lane }) => lane.key);
    if (keys.length === 0) return;
    const renewed = new Set((await renewLeases(db, lease, keys)).map(idOf));
    for (const [id, leased] of this.#lanes) {
      if (renewed.has(id)) leased.validUntil = validUntil;
      // A lane that was claimed while this ran is not among the renewed ones.
      else if (leased.validUntil < validUntil - RENEWED_EVERY_MS / 2) leased.lane.end();
    }
  }

  /** Ends lanes whose lease could not be renewed in time: another process may deliver them by now. */
  endExpired(): void {
    const now = performance.now();
    for (const { lane, validUntil } of this.#lanes.values()) if (now > validUntil) lane.end();
  }

  notifyAll(): void {
    for (const { lane } of this.#lanes.values()) lane.notify();
  }

  /** Ends all lanes; resolves when the deliveries in flight have ended. */
  async endAll(): Promise<void> {
    const leased = [...this.#lanes.values()];
    for (const { lane } of leased) lane.end();
    await Promise.all(leased.map(({ done }) => done));
  }

  #start(key: LaneKey, validUntil: number): void {
    const { db, holder, log, now } = this.#deps;
    const id = idOf(key);
    const earlier = this.#lanes.get(id);
    if (earlier) {
      // It released its lease a moment ago, so deliveries that came later need another run.
      if (earlier.lane.isLeaving) void earlier.done.then(() => this.#start(key, validUntil));
      return;
    }
    const lane = new Lane(key, this.#deps, this.#controlOf(id));
    const done = lane
      .run()
      .catch(async (error: unknown) => {
        logFault(log, error, 'delivery to a webhook endpoint was interrupted', { ...key });
        await pauseLane(db, holder, key, now() + BROKEN_PAUSE_MS);
      })
      // The lease runs out, because it is not renewed any more.
      .catch((error: unknown) => logFault(log, error, 'webhook endpoint cannot be paused', { ...key }))
      .finally(() => {
        this.#lanes.delete(id);
        activeEndpoints.set(this.#lanes.size);
      });
    this.#lanes.set(id, { lane, done, validUntil });
    activeEndpoints.set(this.#lanes.size);
  }

  #controlOf(id: string): ConcurrencyControl {
    const control = this.#controls.get(id) ?? new ConcurrencyControl();
    this.#controls.delete(id);
    this.#controls.set(id, control);
    if (this.#controls.size > MAX_CONTROLS) this.#controls.delete(this.#controls.keys().next().value!);
    return control;
  }
}

interface Repetition {
  /** Resolves when the present run has ended. */
  stop(): Promise<void>;
}

/** Runs work again and again at a pace, until stopped. */
function repeat(work: () => Promise<void>, pace: Pace, onError: (error: unknown) => void): Repetition {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        await work();
        await pace.pause(stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return;
        onError(error);
        await pause(FAULT_MS, stopping.signal);
      }
    }
  };
  const running = beginOperation('webhook delivery').run(run);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
