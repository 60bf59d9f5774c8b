import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { condition, rowOf, rowsOf } from '../db/sql-fragments.ts';
import type { Db, Tables, Tx } from '../db/tables.ts';
import type { Fields } from '../lib/json.ts';
import { createPace } from '../lib/threads/pace.ts';
import { pause } from '../lib/time.ts';
import { onEmit } from './emitted.ts';
import type { Event } from './event-catalog.ts';
import { isStatementTimeout, recordFailures, retryFailed } from './failed-events.ts';
import { eventOf } from './stored-event.ts';
import { type Subscriber, wantsEvent } from './subscriber.ts';

const BATCH = 500;
/** Bytes of stored payloads per batch; a larger event comes alone. */
const BATCH_BYTES = 2_000_000;
/** Lanes that one process relays at once, so that it composes for one while the database writes for another. */
const LANES_AT_ONCE = 2;
const IDLE_MS = 200;
/** Longest pause: a wait for events of a process that does not announce them, and for retries that become due. */
const LONG_IDLE_MS = 1_900;
/** Shortest pause, even after a wake-up, so that a busy outbox is read in batches. */
const MIN_PAUSE_MS = 20;
const FAULT_MS = 2_000;
/** Advisory locks, one for each lane: with two relays of a lane, events would lose their order. */
const RELAY_LOCK = 7_273_101;
/**
 * The outbox has eight lanes, so that a burst of one API key does not delay all others, and several processes share
 * the work. An API key belongs to one lane, which keeps its events in order. The index `events_to_relay` begins with
 * this expression.
 */
const LANE = sql`(ascii(right(api_key_id, 1)) % 8)`;

export interface Relay {
  /** End of the last complete poll of the outbox, in epoch milliseconds. */
  health(): { lastPollAt: number };
  /** Ends the pause between two looks, since there may be events. */
  wake(): void;
  stop(): Promise<void>;
}

interface RelayOptions {
  /** Gets failures of the relay, and of a subscriber with the event that it failed on. */
  onError(error: unknown, context?: object): void;
  /** Called once the rows that subscribers wrote are committed. */
  onRelayed?(): void;
  /** Shortest and longest pause between two looks at an empty outbox. */
  idleMs?: number;
  longIdleMs?: number;
}

/**
 * Hands committed events of the outbox to their subscribers until stopped, those of an API key in order. Processes that
 * relay at once share the lanes.
 */
export function startRelay(
  db: Db,
  subscribers: Subscriber[],
  { onError, onRelayed, idleMs = IDLE_MS, longIdleMs = Math.max(idleMs, LONG_IDLE_MS) }: RelayOptions,
): Relay {
  const stopping = new AbortController();
  let lastPollAt = Date.now();
  const pace = createPace({ minMs: idleMs, maxMs: longIdleMs });
  const wake = () => pace.wake(MIN_PAUSE_MS);
  const ignoreEmits = onEmit(wake);
  let isIdle = false;

  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        const { relayed, isMore } =
          isIdle && !(await hasWork(db)) ? NOTHING : await relayAll(db, subscribers, onError);
        lastPollAt = Date.now();
        isIdle = relayed === 0;
        if (relayed > 0) {
          onRelayed?.();
          pace.found();
        }
        if (!isMore) await pace.pause(stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return;
        onError(error);
        await pause(FAULT_MS, stopping.signal);
      }
    }
  };
  const running = run();
  return {
    health: () => ({ lastPollAt }),
    wake,
    async stop() {
      ignoreEmits();
      stopping.abort();
      await running;
    },
  };
}

const workRow = z.object({ hasWork: z.boolean() });

/** True if events wait or a failed one is due. One statement is enough to look at an empty outbox. */
async function hasWork(db: Db): Promise<boolean> {
  const row = await rowOf(
    db,
    workRow,
    sql`select exists (select 1 from events where relayed_at is null)
      or exists (select 1 from event_faults where next_at <= ${Date.now()}) as has_work`,
  );
  return row.hasWork;
}

const waitingRow = z.object({ lane: z.number(), createdAt: z.number() });

/** The lanes that have waiting events, with the time of the first event of each. */
const waitingLanes = (db: Db) =>
  rowsOf(
    db,
    waitingRow,
    // For every lane, the limit makes the planner read the beginning of its part of the index.
    sql`select lane, first.created_at from generate_series(0, 7) as lane
      cross join lateral (select created_at from events
        where relayed_at is null and ${LANE} = lane order by seq limit 1) as first`,
  );

interface Relayed {
  relayed: number;
  /** True if a lane may have further events. */
  isMore: boolean;
}

const NOTHING: Relayed = { relayed: 0, isMore: false };

/** Relays a batch of each lane, and the failed events that are due. */
async function relayAll(
  db: Db,
  subscribers: Subscriber[],
  onError: RelayOptions['onError'],
): Promise<Relayed> {
  const relayed = await relayLanes(db, subscribers, onError);
  await retryFailed(db, subscribers, onError);
  return relayed;
}

/** Relays the oldest waiting events of each lane. */
async function relayLanes(
  db: Db,
  subscribers: Subscriber[],
  onError: RelayOptions['onError'],
): Promise<Relayed> {
  const waiting = await waitingLanes(db);
  const all: Relayed = { relayed: 0, isMore: false };
  const relayNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { relayed, isMore } = await relayLane(db, subscribers, next.lane, onError);
      all.relayed += relayed;
      all.isMore ||= isMore;
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: LANES_AT_ONCE }, relayNext));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return all;
}

