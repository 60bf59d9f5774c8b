import { type Kysely, sql } from 'kysely';

const statements = [
  // The relay reads the outbox by lanes of API keys.
  'drop index events_to_relay',
  `create index events_to_relay on events ((ascii(right(api_key_id, 1)) % 8), seq) where relayed_at is null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
