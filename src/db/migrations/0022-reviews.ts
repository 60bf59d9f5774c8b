import { type Kysely, sql } from 'kysely';

const statements = [
  // A review is several runs with one verdict. Document and person are those of its runs.
  `create table reviews (
    api_key_id text not null, review_id text not null, request jsonb not null, status text not null,
    outcome jsonb not null default '{}', started_at bigint not null, completed_at bigint,
    primary key (api_key_id, review_id))`,
  'create index reviews_by_time on reviews (api_key_id, started_at desc, review_id desc)',
  'create index reviews_by_status on reviews (api_key_id, status, started_at desc, review_id desc)',
  'alter table executions add column review_id text',
  `create index executions_of_review on executions (api_key_id, review_id) where review_id is not null`,
  // Ids of organization and document are empty for reviews without a document, as in executions.
  `create table review_schedules (
    api_key_id text not null, schedule_id text not null, name text not null, cron text not null,
    time_zone text not null, enabled boolean not null, organization_id text not null, document_id text not null,
    request jsonb not null, next_at bigint not null, last_at bigint, last_review_id text, last_error text,
    created_at bigint not null, updated_at bigint not null,
    primary key (api_key_id, schedule_id))`,
  'create index review_schedules_due on review_schedules (next_at) where enabled',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
