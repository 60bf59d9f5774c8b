import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { z } from 'zod';
import { failedPrecondition } from '../lib/errors.ts';
import { version } from '../lib/version.ts';
import * as foundation from './migrations/0001-foundation.ts';
import * as collaboration from './migrations/0002-collaboration.ts';
import * as webhooks from './migrations/0003-webhooks.ts';
import * as webhookLookups from './migrations/0004-webhook-lookups.ts';
import * as liveDocuments from './migrations/0005-live-documents.ts';
import * as reviewAgents from './migrations/0006-review-agents.ts';
import * as judgments from './migrations/0007-judgments.ts';
import * as knowledge from './migrations/0008-knowledge.ts';
import * as memoryInsights from './migrations/0009-memory-insights.ts';
import * as exactVectors from './migrations/0010-exact-vectors.ts';
import * as storedBytes from './migrations/0011-stored-bytes.ts';
import * as threadsOfJudgments from './migrations/0012-threads-of-judgments.ts';
import * as allowedHosts from './migrations/0013-allowed-hosts.ts';
import * as findings from './migrations/0014-findings.ts';
import * as outboxLanes from './migrations/0015-outbox-lanes.ts';
import * as deliveryLookups from './migrations/0016-delivery-lookups.ts';
import * as annotationLookups from './migrations/0017-annotation-lookups.ts';
import * as findingRecords from './migrations/0018-finding-records.ts';
import * as executionsByTime from './migrations/0019-executions-by-time.ts';
import * as attachments from './migrations/0020-attachments.ts';
import * as openFindings from './migrations/0021-open-findings.ts';
import * as reviews from './migrations/0022-reviews.ts';
import * as members from './migrations/0023-members.ts';
import * as mailedLinks from './migrations/0024-mailed-links.ts';
import * as oauth from './migrations/0025-oauth.ts';
import * as audit from './migrations/from-0026/0026-audit.ts';
import * as retention from './migrations/from-0026/0027-retention.ts';
import * as keys from './migrations/from-0026/0028-keys.ts';
import * as logPartitions from './migrations/from-0026/0029-log-partitions.ts';
import * as foreignKeys from './migrations/from-0026/0030-foreign-keys.ts';
import * as checkedForeignKeys from './migrations/from-0026/0031-checked-foreign-keys.ts';
import * as workspaceBytes from './migrations/from-0026/0032-workspace-bytes.ts';
import { rowOf, rowsOf } from './sql-fragments.ts';
import type { Db } from './tables.ts';

/** CONTRIBUTING.md has the recipe for a new migration. */
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
  '0010-exact-vectors': exactVectors,
  '0011-stored-bytes': storedBytes,
  '0012-threads-of-judgments': threadsOfJudgments,
  '0013-allowed-hosts': allowedHosts,
  '0014-findings': findings,
  '0015-outbox-lanes': outboxLanes,
  '0016-delivery-lookups': deliveryLookups,
  '0017-annotation-lookups': annotationLookups,
  '0018-finding-records': findingRecords,
  '0019-executions-by-time': executionsByTime,
  '0020-attachments': attachments,
  '0021-open-findings': openFindings,
  '0022-reviews': reviews,
  '0023-members': members,
  '0024-mailed-links': mailedLinks,
  '0025-oauth': oauth,
  '0026-audit': audit,
  '0027-retention': retention,
  '0028-keys': keys,
  '0029-log-partitions': logPartitions,
  '0030-foreign-keys': foreignKeys,
  '0031-checked-foreign-keys': checkedForeignKeys,
  '0032-workspace-bytes': workspaceBytes,
};

export const migrator = (db: Db): Migrator =>
  // The migrator's own tables keep their names: the plugin that maps columns to camel case would not find them.
  new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: async () => migrations } });

/**
 * Migrates the schema under a lock, so that several nodes may start at once. Returns the names of the migrations that
 * ran. Throws if a newer version has migrated the schema.
 */
export async function migrate(db: Db): Promise<string[]> {
  await refuseNewerSchema(db);
  const schema = migrator(db);
  const ran: string[] = [];
  for (const next of await steps(schema)) {
    const { error, results = [] } = await schema.migrateTo(next);
    if (error) throw error;
    ran.push(...results.map((result) => result.migrationName));
  }
  // Kept as the comment of the table of migrations, which every version can read.
  if (ran.length > 0) await sql`comment on table kysely_migration is ${sql.lit(version)}`.execute(db);
  return ran;
}

/**
 * The migrations to go to one after the other, each in a transaction of its own: what one of them locks is free while a
 * later one reads a large table. An empty database goes to the newest at once.
 */
async function steps(schema: Migrator): Promise<string[]> {
  const all = await schema.getMigrations();
  const pending = all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
  return pending.length === all.length ? pending.slice(-1) : pending;
}

/** Migrates to a migration by name, or to the newest. Throws if the schema is newer than that. */
export async function migrateTo(db: Db, newest: string | undefined): Promise<void> {
  const schema = migrator(db);
  const newer = (await schema.getMigrations()).find(
    ({ name, executedAt }) => newest !== undefined && name > newest && executedAt !== undefined,
  );
  if (newer)
    throw failedPrecondition(`The schema of the database is newer than ${newest}: use an empty database.`);
  const { error } = await (newest === undefined ? schema.migrateToLatest() : schema.migrateTo(newest));
  if (error) throw error;
}

/** The names that no migration of this version has. */
export const unknownMigrations = (names: readonly string[]): string[] =>
  names.filter((name) => !Object.hasOwn(migrations, name));

// Names of one word: the carrying over of an earlier database has no plugin that maps them.
const tableRow = z.object({ exists: z.boolean() });
const ranRow = z.object({ name: z.string(), version: z.string().nullable() });

/**
 * A sentence if the database has migrations that this version does not know: a newer one has changed its tables, and
 * this one could damage what they hold.
 */
export async function findNewerSchema(db: Db): Promise<string | undefined> {
  const { exists } = await rowOf(
    db,
    tableRow,
    sql`select to_regclass('kysely_migration') is not null as exists`,
  );
  if (!exists) return undefined;
  const ran = await rowsOf(
    db,
    ranRow,
    sql`select name, obj_description(cast('kysely_migration' as regclass)) as version
      from kysely_migration order by name`,
  );
  const newest = ran.filter(({ name }) => !(name in migrations)).at(-1);
  if (newest === undefined) return undefined;
  const newer = newest.version === null ? 'a newer version' : `Redpen ${newest.version}`;
  return `This is Redpen ${version}, and ${newer} has changed the tables of the database (${newest.name}).`;
}

/** Advice for an operator whose database has a newer schema. */
export const NEWER_SCHEMA_ADVICE =
  'Run the newer version, or restore the backup from before the upgrade: see docs/upgrading.md.';

/** Throws if a newer version has changed the tables. */
export async function refuseNewerSchema(db: Db): Promise<void> {
  const newer = await findNewerSchema(db);
  if (newer !== undefined) throw new Error(`${newer} ${NEWER_SCHEMA_ADVICE}`);
}

/** Names of migrations that have not run yet. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const all = await migrator(db).getMigrations();
  return all.filter((migration) => migration.executedAt === undefined).map((migration) => migration.name);
}

/** True if no migration has run, so that nothing is stored yet. */
export async function isNewDatabase(db: Db): Promise<boolean> {
  const all = await migrator(db).getMigrations();
  return all.every((migration) => migration.executedAt === undefined);
}
