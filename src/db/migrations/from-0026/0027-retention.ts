import { type Kysely, sql } from 'kysely';

const statements = [
  // What ended first is removed first.
  `create index executions_by_end on executions (completed_at, api_key_id, execution_id)
    where completed_at is not null`,
  `create index reviews_by_end on reviews (completed_at, api_key_id, review_id) where completed_at is not null`,
  'create index artifacts_of_execution on artifacts (api_key_id, execution_id)',
  // Findings without a decision or a suggestion, by the time at which a run last saw or missed them.
  `create index finding_records_by_age on finding_records ((greatest(last_seen_at, coalesce(fixed_at, 0))))
    where annotation_id is null and decision is null`,
  'create index notifications_by_age on notifications (created_at)',
  'create index activities_by_age on activities (created_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
