import { sql } from 'kysely';
import { z } from 'zod';
import { condition, rowOf } from '../db/sql-fragments.ts';
import type { Db, Tx } from '../db/tables.ts';
import { createPace } from '../lib/threads/pace.ts';
import { pause } from '../lib/time.ts';
import { onEmit } from './emitted.ts';
import type { Event, EventName } from './event-catalog.ts';
import { isStatementTimeout, recordFailures, retryFailed } from './failed-events.ts';
import { eventOf } from './stored-event.ts';
import { type Subscriber, wantsEvent } from './subscriber.ts';

const BATCH = 250;
const UNWANTED_BATCH = 1_000;
const IDLE_MS = 200;
/** Longest pause: a wait for events of a process that does not announce them, and for retries that become due. */
const LONG_IDLE_MS = 1_900;
/** Shortest pause, even after a wake-up, so that a busy outbox is read in batches. */
const MIN_PAUSE_MS = 20;
const FAULT_MS = 2_000;
/** The advisory lock that lets one node relay at a time; with two, events would lose their order. */
const RELAY_LOCK = 7_273_101;

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

/** Hands committed events of the outbox to their subscribers, in order, until stopped; one node at a time does so. */
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
        const { skipped, relayed } =
          isIdle && !(await hasWork(db))
            ? { skipped: 0, relayed: 0 }
            : await relayAll(db, subscribers, onError);
        lastPollAt = Date.now();
        isIdle = relayed + skipped === 0;
        if (relayed > 0) onRelayed?.();
        if (!isIdle) pace.found();
        if (relayed < BATCH && skipped < UNWANTED_BATCH) await pace.pause(stopping.signal);
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

/** Handles what waits, up to a batch of each kind. */
async function relayAll(
  db: Db,
  subscribers: Subscriber[],
  onError: RelayOptions['onError'],
): Promise<{ skipped: number; relayed: number }> {
  const skipped = await skipUnwanted(db, subscribers);
  const relayed = await relayBatch(db, subscribers, onError);
  await retryFailed(db, subscribers, onError);
  return { skipped, relayed };
}

const wantedBy = (subscribers: Subscriber[]): EventName[] => [
  ...new Set(subscribers.flatMap(({ events }) => events)),
];

/** The same as `wantsEvent`, in SQL. */
const wantedInSql = ({ events, flags = [] }: Subscriber) =>
  flags.length === 0
    ? condition`name in (${sql.join(events)})`
    : condition`(name in (${sql.join(events)}) and coalesce(${sql.join(
        flags.map((flag) => sql`payload -> ${flag}`),
      )}) is distinct from 'false'::jsonb)`;

/** Marks events that no subscriber wants as relayed, many in one statement; returns their number. */
export async function skipUnwanted(db: Db, subscribers: Subscriber[]): Promise<number> {
  const { numUpdatedRows } = await db
    // As a subquery it would be run again for every waiting event.
    .with(
      (cte) => cte('waiting').materialized(),
      (query) => {
        const waiting = query
          .selectFrom('events')
          .select(['apiKeyId', 'eventId'])
          .where('relayedAt', 'is', null)
          .orderBy('seq')
          .limit(UNWANTED_BATCH)
          .forUpdate()
          .skipLocked();
        return subscribers.length === 0
          ? waiting
          : waiting.where(condition`not (${sql.join(subscribers.map(wantedInSql), sql` or `)})`);
      },
    )
    .updateTable('events')
    .from('waiting')
    .set({ relayedAt: Date.now() })
    .whereRef('events.apiKeyId', '=', 'waiting.apiKeyId')
    .whereRef('events.eventId', '=', 'waiting.eventId')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

const ownerRow = z.object({ isMine: z.boolean() });

/** Relays the oldest waiting events in one transaction; returns their number. */
export const relayBatch = (
  db: Db,
  subscribers: Subscriber[],
  onError: RelayOptions['onError'] = raise,
): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const wanted = wantedBy(subscribers);
    if (wanted.length === 0) return 0;
    const lock = await rowOf(tx, ownerRow, sql`select pg_try_advisory_xact_lock(${RELAY_LOCK}) as is_mine`);
    if (!lock.isMine) return 0;
    const rows = await tx
      .selectFrom('events')
      .selectAll()
      .where('relayedAt', 'is', null)
      .where('name', 'in', wanted)
      .orderBy('seq')
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute();
    if (rows.length === 0) return 0;
    const events = rows.map(eventOf);
    for (const subscriber of subscribers) {
      const mine = events.filter((event) => wantsEvent(subscriber, event));
      if (mine.length > 0) await deliver(tx, subscriber, mine, onError);
    }
    await tx
      .updateTable('events')
      .set({ relayedAt: Date.now() })
      // The index contains waiting events only; without this condition the whole outbox would be read.
      .where('relayedAt', 'is', null)
      .where(
        'seq',
        'in',
        rows.map((row) => row.seq),
      )
      .execute();
    return rows.length;
  });

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
  const { oldest } = await db
    .selectFrom('events')
    .select((eb) => eb.fn.min('createdAt').as('oldest'))
    .where('relayedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return oldest === null ? 0 : Math.max(0, Date.now() - oldest);
}
