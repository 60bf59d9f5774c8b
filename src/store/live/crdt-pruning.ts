import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/day.ts';

/** Whoever has had an editor open for longer brings back what was deleted of it. */
const DELETIONS_KEPT_MS = 30 * DAY_MS;
/** These come every 20 seconds while somebody types, each with all of the content. */
const EVENTS_KEPT_MS = DAY_MS;
const MESSAGES_KEPT_MS = 7 * DAY_MS;
/** What is older than so much more goes with all others of its kind; looking for it there would read all of them. */
const LOOKED_BACK_MS = 7 * DAY_MS;
const AT_ONCE = 1_000;

/** Forgets what was deleted long ago, and what was told of editors and is of no use any more. */
export async function pruneEditors(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('crdtDeletions')
    .where('deletedAt', '<', now - DELETIONS_KEPT_MS)
    .execute();
  await untilDone(async () => {
    const { rows } = await sql`
      delete from events where (api_key_id, event_id) in (
        select api_key_id, event_id from events
        where relayed_at between ${now - EVENTS_KEPT_MS - LOOKED_BACK_MS} and ${now - EVENTS_KEPT_MS}
          and name = 'crdt.update_data' and not exists (
            select 1 from event_faults as fault
            where fault.api_key_id = events.api_key_id and fault.event_id = events.event_id)
        limit ${AT_ONCE})
      returning 1`.execute(db);
    return rows.length;
  });
  await untilDone(async () => {
    const { rows } = await sql`
      with old as materialized (
        select api_key_id, message_id from webhook_messages as message
        where created_at between ${now - MESSAGES_KEPT_MS - LOOKED_BACK_MS} and ${now - MESSAGES_KEPT_MS}
          and event_type = 'crdt.update_data' and not exists (
            select 1 from webhook_deliveries as delivery
            where delivery.api_key_id = message.api_key_id and delivery.message_id = message.message_id
              and delivery.status in ('waiting', 'held'))
        limit ${AT_ONCE}),
      deliveries as (
        delete from webhook_deliveries as delivery using old
        where delivery.api_key_id = old.api_key_id and delivery.message_id = old.message_id)
      delete from webhook_messages as message using old
      where message.api_key_id = old.api_key_id and message.message_id = old.message_id
      returning 1`.execute(db);
    return rows.length;
  });
}

async function untilDone(prune: () => Promise<number>): Promise<void> {
  while ((await prune()) === AT_ONCE);
}
