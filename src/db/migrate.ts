import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as foundation from './migrations/0001-foundation.ts';
import * as collaboration from './migrations/0002-collaboration.ts';
import * as webhooks from './migrations/0003-webhooks.ts';
import * as webhookLookups from './migrations/0004-webhook-lookups.ts';
import * as liveDocuments from './migrations/0005-live-documents.ts';
import * as reviewAgents from './migrations/0006-review-agents.ts';
import * as judgments from './migrations/0007-judgments.ts';
import * as knowledge from './migrations/0008-knowledge.ts';
import * as memoryInsights from './migrations/0009-memory-insights.ts';
import type { Db } from './tables.ts';

const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-collaboration': collaboration,
  '0003-webhooks': webhooks,
  '0004-webhook-lookups': webhookLookups,
  '0005-live-documents': liveDocuments,
  '0006-review-agents': reviewAgents,
  '0007-judgments': judgments,
  '0008-knowledge': knowledge,
  '0009-memory-insights': memoryInsights,
};

const migrator = (db: Db): Migrator =>
  // Its own tables keep their names: the plugin that turns ours into camel case would not find them.
  new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: async () => migrations } });

/** Brings the schema up to date, under a lock, so that several nodes may start at once. Answers what ran. */
export async function migrate(db: Db): Promise<string[]> {
  await requireVectors(db);
  const { error, results = [] } = await migrator(db).migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

/** Names of migrations that have not run yet. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const all = await migrator(db).getMigrations();
  return all.filter((migration) => migration.executedAt === undefined).map((migration) => migration.name);
}

/**
 * Sees to the extension that vectors are kept with. Where the server has none, or does not let us turn it on, the
 * service cannot work, and the operator is told how to mend it rather than what the server said.
 */
async function requireVectors(db: Db): Promise<void> {
  const { rows } = await sql<{ installed: string | null }>`
    select installed_version as installed from pg_available_extensions where name = 'vector'`.execute(db);
  if (!rows[0]) {
    throw new Error(
      'The PostgreSQL server lacks the extension pgvector: install it there, in Debian, for example, with the package postgresql-NN-pgvector.',
    );
  }
  if (rows[0].installed !== null) return;
  try {
    await sql`create extension if not exists vector`.execute(db);
  } catch (error) {
    // Several nodes that start at once all try.
    const { rows: now } = await sql`select 1 from pg_extension where extname = 'vector'`.execute(db);
    if (now.length > 0) return;
    throw new Error(
      'The extension pgvector cannot be turned on by the user of DATABASE_URL: let a superuser run `create extension vector` in that database once.',
      { cause: error },
    );
  }
}
