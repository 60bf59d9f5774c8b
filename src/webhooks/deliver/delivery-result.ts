import type { AttemptResult } from '../../store/webhooks/lanes.ts';

/** The outcome of one attempt with what recording it and its consequences takes. */
export interface DeliveryResult extends AttemptResult {
  workspaceId: string;
  eventType: string;
  /** The endpoint failed before, so that a success ends an outage. */
  wasFailing: boolean;
  isGone: boolean;
  isForbidden: boolean;
  url: string;
}
