import { sql } from 'kysely';
import type { Db, Tx } from '../../db/tables.ts';
import type { Jobs } from '../../jobs/queue.ts';
import { deleteStartedJobs, hasWaitingJob, isWaiting } from '../../jobs/waiting.ts';
import { LeaseLost } from '../../lib/errors.ts';
import type { ExecutionRow } from './executions.ts';

/** Duration of a lease without a heartbeat. */
export const LEASE_MS = 30_000;
/** Time within which a process must claim a new run. */
export const PICK_UP_MS = 60_000;

export interface RunRef {
  apiKeyId: string;
  executionId: string;
}

/** Claims a run; undefined if it has ended or another process holds its lease. */
export const claimExecution = (db: Db, ref: RunRef, owner: string): Promise<ExecutionRow | undefined> => {
  const now = Date.now();
  return db
    .updateTable('executions')
    .set((eb) => ({ leaseOwner: owner, leaseUntil: now + LEASE_MS, attempts: eb('attempts', '+', 1) }))
    .where('apiKeyId', '=', ref.apiKeyId)
    .where('executionId', '=', ref.executionId)
    .where('status', '=', 'running')
    .where((eb) => eb.or([eb('leaseOwner', 'is', null), eb('leaseUntil', '<', now)]))
    .returningAll()
    .executeTakeFirst();
};

/** Heartbeat: renews the lease. False if it is lost. */
export async function renewLease(db: Db, ref: RunRef, owner: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('executions')
    .set({ leaseUntil: Date.now() + LEASE_MS })
    .where('apiKeyId', '=', ref.apiKeyId)
    .where('executionId', '=', ref.executionId)
    .where('leaseOwner', '=', owner)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** True if this process holds the lease. */
export async function holdsLease(db: Db, { apiKeyId, executionId }: RunRef, owner: string): Promise<boolean> {
  const row = await db
    .selectFrom('executions')
    .select('executionId')
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .where('leaseOwner', '=', owner)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Locks the run until the transaction ends. Throws `LeaseLost` if the lease is lost. Returns the current document,
 * whose id may have changed during the run.
 */
export async function holdLease(
  tx: Tx,
  ref: RunRef,
  owner: string,
): Promise<Pick<ExecutionRow, 'organizationId' | 'documentId'>> {
  const row = await tx
    .selectFrom('executions')
    .select(['organizationId', 'documentId'])
    .where('apiKeyId', '=', ref.apiKeyId)
    .where('executionId', '=', ref.executionId)
    .where('leaseOwner', '=', owner)
    .where('status', '=', 'running')
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new LeaseLost(`The run ${ref.executionId} is no longer this process's.`);
  return row;
}

/** Releases an unfinished run and enqueues it again, without counting a failed attempt. */
export async function returnRun(
  tx: Tx,
  jobs: Jobs,
  ref: RunRef & { workspaceId: string },
  owner: string,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('executions')
    .set((eb) => ({
      leaseOwner: null,
      leaseUntil: Date.now() + PICK_UP_MS,
      attempts: eb('attempts', '-', 1),
    }))
    .where('apiKeyId', '=', ref.apiKeyId)
    .where('executionId', '=', ref.executionId)
    .where('leaseOwner', '=', owner)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return;
  const { reviewId } = await tx
    .selectFrom('executions')
    .select('reviewId')
    .where('apiKeyId', '=', ref.apiKeyId)
    .where('executionId', '=', ref.executionId)
    .executeTakeFirstOrThrow();
  await enqueueAgain(tx, jobs, { ...ref, reviewId });
}

/** Enqueues the job of a run or, once for all of its runs, that of its review. */
async function enqueueAgain(
  tx: Tx,
  jobs: Jobs,
  { reviewId, executionId, ...scope }: RunRef & { workspaceId: string; reviewId: string | null },
): Promise<void> {
  const isReturned = { isReturned: true };
  if (reviewId === null) return await jobs.enqueue(tx, 'agent.run', { ...scope, executionId }, isReturned);
  if (!(await isWaiting(tx, 'review.run', reviewId)))
    await jobs.enqueue(tx, 'review.run', { ...scope, reviewId }, isReturned);
}

/** Expires all leases. For a start with a single process, when they are left over from a crash. */
export async function expireAllLeases(db: Db): Promise<void> {
  await db
    .updateTable('executions')
    .set({ leaseOwner: null, leaseUntil: 0 })
    .where('status', '=', 'running')
    .execute();
}

/** Requeues runs with an expired lease or a lost job. Returns their ids. */
export const requeueExpiredRuns = (db: Db, jobs: Jobs): Promise<string[]> =>
  db.transaction().execute(async (tx) => {
    const now = Date.now();
    const rows = await tx
      .selectFrom('executions')
      .innerJoin('apiKeys', 'apiKeys.apiKeyId', 'executions.apiKeyId')
      .select(['executions.apiKeyId', 'executions.executionId', 'executions.reviewId', 'apiKeys.workspaceId'])
      .where('executions.status', '=', 'running')
      .where('executions.leaseUntil', '<', now)
      .where((eb) => eb.not(hasWaitingJob('agent.run', sql.ref('executions.execution_id'))))
      .where((eb) =>
        eb.or([
          eb('executions.reviewId', 'is', null),
          eb.not(hasWaitingJob('review.run', sql.ref('executions.review_id'))),
        ]),
      )
      .orderBy('executions.leaseUntil')
      .limit(100)
      .forUpdate('executions')
      .skipLocked()
      .execute();
    for (const { workspaceId, apiKeyId, executionId, reviewId } of rows) {
      await tx
        .updateTable('executions')
        .set({ leaseOwner: null, leaseUntil: now + PICK_UP_MS })
        .where('apiKeyId', '=', apiKeyId)
        .where('executionId', '=', executionId)
        .execute();
      if (reviewId === null) await deleteStartedJobs(tx, 'agent.run', executionId);
      await enqueueAgain(tx, jobs, { workspaceId, apiKeyId, executionId, reviewId });
    }
    return rows.map((row) => row.executionId);
  });

/** Milliseconds since the longest expired lease of a claimed run; 0 without any. */
export async function longestExpiredLeaseMs(db: Db): Promise<number> {
  const row = await db
    .selectFrom('executions')
    .select((eb) => eb.fn.min<number | null>('leaseUntil').as('since'))
    .where('status', '=', 'running')
    .where('leaseOwner', 'is not', null)
    .executeTakeFirst();
  return row?.since == null ? 0 : Math.max(0, Date.now() - row.since);
}
