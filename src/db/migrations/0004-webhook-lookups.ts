import { type Kysely, sql } from 'kysely';

const statements = [
  `alter table webhook_deliveries add column lane text not null
    generated always as (api_key_id || '/' || endpoint_id) stored`,
  // Earlier versions wrote the same order key for all endpoints; newer keys differ by endpoint.
  `update webhook_deliveries set order_key = md5(api_key_id || '/' || endpoint_id || '/' || order_key)
    where order_key is not null`,
  // Statistics of waiting rows are unreliable, since the rows come and go within minutes. So the queries filter by
  // columns that no other index begins with, which leaves the planner no choice.
  'drop index webhook_deliveries_due',
  `create index webhook_deliveries_due on webhook_deliveries (lane, next_at, seq)
    where status = 'waiting'`,
  'drop index webhook_deliveries_ordered',
  `create index webhook_deliveries_ordered on webhook_deliveries (order_key, seq)
    where status = 'waiting' and order_key is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  // An early form of the third migration already created the tables in this form.
  const { rows } = await sql`select 1 from information_schema.columns
    where table_schema = current_schema() and table_name = 'webhook_deliveries' and column_name = 'lane'`.execute(
    db,
  );
  if (rows.length > 0) return;
  for (const statement of statements) await sql.raw(statement).execute(db);
}
