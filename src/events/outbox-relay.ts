import { type RawBuilder, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { preparedVariants } from '../db/prepared.ts';
import { errorOf } from '../db/savepoint.ts';
import { condition, rowsOf } from '../db/sql-fragments.ts';
import type { Db, Tables, Tx } from '../db/tables.ts';
import type { Fields } from '../lib/json.ts';
import { createPace } from '../lib/threads/pace.ts';
import { pause } from '../lib/time.ts';
import { beginOperation } from '../lib/tracing/tracing.ts';
import { onEmit } from './emitted.ts';
import type { Event } from './event-catalog.ts';
import { isStatementTimeout, recordFailures, retryFailed } from './failed-events.ts';
import { eventOf } from './stored-event.ts';
import type { Subscriber } from './subscriber.ts';

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
/**
 * After this many events, a pause lasts a multiple of the time that they took, up to a limit. A batch costs much the same
 * whatever its size, so a relay beside a steady stream of events gathers them instead of taking a few at a time.
 */
const STREAM_FROM = 16;
const PAUSE_FACTOR = 3;
const MAX_GATHER_MS = 80;
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
  /** Called once the rows that subscribers wrote are committed, with the names of those that got events. */
  onRelayed?(subscribers: ReadonlySet<string>): void;
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
  let gatherMs = MIN_PAUSE_MS;
  const wake = () => pace.wake(gatherMs);
  const ignoreEmits = onEmit(wake);

  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        const startedAt = performance.now();
        const { relayed, isMore, reached } = await relayAll(db, subscribers, onError);
        lastPollAt = Date.now();
        const streamMs = relayed >= STREAM_FROM ? PAUSE_FACTOR * (performance.now() - startedAt) : 0;
        gatherMs = Math.min(MAX_GATHER_MS, Math.max(MIN_PAUSE_MS, streamMs));
        if (relayed > 0) {
          onRelayed?.(reached);
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
  const running = beginOperation('event relay').run(run);
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

/** The lanes that have waiting events; `hasDue` is true if failed events are due. */
const workRow = z.object({ lanes: z.array(z.number()), hasDue: z.boolean() });

/** For every lane, the limit makes the planner read the beginning of its part of the index. */
const firstOfLanes = sql`generate_series(0, 7) as lane
  cross join lateral (select created_at from events
    where relayed_at is null and ${LANE} = lane order by seq limit 1) as first`;

const sendLook = preparedVariants();

async function lookForWork(db: Db): Promise<z.output<typeof workRow>> {
  const [row] = await sendLook(
    db,
    sql`select to_jsonb(array(select lane from ${firstOfLanes})) as lanes,
      exists (select 1 from event_faults where next_at <= ${Date.now()}) as has_due`,
  );
  return workRow.parse(row);
}

interface Relayed {
  relayed: number;
  /** True if a lane may have further events. */
  isMore: boolean;
  /** Names of the subscribers that got events. */
  reached: Set<string>;
}

const nothing = (): Relayed => ({ relayed: 0, isMore: false, reached: new Set() });

/** Relays a batch of each lane, and the failed events that are due. */
async function relayAll(
  db: Db,
  subscribers: Subscriber[],
  onError: RelayOptions['onError'],
): Promise<Relayed> {
  const { lanes, hasDue } = await lookForWork(db);
  const relayed = await relayLanes(db, subscribers, lanes, onError);
  if (hasDue) await retryFailed(db, subscribers, onError);
  return relayed;
}

/** Relays the oldest waiting events of each of the lanes. */
async function relayLanes(
  db: Db,
  subscribers: Subscriber[],
  lanes: number[],
  onError: RelayOptions['onError'],
): Promise<Relayed> {
  const all = nothing();
  const relayNext = async () => {
    for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift()) {
      const { relayed, isMore, reached } = await relayLane(db, subscribers, lane, onError);
      all.relayed += relayed;
      all.isMore ||= isMore;
      for (const name of reached) all.reached.add(name);
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
): Promise<number> => {
  const { lanes } = await lookForWork(db);
  return (await relayLanes(db, subscribers, lanes, onError)).relayed;
};

const ownerRow = z.object({ isMine: z.boolean() });
const sendLock = preparedVariants();

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
    const [lock] = await sendLock(
      tx,
      sql`select pg_try_advisory_xact_lock_shared(${RELAY_LOCK})
        and pg_try_advisory_xact_lock(${RELAY_LOCK}, ${lane}) as is_mine`,
    );
    if (!ownerRow.parse(lock).isMine) return nothing();
    const { taken, isMore } = await takeBatch(tx, subscribers, lane);
    const shares = subscribers.flatMap((subscriber, index) => {
      const events = taken.flatMap(({ wantedBy, payload, ...row }) =>
        payload && wantedBy[index] ? [eventOf({ ...row, payload })] : [],
      );
      return events.length > 0 ? [{ subscriber, events }] : [];
    });
    await deliverAll(tx, shares, onError);
    const reached = new Set(shares.map(({ subscriber }) => subscriber.name));
    return { relayed: taken.length, isMore, reached };
  });

/** True for an event that a subscriber is to get. */
const isWantedBy = ({ events, flags = [], where }: Subscriber): RawBuilder<boolean> => {
  if (events.length === 0) return sql`false`;
  const isAllowed = condition`coalesce(${sql.join([
    ...flags.map((flag) => sql`payload -> ${sql.lit(flag)}`),
    sql`'true'::jsonb`,
  ])}) <> 'false'::jsonb`;
  return sql.join(
    [
      sql`name in (${sql.join(events.map((name) => sql.lit(name)))})`,
      ...(flags.length > 0 ? [isAllowed] : []),
      ...(where ? [where] : []),
    ],
    sql` and `,
  ) as RawBuilder<boolean>;
};

/** The payload as far as subscribers read it, for a row with `wanted_by`; null if none wants the event. */
function payloadFor(subscribers: Subscriber[]): RawBuilder<Fields | null> {
  const wanted = (kind: (one: Subscriber) => boolean) =>
    sql.join(
      [
        sql`false`,
        ...subscribers.flatMap((one, index) => (kind(one) ? [sql`wanted_by[${sql.lit(index + 1)}]`] : [])),
      ],
      sql` or `,
    );
  const fields = new Set(subscribers.flatMap((one) => one.fields ?? []));
  const some = [...fields].flatMap((field) => [sql.lit(field), sql`payload -> ${sql.lit(field)}`]);
  return sql`case when ${wanted((one) => !one.fields)} then payload
    when ${wanted((one) => one.fields !== undefined)}
    then jsonb_strip_nulls(jsonb_build_object(${sql.join(some)})) end`;
}

interface TakenRow extends Omit<Selectable<Tables['events']>, 'payload'> {
  /** Null if no subscriber wants the event. */
  payload: Fields | null;
  /** True at the place of each subscriber that is to get it. */
  wantedBy: boolean[];
  /** Number of events that were waiting, up to the size of a batch. */
  found: number;
}

const sendTake = preparedVariants();

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
  const wantedBy = sql.join(subscribers.map((one) => sql`(${isWantedBy(one)})`));
  const rows = await sendTake(
    tx,
    sql<TakenRow>`
    with waiting as materialized (
      select ctid as place, seq, pg_column_size(payload) as size from events
      where relayed_at is null and ${LANE} = ${lane} order by seq limit ${sql.lit(BATCH)} for update skip locked),
    sized as materialized (
      select place, sum(size) over (order by seq) - size as before from waiting),
    marked as (
      update events set relayed_at = cast(${Date.now()} as bigint)
      where ctid = any(array(select place from sized where before < ${sql.lit(BATCH_BYTES)}))
      returning api_key_id, workspace_id, event_id, seq, name, created_at, relayed_at, payload,
        cast(array[${wantedBy}] as boolean[]) as wanted_by)
    select api_key_id, workspace_id, event_id, seq, name, created_at, relayed_at, to_jsonb(wanted_by) as wanted_by,
      ${payloadFor(subscribers)} as payload, (select count(*) from waiting) as found
    from marked order by seq`,
  );
  const found = rows[0]?.found ?? 0;
  return { taken: rows, isMore: found === BATCH || rows.length < found };
}

