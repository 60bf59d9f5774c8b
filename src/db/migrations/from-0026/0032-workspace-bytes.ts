import { type Kysely, sql } from 'kysely';

const statements = [
  // Stored bytes of a workspace that belong to none of its API keys, at the last count.
  `create table workspace_bytes (
    workspace_id text primary key, stored_bytes bigint not null, counted_at bigint not null)`,
  // New ones, which no count of all has seen yet, are looked for every few seconds.
  'create index workspaces_by_time on workspaces (created_at)',
  'create index api_keys_by_time on api_keys (created_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
