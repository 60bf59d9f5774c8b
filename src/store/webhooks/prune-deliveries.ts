import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { EVENTS_KEPT_MS } from '../platform/events.ts';

const AT_ONCE = 1_000;

/** Deletes messages, with what is kept of their deliveries, once their events are forgotten too. */
export async function pruneWebhooks(db: Db, now: number): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      with old as materialized (
        select api_key_id, message_id from webhook_messages
        where created_at < ${now - EVENTS_KEPT_MS} order by created_at limit ${AT_ONCE}),
      deliveries as (
        delete from webhook_deliveries as delivery using old
        where delivery.api_key_id = old.api_key_id and delivery.message_id = old.message_id)
      delete from webhook_messages as message using old
      where message.api_key_id = old.api_key_id and message.message_id = old.message_id
      returning 1`.execute(db);
    if (rows.length < AT_ONCE) return;
  }
}