const raise = (error: unknown) => {
  throw error;
};

interface Share {
  subscriber: Subscriber;
  events: Event[];
}

/**
 * Hands the events of a batch to their subscribers. Only if one fails, they get them again in a savepoint each, since
 * that takes as many statements as all the rest.
 */
async function deliverAll(tx: Tx, shares: Share[], onError: RelayOptions['onError']): Promise<void> {
  if (shares.length === 0) return;
  const error = await errorOf(tx, async () => {
    const ofTurn = (turn: Subscriber['turn']) => shares.filter(({ subscriber }) => subscriber.turn === turn);
    const beside = ofTurn('beside').map((share) => handOn(tx, [share]));
    // All have ended before the savepoint is left.
    const outcomes = await Promise.allSettled([handOn(tx, ofTurn(undefined)), ...beside]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    await handOn(tx, ofTurn('last'));
  });
  if (error) for (const share of shares) await deliver(tx, share, onError);
}

async function handOn(tx: Tx, shares: Share[]): Promise<void> {
  for (const { subscriber, events } of shares) await subscriber.handle(tx, events);
}

/**
 * Hands events to a subscriber. If it fails, it gets them one by one, and those that it fails on are recorded for
 * retries, so that neither other events nor other subscribers wait for them.
 */
async function deliver(
  tx: Tx,
  { subscriber, events }: Share,
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

const waitingRow = z.object({ createdAt: z.number() });

/** Age in milliseconds of the oldest event that is not relayed yet; 0 if none waits. */
export async function oldestWaitingMs(db: Db): Promise<number> {
  const waiting = await rowsOf(db, waitingRow, sql`select first.created_at from ${firstOfLanes}`);
  if (waiting.length === 0) return 0;
  return Math.max(0, Date.now() - Math.min(...waiting.map(({ createdAt }) => createdAt)));
}
