import { sql } from 'kysely';
import type { Db, Tx } from '../db/tables.ts';
import type { Event, EventName } from './event-catalog.ts';
import { isSlow, park, retryParked } from './failed-events.ts';
import { eventOf } from './stored-event.ts';
import { hears, type Subscriber } from './subscriber.ts';

const BATCH = 250;
const BATCH_OF_UNHEARD = 1_000;
const IDLE_MS = 200;
/** How long it rests at least when it is woken, so that it takes many events at a time where there are many. */
const WOKEN_MS = 20;
const FAULT_MS = 2_000;
/** Names the lock under which events are handed on: one node at a time, or their order would be lost. */
const RELAY_LOCK = 7_273_101;

export interface Relay {
  /** When it last got through a look at the outbox, in epoch milliseconds. */
  health(): { lastLookAt: number };
  /** Tells that there may be events, which it would otherwise find a little later. */
  wake(): void;
  stop(): Promise<void>;
}

interface RelayOptions {
  /** Gets failures of the relay, and of a subscriber with the event that it could not take. */
  onError(error: unknown, context?: object): void;
  /** Called once the rows that subscribers wrote are committed. */
  onRelayed?(): void;
  /** How long it rests where nothing waits and nobody wakes it. */
  idleMs?: number;
}

/** Hands committed events to their subscribers, in order, until stopped. On several nodes, one does so at a time. */
export function startRelay(
  db: Db,
  subscribers: Subscriber[],
  { onError, onRelayed, idleMs = IDLE_MS }: RelayOptions,
): Relay {
  const stopping = new AbortController();
  let lastLookAt = Date.now();
  let woken = new AbortController();

  const run = async () => {
    while (!stopping.signal.aborted) {
      woken = new AbortController();
      try {
        const unheard = await passUnheard(db, subscribers);
        const relayed = await relayBatch(db, subscribers, onError);
        await retryParked(db, subscribers, onError);
        lastLookAt = Date.now();
        if (relayed > 0) onRelayed?.();
        if (relayed < BATCH && unheard < BATCH_OF_UNHEARD) {
          await pause(WOKEN_MS, stopping.signal);
          await pause(idleMs - WOKEN_MS, stopping.signal, woken.signal);
        }
      } catch (error) {
        if (stopping.signal.aborted) return;
        onError(error);
        await pause(FAULT_MS, stopping.signal);
      }
    }
  };
  const running = run();
  return {
    health: () => ({ lastLookAt }),
    wake() {
      // Each call would make an error with its stack, and writes come by the thousand.
      if (!woken.signal.aborted) woken.abort();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

const heardBy = (subscribers: Subscriber[]): EventName[] => [
  ...new Set(subscribers.flatMap((one) => one.events)),
];

/** Holds for events that a subscriber hears; the same as `hears`, without reading what they carry. */
const heardInSql = ({ events, heeds = [] }: Subscriber) =>
  heeds.length === 0
    ? sql<boolean>`name in (${sql.join(events)})`
    : sql<boolean>`(name in (${sql.join(events)}) and coalesce(${sql.join(
        heeds.map((flag) => sql`payload -> ${flag}`),
      )}) is distinct from 'false'::jsonb)`;

/** Marks events that nobody does anything about, many in one statement; answers how many. */
export async function passUnheard(db: Db, subscribers: Subscriber[]): Promise<number> {
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
          .limit(BATCH_OF_UNHEARD)
          .forUpdate()
          .skipLocked();
        return subscribers.length === 0
          ? waiting
          : waiting.where(sql<boolean>`not (${sql.join(subscribers.map(heardInSql), sql` or `)})`);
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

/** Relays the oldest waiting events in one transaction; answers how many. */
export const relayBatch = (
  db: Db,
  subscribers: Subscriber[],
  onError: RelayOptions['onError'] = raise,
): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const heard = heardBy(subscribers);
    if (heard.length === 0) return 0;
    const { rows: lock } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${RELAY_LOCK}) as mine`.execute(tx);
    if (!lock[0]?.mine) return 0;
    const rows = await tx
      .selectFrom('events')
      .selectAll()
      .where('relayedAt', 'is', null)
      .where('name', 'in', heard)
      .orderBy('seq')
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute();
    if (rows.length === 0) return 0;
    const events = rows.map(eventOf);
    for (const one of subscribers) {
      const told = events.filter((event) => hears(one, event));
      if (told.length > 0) await tell(tx, one, told, onError);
    }
    await tx
      .updateTable('events')
      .set({ relayedAt: Date.now() })
      // The index holds waiting events only; without this the whole outbox would be read.
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

/** Tells one subscriber; what it cannot take is parked, so that neither other events nor others wait for it. */
async function tell(
  tx: Tx,
  one: Subscriber,
  events: Event[],
  onError: RelayOptions['onError'],
): Promise<void> {
  if (!(await fails(tx, () => one.handle(tx, events)))) return;
  for (const [index, event] of events.entries()) {
    const error = await fails(tx, () => one.handle(tx, [event]));
    if (!error) continue;
    onError(error, { subscriber: one.name, eventId: event.id, event: event.name });
    // What waits behind may well fail alike, and each failure may take as long as a statement may.
    const parked = isSlow(error) ? events.slice(index) : [event];
    await park(tx, one.name, parked, error);
    if (isSlow(error)) return;
  }
}

/** Runs something in a savepoint of its own; answers the error after which everything is as before. */
async function fails(tx: Tx, work: () => Promise<void>): Promise<unknown> {
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

/** Age in milliseconds of the oldest event that no relay has handed on; 0 where none waits. */
export async function oldestWaitingMs(db: Db): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select(sql<number | null>`min(created_at)`.as('oldest'))
    .where('relayedAt', 'is', null)
    .executeTakeFirst();
  return row?.oldest == null ? 0 : Math.max(0, Date.now() - Number(row.oldest));
}

/** Waits, but no longer than until one of the signals is given. */
const pause = (ms: number, ...signals: AbortSignal[]): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    for (const signal of signals) signal.addEventListener('abort', done, { once: true });
    if (signals.some(({ aborted }) => aborted)) done();
    function done() {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', done);
      resolve();
    }
  });
