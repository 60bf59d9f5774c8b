import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { ReviewTables } from '../../db/tables/review-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { type ApiError, notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ExecutionRow } from './executions.ts';

export type ReviewRow = ReviewTables['reviews'];

export async function insertReview(
  tx: Tx,
  { apiKeyId }: Scope,
  { reviewId, request, startedAt }: Pick<ReviewRow, 'reviewId' | 'request' | 'startedAt'>,
): Promise<void> {
  await tx
    .insertInto('reviews')
    .values({
      apiKeyId,
      reviewId,
      request: json(request),
      status: 'running',
      outcome: json({}),
      startedAt,
      completedAt: null,
    })
    .execute();
}

export const reviewNotFound = (reviewId: string): ApiError => notFound(`Review not found: ${reviewId}`);

const oneReview = (db: Db, { apiKeyId }: Pick<Scope, 'apiKeyId'>, reviewId: string) =>
  db.selectFrom('reviews').selectAll().where('apiKeyId', '=', apiKeyId).where('reviewId', '=', reviewId);

export async function requireReview(
  db: Db,
  scope: Pick<Scope, 'apiKeyId'>,
  reviewId: string,
): Promise<ReviewRow> {
  const row = await oneReview(db, scope, reviewId).executeTakeFirst();
  if (!row) throw reviewNotFound(reviewId);
  return row;
}

/** The review, locked until the transaction ends. Executions are locked before their review. */
export const lockReview = (
  tx: Tx,
  scope: Pick<Scope, 'apiKeyId'>,
  reviewId: string,
): Promise<ReviewRow | undefined> => oneReview(tx, scope, reviewId).forUpdate().executeTakeFirst();

const inOrder = (db: Db, { apiKeyId }: Pick<Scope, 'apiKeyId'>, reviewId: string) =>
  db
    .selectFrom('executions')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('reviewId', '=', reviewId)
    // Ids begin with the time; those of one millisecond are in the order of the request only by chance.
    .orderBy('executionId');

/** The executions of a review. */
export const executionsOfReview = (
  db: Db,
  scope: Pick<Scope, 'apiKeyId'>,
  reviewId: string,
): Promise<ExecutionRow[]> => inOrder(db, scope, reviewId).execute();

/** The part of an execution that `reviews/get` shows: its whole outcome may be large, and clients poll. */
export type ReviewExecution = Pick<
  ExecutionRow,
  'executionId' | 'agentId' | 'agentName' | 'seedUrl' | 'status' | 'organizationId' | 'documentId'
> & { outcome: Pick<ExecutionRow['outcome'], 'verdict' | 'error'> };

/** The executions of a review, without the large parts of their outcomes. */
export const statesOfReview = (
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  reviewId: string,
): Promise<ReviewExecution[]> =>
  db
    .selectFrom('executions')
    .select([
      ...(['executionId', 'agentId', 'agentName', 'seedUrl', 'status'] as const),
      ...(['organizationId', 'documentId'] as const),
      sql<ReviewExecution['outcome']>`jsonb_strip_nulls(jsonb_build_object(
        'verdict', outcome -> 'verdict', 'error', outcome -> 'error'))`.as('outcome'),
    ])
    .where('apiKeyId', '=', apiKeyId)
    .where('reviewId', '=', reviewId)
    .orderBy('executionId')
    .execute();

/** The running executions of a review, locked until the transaction ends. */
export const lockRunningOfReview = (tx: Tx, scope: Scope, reviewId: string): Promise<ExecutionRow[]> =>
  inOrder(tx, scope, reviewId).where('status', '=', 'running').forUpdate().execute();

const progressRow = z.object({
  executionId: z.string(),
  planned: z.coerce.number(),
  processed: z.coerce.number(),
  findings: z.coerce.number(),
});
export type ReviewProgress = z.infer<typeof progressRow>;

/** Pages and findings of each execution of a review so far. */
export const progressOfReview = (
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  reviewId: string,
): Promise<ReviewProgress[]> =>
  rowsOf(
    db,
    progressRow,
    sql`select run.execution_id, count(page.url_hash) as planned, count(page.processed_at) as processed,
        coalesce(sum(page.finding_count), 0) as findings
      from executions run left join execution_pages page using (api_key_id, execution_id)
      where run.api_key_id = ${apiKeyId} and run.review_id = ${reviewId} group by run.execution_id`,
  );

/** Ends a review. */
export async function finishReview(
  tx: Tx,
  { apiKeyId, reviewId }: Pick<ReviewRow, 'apiKeyId' | 'reviewId'>,
  outcome: ReviewRow['outcome'],
  completedAt: number,
): Promise<void> {
  await tx
    .updateTable('reviews')
    .set({ status: 'ended', outcome: json(outcome), completedAt })
    .where('apiKeyId', '=', apiKeyId)
    .where('reviewId', '=', reviewId)
    .execute();
}

export interface ReviewFilter {
  status?: ReviewRow['status'] | undefined;
  startedAfter?: number | undefined;
  startedBefore?: number | undefined;
}

/** A keyset page of reviews, newest first. */
export function listReviews(
  db: Db,
  { apiKeyId }: Scope,
  { status, startedAfter, startedBefore }: ReviewFilter,
  { limit, after }: { limit: number; after: Pick<ReviewRow, 'startedAt' | 'reviewId'> | undefined },
): Promise<ReviewRow[]> {
  let query = db.selectFrom('reviews').selectAll().where('apiKeyId', '=', apiKeyId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (startedAfter !== undefined) query = query.where('startedAt', '>', startedAfter);
  if (startedBefore !== undefined) query = query.where('startedAt', '<', startedBefore);
  if (after)
    query = query.where((eb) =>
      eb(eb.refTuple('startedAt', 'reviewId'), '<', eb.tuple(after.startedAt, after.reviewId)),
    );
  return query.orderBy('startedAt', 'desc').orderBy('reviewId', 'desc').limit(limit).execute();
}
