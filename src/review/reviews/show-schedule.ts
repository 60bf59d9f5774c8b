import type { ScheduledReview } from '../../shapes/agents/review-request.ts';
import type { ReviewScheduleRecord } from '../../shapes/agents/review-schedule.ts';
import type { ScheduleRow } from '../../store/agents/review-schedules.ts';
import { choicesOf } from './sent-choices.ts';

/** A schedule as the API returns it. */
export const scheduleRecord = (row: ScheduleRow): ReviewScheduleRecord => ({
  id: row.scheduleId,
  name: row.name,
  cron: row.cron,
  timeZone: row.timeZone,
  enabled: row.enabled,
  review: reviewOf(row.request),
  metadata: { organizationId: row.organizationId, documentId: row.documentId },
  nextAt: row.enabled ? row.nextAt : null,
  lastAt: row.lastAt,
  lastReviewId: row.lastReviewId,
  lastError: row.lastError,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

function reviewOf({ urls, agents, preset, groupId, run }: ScheduledReview): ReviewScheduleRecord['review'] {
  const { crossPageExecute, maxUrlsToProcess, deviceType } = run;
  return {
    urls,
    ...(agents && { agents }),
    ...(preset && { preset }),
    ...(groupId !== undefined && { groupId }),
    crossPageExecute,
    maxUrlsToProcess,
    deviceType,
    ...choicesOf(run),
  };
}