/** Relays the oldest waiting events of each lane once; returns their number. */
export const relayBatch = async (
  db: Db,
  subscribers: Subscriber[],
  onError: RelayOptions['onError'] = raise,
): Promise<number> => (await relayLanes(db, subscribers, onError)).relayed;

const ownerRow = z.object({ isMine: z.boolean() });

/**
 * Relays the oldest waiting events of a lane in one transaction, unless another process does so. The lock that all
 * lanes share keeps out processes of earlier versions, which relay under that lock alone.
 */
const relayLane = (
  db: Db,
  subscribers: Subscriber[],
  lane: number,
  onError: RelayOptions['onError'],
): Promise<Relayed> =>
  db.transaction().execute(async (tx) => {
    const lock = await rowOf(
      tx,
      ownerRow,
      sql`select pg_try_advisory_xact_lock_shared(${RELAY_LOCK})
        and pg_try_advisory_xact_lock(${RELAY_LOCK}, ${lane}) as is_mine`,
    );
    if (!lock.isMine) return { relayed: 0, isMore: false };
    const { taken, isMore } = await takeBatch(tx, subscribers, lane);
    const events = taken.flatMap(({ payload, ...row }) => (payload ? [eventOf({ ...row, payload })] : []));
    for (const subscriber of subscribers) {
      const mine = events.filter((event) => wantsEvent(subscriber, event));
      if (mine.length > 0) await deliver(tx, subscriber, mine, onError);
    }
    return { relayed: taken.length, isMore };
  });

/** The same as `wantsEvent`, in SQL. */
const wantedInSql = ({ events, flags = [] }: Subscriber) =>
  flags.length === 0
    ? condition`name in (${sql.join(events)})`
    : condition`(name in (${sql.join(events)}) and coalesce(${sql.join(
        flags.map((flag) => sql`payload -> ${flag}`),
      )}) is distinct from 'false'::jsonb)`;

interface TakenRow extends Omit<Selectable<Tables['events']>, 'payload'> {
  /** Null if no subscriber wants the event. */
  payload: Fields | null;
  /** Number of events that were waiting, up to the size of a batch. */
  found: number;
}

/**
 * Marks the oldest waiting events of a lane as relayed and returns them in order. The payload of an event that no
 * subscriber wants is not read. Rows are updated by their place in the table, so that no statistics can mislead the
 * planner: an outbox is empty at one moment and has a million rows at the next.
 */
async function takeBatch(
  tx: Tx,
  subscribers: Subscriber[],
  lane: number,
): Promise<{ taken: TakenRow[]; isMore: boolean }> {
  const isWanted = sql.join([sql`false`, ...subscribers.map(wantedInSql)], sql` or `);
  const { rows } = await sql<TakenRow>`
    with waiting as materialized (
      select ctid as place, seq, pg_column_size(payload) as size from events
      where relayed_at is null and ${LANE} = ${lane} order by seq limit ${BATCH} for update skip locked),
    sized as materialized (
      select place, sum(size) over (order by seq) - size as before from waiting)
    update events set relayed_at = cast(${Date.now()} as bigint)
    where ctid = any(array(select place from sized where before < ${BATCH_BYTES}))
    returning api_key_id, workspace_id, event_id, seq, name, created_at, relayed_at,
      case when ${isWanted} then payload end as payload, (select count(*) from waiting) as found`.execute(tx);
  const found = rows[0]?.found ?? 0;
  return { taken: rows.sort((a, b) => a.seq - b.seq), isMore: found === BATCH || rows.length < found };
}

const raise = (error: unknown) => {
  throw error;
};

/**
 * Hands events to a subscriber. If it fails, it gets them one by one, and those that it fails on are recorded for
 * retries, so that neither other events nor other subscribers wait for them.
 */
async function deliver(
  tx: Tx,
  subscriber: Subscriber,
  events: Event[],
  onError: RelayOptions['onError'],
): Promise<void> {
  if (!(await errorOf(tx, () => subscriber.handle(tx, events)))) return;
  for (const [index, event] of events.entries()) {
    const error = await errorOf(tx, () => subscriber.handle(tx, [event]));
    if (!error) continue;
    onError(error, { subscriber: subscriber.name, eventId: event.id, event: event.name });
    // The events behind it may well time out, too, each after as long as a statement may take.
    const failed = isStatementTimeout(error) ? events.slice(index) : [event];
    await recordFailures(tx, subscriber.name, failed, error);
    if (isStatementTimeout(error)) return;
  }
}

/** Runs work in a savepoint and returns its error, after which nothing that it wrote is left. */
async function errorOf(tx: Tx, work: () => Promise<void>): Promise<unknown> {
  await sql`savepoint subscriber`.execute(tx);
  try {
    await work();
    await sql`release savepoint subscriber`.execute(tx);
    return undefined;
  } catch (error) {
    // On a broken connection this throws, and the whole batch is relayed again.
    await sql`rollback to savepoint subscriber`.execute(tx);
    return error;
  }
}

/** Age in milliseconds of the oldest event that is not relayed yet; 0 if none waits. */
export async function oldestWaitingMs(db: Db): Promise<number> {
  const waiting = await waitingLanes(db);
  if (waiting.length === 0) return 0;
  return Math.max(0, Date.now() - Math.min(...waiting.map(({ createdAt }) => createdAt)));
}
