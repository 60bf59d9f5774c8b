import { errorOf } from '../../db/savepoint.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Jobs } from '../../jobs/queue.ts';
import { ApiError } from '../../lib/errors.ts';
import {
  changeSchedule,
  type DueSchedule,
  lockDueSchedule,
  type ScheduleChange,
} from '../../store/agents/review-schedules.ts';
import { nextStart } from '../reviews/next-start.ts';
import { dispatchReview } from './dispatch-review.ts';

export interface StartedSchedule {
  scheduleId: string;
  reviewId?: string;
  /** Why no review was started. */
  error?: string;
  /** An internal error, because of which nothing was changed. */
  fault?: unknown;
}

/** Starts in one round; further schedules wait for the next. */
const MAX_STARTS = 50;

/**
 * Starts the reviews of schedules that are due. A schedule that missed several starts, since no process ran, starts once. A
 * review that cannot be started is noted with its schedule, and the next start is tried again.
 */
export async function startDueReviews(db: Db, jobs: Jobs, now: number): Promise<StartedSchedule[]> {
  const started: StartedSchedule[] = [];
  const failed: DueSchedule[] = [];
  while (started.length < MAX_STARTS) {
    let row: DueSchedule | undefined;
    try {
      const one = await db.transaction().execute(async (tx) => {
        row = await lockDueSchedule(tx, now, failed);
        return row && (await start(tx, jobs, row, now));
      });
      if (!one) break;
      started.push(one);
    } catch (fault) {
      if (!row) throw fault;
      // It stays due for the next round, and does not delay those behind it.
      failed.push(row);
      started.push({ scheduleId: row.scheduleId, fault });
    }
  }
  return started;
}

async function start(tx: Tx, jobs: Jobs, row: DueSchedule, now: number): Promise<StartedSchedule> {
  const { scheduleId, apiKeyId, workspaceId, organizationId, documentId } = row;
  const { run, ...request } = row.request;
  const place = documentId === '' ? {} : { organizationId, documentId };
  const outcome: ScheduleChange = { lastError: null };
  const error = await errorOf(tx, async () => {
    const dispatch = { ...request, ...place, request: run };
    const { reviewId } = await dispatchReview(tx, jobs, { workspaceId, apiKeyId }, dispatch);
    outcome.lastReviewId = reviewId;
  });
  if (error instanceof ApiError) outcome.lastError = error.message;
  else if (error) throw error;
  const next = nextStart(row, now);
  const change = { ...outcome, lastAt: now, ...(next === undefined ? { enabled: false } : { nextAt: next }) };
  await changeSchedule(tx, row, change, now);
  return {
    scheduleId,
    ...(outcome.lastReviewId && { reviewId: outcome.lastReviewId }),
    ...(outcome.lastError && { error: outcome.lastError }),
  };
}
