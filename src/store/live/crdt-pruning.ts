import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/day.ts';

/** A client that was offline for longer can restore a deleted editor by its late updates. */
const DELETIONS_KEPT_MS = 30 * DAY_MS;
/** Editor events are short-lived: one comes every 20 seconds of typing, each with all content. */
const EDITOR_EVENTS_KEPT_MS = DAY_MS;
const EDITOR_MESSAGES_KEPT_MS = 7 * DAY_MS;
/** Older events and messages are pruned with all others; searching further back would read all of those. */
const LOOKED_BACK_MS = 7 * DAY_MS;
const BATCH = 1_000;

/** Deletes old tombstones, and old editor events with their messages. */
export async function pruneEditors(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('crdtDeletions')
    .where('deletedAt', '<', now - DELETIONS_KEPT_MS)
    .execute();
  await untilDone(async () => {
    const { rows } = await sql`
      delete from events where (api_key_id, event_id) in (
        select api_key_id, event_id from events
        where relayed_at between ${now - EDITOR_EVENTS_KEPT_MS - LOOKED_BACK_MS} and ${now - EDITOR_EVENTS_KEPT_MS}
          and name = 'crdt.update_data' and not exists (
            select 1 from event_faults as fault
            where fault.api_key_id = events.api_key_id and fault.event_id = events.event_id)
        limit ${BATCH})
      returning 1`.execute(db);
    return rows.length;
  });
  await untilDone(async () => {
    const { rows } = await sql`
      with old as materialized (
        select api_key_id, message_id from webhook_messages as message
        where created_at between ${now - EDITOR_MESSAGES_KEPT_MS - LOOKED_BACK_MS} and ${now - EDITOR_MESSAGES_KEPT_MS}
          and event_type = 'crdt.update_data' and not exists (
            select 1 from webhook_deliveries as delivery
            where delivery.api_key_id = message.api_key_id and delivery.message_id = message.message_id
              and delivery.status in ('waiting', 'held'))
        limit ${BATCH}),
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
  while ((await prune()) === BATCH);
}
