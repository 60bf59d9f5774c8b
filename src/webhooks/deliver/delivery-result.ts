import type { AttemptResult } from '../../store/webhooks/lanes.ts';

/** The outcome of one attempt, with everything needed to record it and act on it. */
export interface DeliveryResult extends AttemptResult {
  workspaceId: string;
  eventType: string;
  /** The endpoint failed before, so that a success ends an outage. */
  wasFailing: boolean;
  isGone: boolean;
  isForbidden: boolean;
  url: string;
}
