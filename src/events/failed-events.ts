import { sql } from 'kysely';
import { json } from '../db/sql-fragments.ts';
import type { Db, Tx } from '../db/tables.ts';
import { cutText, storable } from '../lib/text/cut-text.ts';
import type { Event } from './event-catalog.ts';
import { eventOf } from './stored-event.ts';
import type { Subscriber } from './subscriber.ts';

const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 15 * 60_000;
const RETRIES_AT_ONCE = 20;

/** Records events that a subscriber failed on, to be retried one by one: the dead letters of the outbox. */
export async function recordFailures(
  tx: Tx,
  subscriber: string,
  events: Event[],
  error: unknown,
): Promise<void> {
  const rows = events.map((event) => ({ apiKeyId: event.apiKeyId, eventId: event.id }));
  await sql`
    insert into event_faults (api_key_id, event_id, subscriber, tries, next_at, error)
    select item ->> 'apiKeyId', item ->> 'eventId', ${subscriber}, 1,
      cast(${Date.now() + MIN_BACKOFF_MS} as bigint), ${messageOf(error)}
    from jsonb_array_elements(${json(rows)}) as item
    on conflict do nothing`.execute(tx);
}

/** True if the statement was cancelled by `statement_timeout`. */
export const isStatementTimeout = (error: unknown): boolean => (error as { code?: string }).code === '57014';

const messageOf = (error: unknown): string =>
  storable(cutText(String((error as Error)?.message ?? error), 500));

/**
 * Hands failed events to their subscribers again, each in a transaction of its own, with back-off and for as long as
 * the event is kept.
 */
export async function retryFailed(
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
    .limit(RETRIES_AT_ONCE)
    .execute();
  for (const { apiKeyId, eventId, subscriber } of due) {
    const known = subscribers.find(({ name }) => name === subscriber);
    try {
      await db.transaction().execute(async (tx) => {
        // Another process may have retried it meanwhile.
        const { numDeletedRows } = await tx
          .deleteFrom('eventFaults')
          .where('apiKeyId', '=', apiKeyId)
          .where('eventId', '=', eventId)
          .where('subscriber', '=', subscriber)
          .where('nextAt', '<=', now)
          .executeTakeFirst();
        const row = await tx
          .selectFrom('events')
          .selectAll()
          .where('apiKeyId', '=', apiKeyId)
          .where('eventId', '=', eventId)
          .executeTakeFirst();
        if (numDeletedRows > 0n && row && known) await known.handle(tx, [eventOf(row)]);
      });
    } catch (error) {
      onError(error, { subscriber, eventId });
      await db
        .updateTable('eventFaults')
        .set((eb) => ({
          tries: eb('tries', '+', 1),
          error: messageOf(error),
          nextAt: sql`cast(${now} as bigint)
            + least(${MAX_BACKOFF_MS}, ${MIN_BACKOFF_MS} * power(2, least(tries, 20)))::bigint`,
        }))
        .where('apiKeyId', '=', apiKeyId)
        .where('eventId', '=', eventId)
        .where('subscriber', '=', subscriber)
        .execute();
      // The next retry may take as long, and all new events wait meanwhile.
      if (isStatementTimeout(error)) return;
    }
  }
}
