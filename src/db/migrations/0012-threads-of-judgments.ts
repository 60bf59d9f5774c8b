import { type Kysely, sql } from 'kysely';

const statements = [
  'drop index judgments_of_annotation',
  // The index has another collation than the column, so that only it can answer a condition on `api_key_id collate
  // "C"`. Without statistics of the table, the planner would choose any index that begins with the key, and read all
  // of it.
  `create index judgments_of_annotation on judgments
    (api_key_id collate "C", organization_id, annotation_id, created_at, judgment_id) where annotation_id is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
