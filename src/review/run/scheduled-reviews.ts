import type { StorageQuota } from '../../access/storage-quota.ts';
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

interface ScheduleDeps {
  db: Db;
  jobs: Jobs;
  storage: { quota: Pick<StorageQuota, 'requireRoom'> };
}

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
export async function startDueReviews(deps: ScheduleDeps, now: number): Promise<StartedSchedule[]> {
  const started: StartedSchedule[] = [];
  const failed: DueSchedule[] = [];
  while (started.length < MAX_STARTS) {
    let row: DueSchedule | undefined;
    try {
      const one = await deps.db.transaction().execute(async (tx) => {
        row = await lockDueSchedule(tx, now, failed);
        return row && (await start(tx, deps, row, now));
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

async function start(
  tx: Tx,
  { jobs, storage }: ScheduleDeps,
  row: DueSchedule,
  now: number,
): Promise<StartedSchedule> {
  const { scheduleId, apiKeyId, workspaceId, organizationId, documentId } = row;
  const { run, ...request } = row.request;
  const place = documentId === '' ? {} : { organizationId, documentId };
  const outcome: ScheduleChange = { lastError: null };
  const error = await errorOf(tx, async () => {
    storage.quota.requireRoom(apiKeyId, 0);
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
