import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import type { Jobs } from '../../jobs/queue.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { pause as sleep } from '../../lib/time.ts';
import type { SafeFetch, Targets } from '../../outside/outside.ts';
import { claimLanes, type LaneKey, pauseLane, renewLeases } from '../../store/webhooks/lanes.ts';
import { Pace } from './concurrency-control.ts';
import { lanesAtWork } from './delivery-meters.ts';
import { Recorder } from './delivery-recorder.ts';
import { createEndpointLog } from './endpoint-log.ts';
import { Lane, type LaneDeps } from './lane.ts';
import { settle } from './record-results.ts';
import type { SendSlots } from './send-slots.ts';

export interface DelivererDeps {
  db: Db;
  jobs: Jobs;
  keyring: Keyring;
  outside: { webhooks: SafeFetch; webhookTargets: Targets };
  webhookSlots: SendSlots;
  log: Logger;
}

export interface DelivererOptions {
  /** The clock by which deliveries are due; leases go by the real one. */
  now?: () => number;
  random?: () => number;
  lookEveryMs?: number;
}

export interface Deliverer {
  /** There may be something due. */
  wake(): void;
  /** When it last looked for lanes, in epoch milliseconds. */
  health(): { lastLookAt: number };
  /** Starts nothing more and lets what is under way end, for some seconds. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 250;
const FAULT_MS = 2_000;
/** A process that dies leaves its endpoints to others after so long. */
const LEASE_MS = 10_000;
const RENEWED_EVERY_MS = 3_000;
/** No lease is relied on in its last moments, should this process be slow. */
const LEASE_MARGIN_MS = 1_000;
const MOST_LANES = 2_000;
/** Bytes of messages that are loaded and wait to go out, of all lanes and of each. */
const MOST_HELD = 128_000_000;
const MOST_HELD_OF_LANE = 2_000_000;
/** A lane that broke off, over the database or over what it is to be sent with, is left alone for so long. */
const BROKEN_PAUSE_MS = 10_000;
const GRACE_MS = 3_000;
/** Paces of endpoints that are kept, the latest used. */
const MOST_PACES = 10_000;

const idOf = ({ apiKeyId, endpointId }: LaneKey): string => JSON.stringify([apiKeyId, endpointId]);

/** Delivers what is due to endpoints, each in a lane of its own, until stopped. */
export function startDeliverer(deps: DelivererDeps, options: DelivererOptions = {}): Deliverer {
  const { db, log } = deps;
  const { now = Date.now, random = Math.random, lookEveryMs = LOOK_EVERY_MS } = options;
  const holder = randomUUID();
  const aborting = new AbortController();
  const lanes = new Map<string, { lane: Lane; done: Promise<void>; validUntil: number }>();
  const paces = new Map<string, Pace>();
  let isStopping = false;
  let lastLookAt = Date.now();
  let wake = () => {};

  const tell = createEndpointLog(log, now);
  const recorder = new Recorder(
    (results) => settle({ ...deps, now, tell }, results),
    (error) => logFault(log, error, 'results of webhooks cannot be written'),
  );
  const shared: LaneDeps = {
    db,
    keyring: deps.keyring,
    fetch: deps.outside.webhooks,
    log,
    recorder,
    holder,
    now,
    random,
    slots: deps.webhookSlots,
    targets: deps.outside.webhookTargets,
    heldBytes: () => Math.min(MOST_HELD_OF_LANE, Math.floor(MOST_HELD / Math.max(1, lanes.size))),
    aborting: aborting.signal,
  };

  function paceOf(id: string): Pace {
    const pace = paces.get(id) ?? new Pace();
    paces.delete(id);
    paces.set(id, pace);
    if (paces.size > MOST_PACES) paces.delete(paces.keys().next().value!);
    return pace;
  }

  function open(key: LaneKey, validUntil: number): void {
    const id = idOf(key);
    const earlier = lanes.get(id);
    if (earlier) {
      // It gave back its lease a moment ago, and what came after that is for the next one.
      if (earlier.lane.isLeaving) void earlier.done.then(() => open(key, validUntil));
      return;
    }
    const lane = new Lane(key, shared, paceOf(id));
    const done = lane
      .run()
      .catch(async (error: unknown) => {
        logFault(log, error, 'delivery to a webhook endpoint breaks off', { ...key });
        await pauseLane(db, holder, key, now() + BROKEN_PAUSE_MS);
      })
      // Its lease runs out, since nobody prolongs it.
      .catch((error: unknown) => logFault(log, error, 'webhook endpoint cannot be left alone', { ...key }))
      .finally(() => {
        lanes.delete(id);
        lanesAtWork.set(lanes.size);
      });
    lanes.set(id, { lane, done, validUntil });
    lanesAtWork.set(lanes.size);
  }

  async function look(): Promise<void> {
    const validUntil = performance.now() + LEASE_MS - LEASE_MARGIN_MS;
    const real = Date.now();
    const limit = MOST_LANES - lanes.size;
    const claimed =
      limit > 0
        ? await claimLanes(db, holder, { dueBy: now(), now: real, until: real + LEASE_MS, limit })
        : [];
    for (const key of claimed) open(key, validUntil);
    lastLookAt = Date.now();
  }

  async function renew(): Promise<void> {
    const validUntil = performance.now() + LEASE_MS - LEASE_MARGIN_MS;
    const real = Date.now();
    const lease = { holder, now: real, until: real + LEASE_MS };
    const renewed = await renewLeases(
      db,
      lease,
      [...lanes.values()].map(({ lane }) => lane.key),
    );
    const held = new Set(renewed.map(idOf));
    for (const [id, entry] of lanes) {
      if (held.has(id)) entry.validUntil = validUntil;
      else if (entry.validUntil < validUntil - RENEWED_EVERY_MS / 2) entry.lane.end();
    }
  }

  /** Whoever could not renew in time may have been taken for dead: others deliver already. */
  function endOverdue(): void {
    for (const { lane, validUntil } of lanes.values()) if (performance.now() > validUntil) lane.end();
  }

  const loop = async (everyMs: number, work: () => Promise<void>, isWoken: boolean) => {
    while (!isStopping) {
      try {
        await work();
        await pause(everyMs, isWoken);
      } catch (error) {
        if (!isStopping) logFault(log, error, 'webhooks cannot be looked after');
        await pause(FAULT_MS, false);
      }
    }
  };
  const pauses = new Set<() => void>();
  const pause = (ms: number, isWoken: boolean) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        pauses.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      pauses.add(done);
      if (isWoken) wake = done;
    });
  const overdue = setInterval(endOverdue, LEASE_MARGIN_MS / 2);
  const running = [loop(lookEveryMs, look, true), loop(RENEWED_EVERY_MS, renew, false)];

  return {
    wake() {
      for (const { lane } of lanes.values()) lane.look();
      wake();
    },
    health: () => ({ lastLookAt }),
    async stop() {
      isStopping = true;
      clearInterval(overdue);
      for (const done of [...pauses]) done();
      await Promise.all(running);
      const open = [...lanes.values()];
      for (const { lane } of open) lane.end();
      const ended = Promise.all(open.map(({ done }) => done));
      const grace = new AbortController();
      await Promise.race([ended, sleep(GRACE_MS, grace.signal)]);
      aborting.abort(new Error('The process is stopping.'));
      await Promise.race([ended, sleep(GRACE_MS / 3, grace.signal)]);
      grace.abort();
      await recorder.close();
    },
  };
}
