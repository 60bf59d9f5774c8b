import type { z } from 'zod';
import type { Severity } from './execution.ts';
import type { reviewCounts } from './review.ts';
import type { DeviceType, Verdict } from './run.ts';

/** The request of a review, as it is stored. Its runs have the rest of it. */
export interface ReviewRequest {
  urls: string[];
  agents: { agentId: string; name: string }[];
  crossPageExecute: boolean;
  maxUrlsToProcess: number;
  deviceType: DeviceType;
  preset?: string | undefined;
  groupId?: string | undefined;
  severities?: Record<string, Severity | 'off'> | undefined;
}

/** The outcome of a review that has ended; empty before. */
export interface ReviewOutcome {
  verdict?: Verdict;
  counts?: z.infer<typeof reviewCounts>;
}
