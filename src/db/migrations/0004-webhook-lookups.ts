import { type Kysely, sql } from 'kysely';

const statements = [
  `alter table webhook_deliveries add column lane text not null
    generated always as (api_key_id || '/' || endpoint_id) stored`,
  // Keys of earlier versions were alike in all endpoints; those written from now on are not.
  `update webhook_deliveries set order_key = md5(api_key_id || '/' || endpoint_id || '/' || order_key)
    where order_key is not null`,
  // Statistics know little of what waits, since it comes and goes within minutes. So what looks for it names
  // columns that no other index begins with, and leaves the planner no choice.
  'drop index webhook_deliveries_due',
  `create index webhook_deliveries_due on webhook_deliveries (lane, next_at, seq)
    where status = 'waiting'`,
  'drop index webhook_deliveries_ordered',
  `create index webhook_deliveries_ordered on webhook_deliveries (order_key, seq)
    where status = 'waiting' and order_key is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  // An early form of the third migration made the tables like this at once.
  const { rows } = await sql`select 1 from information_schema.columns
    where table_schema = current_schema() and table_name = 'webhook_deliveries' and column_name = 'lane'`.execute(
    db,
  );
  if (rows.length > 0) return;
  for (const statement of statements) await sql.raw(statement).execute(db);
}
