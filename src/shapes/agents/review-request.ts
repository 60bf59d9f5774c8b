import type { z } from 'zod';
import type { ReviewPreset, reviewCounts, SentChoices } from './review.ts';
import type { DeviceType, RunRequest, Verdict } from './run.ts';

/** The request of a review, as it is stored. Its runs have the rest of it. */
export interface ReviewRequest extends SentChoices {
  urls: string[];
  agents: { agentId: string; name: string }[];
  crossPageExecute: boolean;
  maxUrlsToProcess: number;
  deviceType: DeviceType;
  preset?: string | undefined;
  groupId?: string | undefined;
}

/** The outcome of a review that has ended; empty before. */
export interface ReviewOutcome {
  verdict?: Verdict;
  counts?: z.infer<typeof reviewCounts>;
}

/** A review that a schedule starts, as it is stored: the data of reviews/run without its document. */
export interface ScheduledReview {
  urls: string[];
  agents?: string[] | undefined;
  preset?: ReviewPreset | undefined;
  groupId?: string | undefined;
  ranBy?: { userId: string; name: string; email: string } | undefined;
  run: RunRequest;
}
