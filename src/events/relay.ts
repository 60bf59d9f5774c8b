import { sql } from 'kysely';
import type { Db, Tx } from '../db/tables.ts';
import type { Event, EventName } from './catalog.ts';
import { hears, type Subscriber } from './subscriber.ts';

const BATCH = 100;
const BATCH_OF_UNHEARD = 1_000;
const IDLE_MS = 500;
const FAULT_MS = 2_000;

export interface Relay {
  /** Age of the oldest event that still waits, and when the relay last looked. */
  health(): { lastLookAt: number };
  stop(): Promise<void>;
}

/** Hands committed events to their subscribers, in order, until stopped. Several nodes may do so at once. */
export function startRelay(db: Db, subscribers: Subscriber[], onError: (error: unknown) => void): Relay {
  const stopping = new AbortController();
  let lastLookAt = Date.now();

  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        const unheard = await passUnheard(db, subscribers);
        const relayed = await relayBatch(db, subscribers);
        lastLookAt = Date.now();
        if (relayed < BATCH && unheard < BATCH_OF_UNHEARD) await pause(IDLE_MS, stopping.signal);
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
export const relayBatch = (db: Db, subscribers: Subscriber[]): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const heard = heardBy(subscribers);
    if (heard.length === 0) return 0;
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
    const told = rows.flatMap((row) => {
      const event = {
        id: row.eventId,
        name: row.name,
        payload: row.payload,
        workspaceId: row.workspaceId,
        apiKeyId: row.apiKeyId,
        createdAt: row.createdAt,
      } as Event;
      return subscribers.filter((one) => hears(one, event)).map((one) => ({ event, one }));
    });
    const isNew = await receipts(tx, told);
    for (const [index, { event, one }] of told.entries()) if (isNew[index]) await one.handle(tx, event);
    if (rows.length > 0) {
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
    }
    return rows.length;
  });

/** Notes which subscribers get which events; tells of each whether it is for the first time. */
async function receipts(tx: Tx, told: { event: Event; one: Subscriber }[]): Promise<boolean[]> {
  if (told.length === 0) return [];
  const key = (apiKeyId: string, eventId: string, subscriber: string) =>
    JSON.stringify([apiKeyId, eventId, subscriber]);
  const written = await tx
    .insertInto('eventReceipts')
    .values(
      told.map(({ event, one }) => ({ apiKeyId: event.apiKeyId, eventId: event.id, subscriber: one.name })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute();
  const keys = new Set(written.map((row) => key(row.apiKeyId, row.eventId, row.subscriber)));
  return told.map(({ event, one }) => keys.has(key(event.apiKeyId, event.id, one.name)));
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

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
