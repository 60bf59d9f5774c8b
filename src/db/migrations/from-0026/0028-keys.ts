import { type Kysely, sql } from 'kysely';

const statements = [
  // The key that was adopted last seals.
  'alter table key_checks add column adopted_at bigint not null default 0',
  'update key_checks set adopted_at = created_at',
  `create table key_holders (
    process_id text primary key, place text not null, key_ids jsonb not null, sealing text not null,
    seen_at timestamptz not null)`,
  // Null: at the creation of the row, as far as is known.
  'alter table webhook_endpoints add column secret_at bigint',
  'alter table workspaces add column token_at bigint',
  'alter table workspaces add column previous_token_hash text',
  'alter table workspaces add column previous_token_until bigint',
  'alter table api_key_tokens add column expires_at bigint',
  'alter table api_key_tokens add column used_at bigint',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
