import { sql } from 'kysely';
import type { Db, Tx } from '../../db/tables.ts';
import type { Jobs } from '../../jobs/queue.ts';
import { dropBegun, waitsFor } from '../../jobs/waiting.ts';
import { LeaseLost } from '../../lib/errors.ts';
import type { ExecutionRow } from './executions.ts';

/** How long a process may be silent before its run is taken from it. */
export const LEASE_MS = 30_000;
/** How long a new run may wait for a process to take it. */
export const PICK_UP_MS = 60_000;

export interface RunRef {
  apiKeyId: string;
  executionId: string;
}

/** Takes a run for this process; undefined where it has ended or another works on it. */
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

/** Says that this process is still at it; false where the run is no longer its. */
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

/** Whether the run is still this process's. */
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
 * Holds the run until the transaction ends; throws LeaseLost where it is no longer this process's. Answers the
 * document it is on, which may have got another id since the run began.
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

/** Hands a run back unfinished, so that whoever comes next goes on with it; it does not count as a failed try. */
export async function handBack(
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
  if (numUpdatedRows === 1n) await jobs.enqueue(tx, 'agent.run', ref, { isReturned: true });
}

/** On a database of one process, every lease that is there at start belongs to a dead one. */
export async function expireAllLeases(db: Db): Promise<void> {
  await db
    .updateTable('executions')
    .set({ leaseOwner: null, leaseUntil: 0 })
    .where('status', '=', 'running')
    .execute();
}

/** Enqueues anew every run whose process fell silent, or whose job was lost; answers their ids. */
export const requeueExpiredRuns = (db: Db, jobs: Jobs): Promise<string[]> =>
  db.transaction().execute(async (tx) => {
    const now = Date.now();
    const rows = await tx
      .selectFrom('executions')
      .innerJoin('apiKeys', 'apiKeys.apiKeyId', 'executions.apiKeyId')
      .select(['executions.apiKeyId', 'executions.executionId', 'apiKeys.workspaceId'])
      .where('executions.status', '=', 'running')
      .where('executions.leaseUntil', '<', now)
      .where((eb) => eb.not(waitsFor('agent.run', sql.ref('executions.execution_id'))))
      .orderBy('executions.leaseUntil')
      .limit(100)
      .forUpdate('executions')
      .skipLocked()
      .execute();
    for (const { workspaceId, apiKeyId, executionId } of rows) {
      await tx
        .updateTable('executions')
        .set({ leaseOwner: null, leaseUntil: now + PICK_UP_MS })
        .where('apiKeyId', '=', apiKeyId)
        .where('executionId', '=', executionId)
        .execute();
      await dropBegun(tx, 'agent.run', executionId);
      await jobs.enqueue(tx, 'agent.run', { workspaceId, apiKeyId, executionId }, { isReturned: true });
    }
    return rows.map((row) => row.executionId);
  });

/** Age in milliseconds of the longest silence of a begun execution past its lease; 0 where there is none. */
export async function longestSilenceMs(db: Db): Promise<number> {
  const row = await db
    .selectFrom('executions')
    .select(sql<number | null>`min(lease_until)`.as('since'))
    .where('status', '=', 'running')
    .where('leaseOwner', 'is not', null)
    .executeTakeFirst();
  return row?.since == null ? 0 : Math.max(0, Date.now() - Number(row.since));
}
