import { type Kysely, sql } from 'kysely';

const statements = [
  // Counts of open findings by day read those that were still open when the days began. `openByDay` has the expression.
  `create index finding_records_by_end on finding_records (api_key_id, (coalesce(least(
      case when state = 'fixed' then coalesce(fixed_at, last_seen_at) end,
      case when decision in ('rejected', 'resolved') then coalesce(decided_at, last_seen_at) end),
    9223372036854775807)))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
