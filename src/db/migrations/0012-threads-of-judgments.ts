import { type Kysely, sql } from 'kysely';

const statements = [
  'drop index judgments_of_annotation',
  // Of another collation than the column, so that no other index can answer a condition on `api_key_id collate "C"`:
  // without statistics of the table, the planner takes any of those that begin with the key, and reads all of it.
  `create index judgments_of_annotation on judgments
    (api_key_id collate "C", organization_id, annotation_id, created_at, judgment_id) where annotation_id is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
