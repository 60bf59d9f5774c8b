import { type Kysely, sql } from 'kysely';

const links = {
  annotations: 'on_document',
  comments: 'of_annotation',
  reactions: 'of_annotation',
  annotation_views: 'of_annotation',
  crdt_editors: 'on_document',
  crdt_updates: 'of_editor',
  crdt_snapshots: 'of_editor',
  crdt_deletions: 'on_document',
  notifications: 'on_document',
  activities: 'on_document',
  presence: 'on_document',
  live_states: 'on_document',
};

/** Checks the rows from before the last migration. It reads the tables, while others go on reading and writing them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, name] of Object.entries(links)) {
    await sql.raw(`alter table ${table} validate constraint ${table}_${name}`).execute(db);
  }
}
