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
import * as retention from './migrations/from-0026/0027-retention.ts';
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
  '0027-retention': retention,
};

export const migrator = (db: Db): Migrator =>
  // The migrator's own tables keep their names: the plugin that maps columns to camel case would not find them.
  new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: async () => migrations } });

/**
 * Migrates the schema under a lock, so that several nodes may start at once. Returns the names of the migrations that
 * ran.
 */
export async function migrate(db: Db): Promise<string[]> {
  const { error, results = [] } = await migrator(db).migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
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
