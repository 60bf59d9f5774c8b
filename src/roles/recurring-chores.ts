import { rotateOldSigningKey } from '../access/user-token.ts';
import type { Booted } from '../boot.ts';
import { makeLogPartitions } from '../db/partitions/log-partitions.ts';
import { deleteRemovedAttachments } from '../files/attachments.ts';
import type { Chore } from '../jobs/run-chores.ts';
import { DAY_MS } from '../lib/day.ts';
import { expireAllLeases, requeueExpiredRuns } from '../store/agents/execution-leases.ts';
import { hasDueSchedule } from '../store/agents/review-schedules.ts';
import { chainAudit } from '../store/audit/chain-audit.ts';
import { recordAudit, SERVICE_CHAIN } from '../store/audit/record-audit.ts';
import { takeUpMigrations } from '../store/documents/document-migrations.ts';
import { releaseContents, requeueKnowledge } from '../store/knowledge/knowledge-contents.ts';
import { endAllClaims } from '../store/memory/judgment-embedding.ts';
import { requeueDeletions } from '../store/privacy/data-deletions.ts';
import { endAllLeases } from '../store/webhooks/lanes.ts';
import { backupFailure } from './doctor/check-backups.ts';

export interface RecurringChore extends Chore<Booted> {
  everyMs: number;
  /** True if it also runs once before the worker takes jobs. */
  atStart?: true;
}

/** Chores that every worker repeats. A failing or slow chore does not delay the others. */
export const RECURRING: readonly RecurringChore[] = [
  { name: 'chains of the audit log', everyMs: 2_000, run: ({ db }) => chainAudit(db) },
  {
    name: 'partitions of logs',
    everyMs: 600_000,
    atStart: true,
    run: ({ db }, now) => makeLogPartitions(db, now),
  },
  {
    name: 'requeue executions',
    everyMs: 10_000,
    atStart: true,
    async run({ db, jobs, log }) {
      const executionIds = await requeueExpiredRuns(db, jobs);
      if (executionIds.length > 0) log.warn({ executionIds }, 'requeued executions with an expired lease');
    },
  },
  {
    name: 'scheduled reviews',
    everyMs: 10_000,
    async run({ db, jobs, storage, log }) {
      // Loaded with the first schedule that is due, as the engine of reviews takes memory.
      if (!(await hasDueSchedule(db, Date.now()))) return;
      const { startDueReviews } = await import('../review/run/scheduled-reviews.ts');
      const faults: Error[] = [];
      for (const { fault, ...one } of await startDueReviews({ db, jobs, storage }, Date.now())) {
        if (fault !== undefined)
          faults.push(new Error(`The schedule ${one.scheduleId} fails.`, { cause: fault }));
        else if (one.error) log.warn(one, 'a scheduled review could not be started');
        else log.info(one, 'scheduled review started');
      }
      if (faults.length > 0) throw faults[0]!;
    },
  },
  {
    name: 'requeue migrations',
    everyMs: 10_000,
    async run({ db, jobs, log }) {
      const migrationIds = await takeUpMigrations(db, jobs);
      if (migrationIds.length > 0) log.warn({ migrationIds }, 'requeued stalled document migrations');
    },
  },
  {
    name: 'requeue data deletions',
    everyMs: 10_000,
    async run({ db, jobs, log }) {
      const deletionIds = await requeueDeletions(db, jobs);
      if (deletionIds.length > 0) log.warn({ deletionIds }, 'requeued stalled data deletions');
    },
  },
  {
    name: 'requeue knowledge',
    everyMs: 10_000,
    atStart: true,
    run: ({ db, jobs, outside }) => requeueKnowledge(db, jobs, outside.embeddings.current.model),
  },
  {
    name: 'files of deleted attachments',
    everyMs: 60_000,
    run: ({ db, outside }) => deleteRemovedAttachments(db, outside.blobs, Date.now()),
  },
  {
    name: 'stored bytes of new keys and of keys over their bound',
    everyMs: 10_000,
    run: ({ storage }) => storage.quota.recount(),
  },
  {
    name: 'signing key of user tokens',
    everyMs: 60_000,
    async run({ db, keyring, settings, log }, now) {
      if (settings.signingKeyDays === 0) return;
      const keyId = await rotateOldSigningKey(db, keyring, now - settings.signingKeyDays * DAY_MS, (tx, id) =>
        recordAudit(
          tx,
          { workspaceId: SERVICE_CHAIN },
          { actor: { kind: 'operator', name: 'schedule' }, via: 'REDPEN_SIGNING_KEY_DAYS' },
          [{ action: 'signing_key.rotated', id }],
        ),
      );
      if (keyId !== undefined) log.info({ keyId }, 'user tokens are signed with a new key');
    },
  },
  {
    name: 'scheduled backups',
    everyMs: 10_000,
    async run({ backups, health }, now) {
      if (backups === undefined) return;
      try {
        await backups.runIfDue(now);
        health.note('backup', 'works');
      } catch (error) {
        health.note('backup', backupFailure(error));
        throw error;
      }
    },
  },
];

/** Takes over the work that earlier processes left behind. */
export async function resumeWork({ database, db, jobs }: Booted): Promise<void> {
  if (database.kind === 'embedded') {
    // The only process of the database has just started, so that every lease belongs to a dead process.
    await expireAllLeases(db);
    await endAllLeases(db);
    await endAllClaims(db);
    await releaseContents(db);
  }
  await takeUpMigrations(db, jobs, 0);
  await requeueDeletions(db, jobs, 0);
}
