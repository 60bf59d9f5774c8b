import { type Kysely, sql } from 'kysely';

const statements = [
  // Internal hosts that the operator allowed at run time, in addition to those of the settings.
  'create table allowed_hosts (entry text not null primary key, created_at bigint not null, in_force_at bigint)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
