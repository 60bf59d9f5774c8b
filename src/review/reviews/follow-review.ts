import type { z } from 'zod';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { pause } from '../../lib/time.ts';
import type { review } from '../../shapes/agents/review.ts';
import {
  progressOfReview,
  type ReviewRow,
  requireReview,
  statesOfReview,
} from '../../store/agents/reviews.ts';
import { inOrderOf } from './read-report.ts';
import { reviewRecord } from './show-review.ts';

const POLL_EVERY_MS = 300;

export const readReview = async (db: Db, scope: Scope, reviewId: string): Promise<z.input<typeof review>> =>
  showReview(db, await requireReview(db, scope, reviewId));

/** Reviews as a list returns them. */
export async function reviewsListed(db: Db, rows: readonly ReviewRow[]): Promise<z.input<typeof review>[]> {
  const reviews = [];
  for (const row of rows) reviews.push(await showReview(db, row));
  return reviews;
}

async function showReview(db: Db, row: ReviewRow): Promise<z.input<typeof review>> {
  const executions = inOrderOf(row, await statesOfReview(db, row, row.reviewId));
  return reviewRecord(row, executions, await progressOfReview(db, row, row.reviewId));
}

/**
 * Long polling: returns the review as soon as it differs from the revision that the caller has seen, it has ended,
 * `waitMs` have passed or the client has gone. No connection or transaction is held in between.
 */
export async function followReview(
  db: Db,
  scope: Scope,
  reviewId: string,
  { seen, waitMs }: { seen?: string | undefined; waitMs: number },
  untilGone: () => AbortSignal,
): Promise<z.input<typeof review>> {
  const until = Date.now() + waitMs;
  let shown = await readReview(db, scope, reviewId);
  const isNews = () => shown.revision !== seen || shown.status === 'ended';
  if (isNews() || waitMs === 0) return shown;
  const gone = untilGone();
  while (!isNews() && Date.now() < until && !gone.aborted) {
    await pause(Math.min(POLL_EVERY_MS, until - Date.now()), gone);
    shown = await readReview(db, scope, reviewId);
  }
  return shown;
}
