import { type Kysely, sql } from 'kysely';

const statements = [
  // Lists of deliveries of one event: most endpoints get one kind of event far more often than others.
  // The default is for processes of the version before, which may still run.
  `alter table webhook_deliveries add column event_type text not null default ''`,
  `update webhook_deliveries as delivery set event_type = message.event_type from webhook_messages as message
    where message.api_key_id = delivery.api_key_id and message.message_id = delivery.message_id`,
  'create index webhook_deliveries_of_event on webhook_deliveries (api_key_id, endpoint_id, event_type, seq)',
  // Lists of deliveries of a short time.
  'create index webhook_messages_by_time on webhook_messages (api_key_id, created_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
