import { sql } from 'kysely';
import { anyOf, json } from '../../db/sql-fragments.ts';
import type { ExecutionTables } from '../../db/tables/execution-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import type { EventPayload } from '../../events/event-catalog.ts';
import { type ApiError, failedPrecondition, notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { RunRequest } from '../../shapes/agents/run.ts';

export type ExecutionRow = ExecutionTables['executions'];
export type Outcome = Pick<ExecutionRow, 'status' | 'outcome'> & { completedAt: number };

/** Inserts an execution. Throws FAILED_PRECONDITION while the same agent runs on the same page of the document. */
export async function insertExecution(tx: Tx, row: ExecutionRow): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('executions')
    .values({ ...row, request: json(row.request), ranBy: json(row.ranBy), outcome: json(row.outcome) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 1n) return;
  const running = await tx
    .selectFrom('executions')
    .select('executionId')
    .where('apiKeyId', '=', row.apiKeyId)
    .where('agentId', '=', row.agentId)
    .where('organizationId', '=', row.organizationId)
    .where('documentId', '=', row.documentId)
    .where('seedUrl', '=', row.seedUrl)
    .where('status', '=', 'running')
    .executeTakeFirst();
  throw failedPrecondition(
    `The agent ${row.agentId} is already running on this document and URL: ${running?.executionId ?? 'another execution'}.`,
  );
}

export const getExecution = (
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  executionId: string,
): Promise<ExecutionRow | undefined> =>
  db
    .selectFrom('executions')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .executeTakeFirst();

export const executionNotFound = (executionId: string): ApiError =>
  notFound(`Execution not found: ${executionId}`);

/** True for each of these executions whose suggestions everyone who reads its document may see. */
export async function loadPublicRuns(
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  executionIds: readonly string[],
): Promise<Map<string, boolean>> {
  const rows = await db
    .selectFrom('executions')
    .select('executionId')
    .select(sql<boolean>`coalesce(request ->> 'annotationVisibility' = 'public', false)`.as('isPublic'))
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', anyOf(executionIds))
    .execute();
  return new Map(rows.map((row) => [row.executionId, row.isPublic]));
}

export async function requireExecution(
  db: Db,
  scope: Pick<Scope, 'apiKeyId'>,
  executionId: string,
): Promise<ExecutionRow> {
  const row = await getExecution(db, scope, executionId);
  if (!row) throw executionNotFound(executionId);
  return row;
}

/** Like `requireExecution`, and locks the row until the transaction ends. */
export async function lockExecution(tx: Tx, { apiKeyId }: Scope, executionId: string): Promise<ExecutionRow> {
  const row = await tx
    .selectFrom('executions')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw executionNotFound(executionId);
  return row;
}

/** Executions by agent, of the given agents or all. */
export async function countExecutions(
  db: Db,
  { apiKeyId }: Scope,
  agentIds: string[] | undefined,
  status: ExecutionRow['status'] | undefined,
): Promise<Map<string, number>> {
  let query = db
    .selectFrom('executions')
    .select('agentId')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('apiKeyId', '=', apiKeyId)
    .groupBy('agentId');
  if (agentIds) query = query.where('agentId', 'in', agentIds);
  if (status) query = query.where('status', '=', status);
  return new Map((await query.execute()).map((row) => [row.agentId, row.count]));
}

/** Latest ended run of an agent on a document; callers add conditions. */
const endedRuns = (
  db: Db,
  { apiKeyId }: Scope,
  run: { agentId: string; organizationId: string; documentId: string },
) =>
  db
    .selectFrom('executions')
    .select('executionId')
    .where('apiKeyId', '=', apiKeyId)
    .where('agentId', '=', run.agentId)
    .where('organizationId', '=', run.organizationId)
    .where('documentId', '=', run.documentId)
    .where('status', '<>', 'running')
    .orderBy('startedAt', 'desc')
    .limit(1);

/** Latest ended execution of the agent on the same page and document. */
export async function previousExecutionId(
  db: Db,
  scope: Scope,
  run: { agentId: string; organizationId: string; documentId: string; seedUrl: string },
): Promise<string | undefined> {
  const row = await endedRuns(db, scope, run).where('seedUrl', '=', run.seedUrl).executeTakeFirst();
  return row?.executionId;
}

/**
 * Latest ended execution of the agent that reviewed a page of the document; without a document, one with the same seed
 * URL. A run of a review that has several URLs takes the one with its own URL, if there is one: the latest may be that of
 * another URL.
 */
export async function lastReviewed(
  db: Db,
  scope: Scope,
  run: Pick<
    ExecutionRow,
    'agentId' | 'organizationId' | 'documentId' | 'seedUrl' | 'executionId' | 'reviewId'
  >,
): Promise<string | undefined> {
  const { documentId, executionId, reviewId, seedUrl } = run;
  let query = endedRuns(db, scope, run)
    .where('executionId', '<>', executionId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('executionPages')
          .select('urlHash')
          .whereRef('executionPages.apiKeyId', '=', 'executions.apiKeyId')
          .whereRef('executionPages.executionId', '=', 'executions.executionId')
          .where('executionPages.status', '=', 'completed'),
      ),
    );
  // One that another process continues may find those of its own review ended.
  if (reviewId !== null) query = query.where('reviewId', 'is distinct from', reviewId);
  const isOfUrl = documentId === '' || reviewId !== null;
  const row = isOfUrl ? await query.where('seedUrl', '=', seedUrl).executeTakeFirst() : undefined;
  if (row || documentId === '') return row?.executionId;
  return (await query.executeTakeFirst())?.executionId;
}

