import { type Kysely, sql } from 'kysely';

const statements = [
  // Requests to models, and their thinking tokens, which some providers charge separately.
  'alter table agent_analytics add column thoughts_tokens bigint not null default 0',
  'alter table agent_analytics add column requests bigint not null default 0',
  // The kind of a log line, so that a client that follows a run can tell pages from requests to a model.
  "alter table execution_log add column kind text not null default 'note'",
  // Numbers log lines in the order of their commits, which the clocks of several processes cannot.
  'alter table execution_log add column seq bigserial not null',
  'create unique index execution_log_in_order on execution_log (api_key_id, execution_id, seq)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
