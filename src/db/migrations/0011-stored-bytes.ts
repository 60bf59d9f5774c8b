import { type Kysely, sql } from 'kysely';

const statements = [
  // Stored bytes per API key: the last full count, and the additions since it began.
  `create table stored_bytes (
    api_key_id text not null primary key, row_bytes bigint not null default 0, file_bytes bigint not null default 0,
    added_bytes bigint not null default 0, counted_at bigint, updated_at bigint not null)`,
  'create index stored_bytes_by_change on stored_bytes (updated_at)',
  'create index stored_bytes_by_size on stored_bytes ((row_bytes + file_bytes + added_bytes))',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