/** Stores the preliminary outcome of a running execution. */
export async function noteOutcome(
  tx: Tx,
  ref: { apiKeyId: string; executionId: string },
  outcome: ExecutionRow['outcome'],
): Promise<void> {
  await tx
    .updateTable('executions')
    .set({ outcome: json(outcome) })
    .where('apiKeyId', '=', ref.apiKeyId)
    .where('executionId', '=', ref.executionId)
    .execute();
}

/** Ends an execution and emits its event. */
export async function finishExecution(
  tx: Tx,
  scope: Scope,
  row: ExecutionRow,
  { status, outcome, completedAt }: Outcome,
  event: Pick<
    EventPayload<'agent_execution.completed'>,
    'error' | 'resultsSummary' | 'llmModel' | 'tokenUsage'
  >,
): Promise<void> {
  // The document's id may have changed during the run.
  const place = await tx
    .updateTable('executions')
    .set({
      status,
      outcome: json(outcome),
      completedAt,
      leaseOwner: null,
      leaseUntil: 0,
      // Credentials for the reviewed pages, which only a run in progress needs.
      request: sql<RunRequest>`request #- '{auth,sealed}'`,
    })
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('executionId', '=', row.executionId)
    .returning(['organizationId', 'documentId'])
    .executeTakeFirstOrThrow();
  // Only a run in progress reads them.
  await tx
    .deleteFrom('executionSiteWords')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('executionId', '=', row.executionId)
    .execute();
  await emit(tx, scope, 'agent_execution.completed', {
    executionId: row.executionId,
    agentId: row.agentId,
    agentName: row.agentName,
    agentVersion: row.agentVersion,
    // Ids are empty for a run without a document.
    ...(place.documentId !== '' && place),
    status: status as Exclude<ExecutionRow['status'], 'running'>,
    seedUrl: row.seedUrl,
    startedAt: row.startedAt,
    completedAt,
    ...event,
  });
}

export async function countRunning(db: Db): Promise<number> {
  const { running } = await db
    .selectFrom('executions')
    .select((eb) => eb.fn.countAll<string>().as('running'))
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow();
  return Number(running);
}
