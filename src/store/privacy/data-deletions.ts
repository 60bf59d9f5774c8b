import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { UserTables } from '../../db/tables/user-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import type { Jobs } from '../../jobs/queue.ts';
import { deleteStartedJobs, hasWaitingJob } from '../../jobs/waiting.ts';
import { notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { closingSteps, organizationSteps } from './erasure.ts';
import type { Step } from './erasure-passes.ts';

export type DeletionRow = UserTables['dataDeletions'];
export type DeletionRef = Scope & { jobId: string };

/** Time slice after which other API keys' deletions have their turn. */
const SLICE_MS = 5_000;
/** Time without progress after which the process or job of a deletion is taken for lost. */
const SILENT_MS = 60_000;

/** Creates a deletion job for users, by default in all organizations. */
export async function startDeletion(
  tx: Tx,
  jobs: Jobs,
  scope: Scope,
  userIds: string[],
  organizationIds: string[] | undefined,
): Promise<{ jobId: string; tasksCount: number }> {
  const jobId = newId('deletion');
  const named = organizationIds && [...new Set(organizationIds)].sort();
  const { count } = await tx
    .selectFrom('organizations')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('apiKeyId', '=', scope.apiKeyId)
    .executeTakeFirstOrThrow();
  // One task per organization, and one for everything outside of organizations.
  const tasksCount = (named?.length ?? Number(count)) + 1;
  const now = Date.now();
  await tx
    .insertInto('dataDeletions')
    .values({
      apiKeyId: scope.apiKeyId,
      jobId,
      userIds: json([...new Set(userIds)]),
      organizationIds: named ? json(named) : null,
      tasksCount,
      tasksLeft: tasksCount,
      lastTaskCompletedAt: null,
      progress: json({}),
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  await jobs.enqueue(tx, 'user.data_delete', { ...scope, jobId });
  return { jobId, tasksCount };
}

export async function requireDeletion(db: Db, { apiKeyId }: Scope, jobId: string): Promise<DeletionRow> {
  const row = await db
    .selectFrom('dataDeletions')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('jobId', '=', jobId)
    .executeTakeFirst();
  if (!row) throw notFound('Data deletion job does not exist');
  return row;
}

/**
 * Works on a deletion for one time slice. Each step is a transaction that records its progress, so that work resumes
 * there after a crash.
 */
export async function runDeletion(db: Db, jobs: Jobs, ref: DeletionRef, signal: AbortSignal): Promise<void> {
  const until = Date.now() + SLICE_MS;
  for (;;) {
    if (signal.aborted) return;
    const isOver = Date.now() >= until;
    const continues = await db.transaction().execute(async (tx) => {
      if (!(await runNextStep(tx, ref))) return false;
      // The job was accepted before, so no queue limit applies.
      if (isOver) await jobs.enqueue(tx, 'user.data_delete', ref, { isContinued: true });
      return !isOver;
    });
    if (!continues) return;
  }
}

/** Does the next step; false if all is done or another process works on it. */
async function runNextStep(tx: Tx, ref: DeletionRef): Promise<boolean> {
  const row = await tx
    .selectFrom('dataDeletions')
    .selectAll()
    .where('apiKeyId', '=', ref.apiKeyId)
    .where('jobId', '=', ref.jobId)
    .where('tasksLeft', '>', 0)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!row) return false;
  const { progress } = row;
  const isNew = progress.organizationId === undefined;
  const organizationId = isNew ? await nextOrganization(tx, row, '') : progress.organizationId!;
  const steps = organizationId === null ? closingSteps : organizationSteps;
  const step = (!isNew && steps.find(({ name }) => name === progress.step)) || steps[0]!;
  const after = isNew ? undefined : progress.after;
  const next = await step.run(tx, { ...ref, userIds: row.userIds }, organizationId ?? '', after);
  if (next) return await save(tx, row, { organizationId, step: step.name, after: next });
  const following: Step | undefined = steps[steps.indexOf(step) + 1];
  if (following) return await save(tx, row, { organizationId, step: following.name });
  if (organizationId !== null) {
    const coming = await nextOrganization(tx, row, organizationId);
    const [first] = coming === null ? closingSteps : organizationSteps;
    // Organizations created meanwhile are covered too; the last task is what follows them.
    const tasksLeft = coming === null ? 1 : Math.max(2, row.tasksLeft - 1);
    return await save(
      tx,
      { ...row, tasksLeft, lastTaskCompletedAt: Date.now() },
      {
        organizationId: coming,
        step: first!.name,
      },
    );
  }
  // The user ids are no longer needed.
  await save(tx, { ...row, userIds: [], tasksLeft: 0, lastTaskCompletedAt: Date.now() }, progress);
  await emit(tx, ref, 'user.data_delete', { jobId: ref.jobId, userIds: row.userIds });
  return false;
}

async function save(tx: Tx, row: DeletionRow, progress: DeletionRow['progress']): Promise<true> {
  await tx
    .updateTable('dataDeletions')
    .set({
      progress: json(progress),
      userIds: json(row.userIds),
      tasksLeft: row.tasksLeft,
      lastTaskCompletedAt: row.lastTaskCompletedAt,
      updatedAt: Date.now(),
    })
    .where('apiKeyId', '=', row.apiKeyId)
    .where('jobId', '=', row.jobId)
    .execute();
  return true;
}

/** The next existing organization; null after the last. */
async function nextOrganization(
  tx: Tx,
  { apiKeyId, organizationIds }: DeletionRow,
  after: string,
): Promise<string | null> {
  let organizations = tx
    .selectFrom('organizations')
    .select('organizationId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '>', after);
  if (organizationIds) {
    if (organizationIds.length === 0) return null;
    organizations = organizations.where('organizationId', 'in', organizationIds);
  }
  const row = await organizations.orderBy('organizationId').limit(1).executeTakeFirst();
  return row?.organizationId ?? null;
}

/**
 * Requeues deletions whose process or job was lost; with `silentMs` 0, at the start of a single process, all of them.
 */
export const requeueDeletions = (db: Db, jobs: Jobs, silentMs = SILENT_MS): Promise<string[]> =>
  db.transaction().execute(async (tx) => {
    const now = Date.now();
    const rows = await tx
      .selectFrom('dataDeletions')
      .innerJoin('apiKeys', 'apiKeys.apiKeyId', 'dataDeletions.apiKeyId')
      .select(['apiKeys.workspaceId', 'dataDeletions.apiKeyId', 'dataDeletions.jobId'])
      .where('tasksLeft', '>', 0)
      .where('dataDeletions.updatedAt', '<=', now - silentMs)
      .where((eb) => eb.not(hasWaitingJob('user.data_delete', sql.ref('data_deletions.job_id'))))
      .orderBy('dataDeletions.updatedAt')
      .limit(100)
      .forUpdate('dataDeletions')
      .skipLocked()
      .execute();
    for (const ref of rows) {
      await tx
        .updateTable('dataDeletions')
        .set({ updatedAt: now })
        .where('apiKeyId', '=', ref.apiKeyId)
        .where('jobId', '=', ref.jobId)
        .execute();
      await deleteStartedJobs(tx, 'user.data_delete', ref.jobId);
      await jobs.enqueue(tx, 'user.data_delete', ref, { isReturned: true });
    }
    return rows.map((row) => row.jobId);
  });
