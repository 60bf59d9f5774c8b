import { sql } from 'kysely';
import { json } from '../db/sql-fragments.ts';
import type { Db, Tx } from '../db/tables.ts';
import { cutText, storable } from '../lib/text/cut-text.ts';
import type { Event } from './event-catalog.ts';
import { eventOf } from './stored-event.ts';
import type { Subscriber } from './subscriber.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15 * 60_000;
const AT_ONCE = 20;

/** Notes that a subscriber could not take events, to be tried again by themselves. */
export async function park(tx: Tx, subscriber: string, events: Event[], error: unknown): Promise<void> {
  const rows = events.map((event) => ({ apiKeyId: event.apiKeyId, eventId: event.id }));
  await sql`
    insert into event_faults (api_key_id, event_id, subscriber, tries, next_at, error)
    select item ->> 'apiKeyId', item ->> 'eventId', ${subscriber}, 1,
      cast(${Date.now() + FIRST_WAIT_MS} as bigint), ${wordsOf(error)}
    from jsonb_array_elements(${json(rows)}) as item
    on conflict do nothing`.execute(tx);
}

/** The statement was cut off, after as long as one may take. */
export const isSlow = (error: unknown): boolean => (error as { code?: string }).code === '57014';

const wordsOf = (error: unknown): string =>
  storable(cutText(String((error as Error)?.message ?? error), 500));

/**
 * Tells subscribers again of what they could not take, each event in a transaction of its own, ever less
 * often for as long as the event is kept.
 */
export async function retryParked(
  db: Db,
  subscribers: Subscriber[],
  onError: (error: unknown, context?: object) => void,
): Promise<void> {
  const now = Date.now();
  const due = await db
    .selectFrom('eventFaults')
    .select(['apiKeyId', 'eventId', 'subscriber'])
    .where('nextAt', '<=', now)
    .orderBy('nextAt')
    .limit(AT_ONCE)
    .execute();
  for (const key of due) {
    const one = subscribers.find(({ name }) => name === key.subscriber);
    const ofFault = sql<boolean>`api_key_id = ${key.apiKeyId} and event_id = ${key.eventId}
      and subscriber = ${key.subscriber}`;
    try {
      await db.transaction().execute(async (tx) => {
        const { rows } = await sql`
          delete from event_faults where ${ofFault} and next_at <= ${now} returning 1`.execute(tx);
        const row = await tx
          .selectFrom('events')
          .selectAll()
          .where('apiKeyId', '=', key.apiKeyId)
          .where('eventId', '=', key.eventId)
          .executeTakeFirst();
        if (rows.length > 0 && row && one) await one.handle(tx, [eventOf(row)]);
      });
    } catch (error) {
      onError(error, { subscriber: key.subscriber, eventId: key.eventId });
      await sql`
        update event_faults set tries = tries + 1, error = ${wordsOf(error)},
          next_at = cast(${now} as bigint)
            + least(${LONGEST_WAIT_MS}, ${FIRST_WAIT_MS} * power(2, least(tries, 20)))::bigint
        where ${ofFault}`.execute(db);
      // The next may take as long, and all other events wait meanwhile.
      if (isSlow(error)) return;
    }
  }
}
