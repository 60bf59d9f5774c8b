import type { Notification, Thread } from '@redpen/client';
import type { Written } from './comments/composer.ts';
import type { ThreadAction } from './comments/thread-actions.ts';
import type { ThreadFilter } from './comments/thread-list.ts';
import type { DecisionStep, Refusals } from './findings/decisions.ts';
import type { Filter, GroupBy, ListedFinding } from './findings/listed-finding.ts';
import type { Pin } from './pins/pin.ts';
import type { ReviewRecord } from './run/follow-review.ts';

/** The events of the elements with their details. What follows an event does not happen if a listener prevents it. */
export interface RedpenEvents {
  'rp-pin-select': CustomEvent<{ id: string; pin: Pin }>;
  'rp-pin-hover': CustomEvent<{ id: string | undefined; pin: Pin | undefined }>;
  'rp-pin-close': CustomEvent<{ id: string }>;
  'rp-finding-select': CustomEvent<{ id: string | undefined; finding: ListedFinding }>;
  'rp-finding-hover': CustomEvent<{ id: string | undefined; finding: ListedFinding | undefined }>;
  'rp-finding-decide': CustomEvent<DecisionStep & { findings: readonly ListedFinding[] }>;
  'rp-findings-decided': CustomEvent<DecisionStep & { refusals: Refusals }>;
  'rp-findings-filter': CustomEvent<Filter & { groupBy: GroupBy }>;
  'rp-run-change': CustomEvent<{ review: ReviewRecord }>;
  'rp-run-cancel': CustomEvent<{ review: ReviewRecord }>;
  'rp-submit': CustomEvent<Written>;
  'rp-cancel': CustomEvent<{ draftKey: string | undefined }>;
  'rp-thread-action': CustomEvent<ThreadAction & { annotationId: string; thread: Thread }>;
  'rp-thread-select': CustomEvent<{ annotationId: string | undefined; thread: Thread }>;
  'rp-thread-add': CustomEvent<{ comment: Written }>;
  'rp-threads-filter': CustomEvent<ThreadFilter>;
  'rp-notification-open': CustomEvent<{ notification: Notification; annotationId: string | undefined }>;
  'rp-notifications-read': CustomEvent<{ ids: readonly string[] }>;
  'rp-presence-join': CustomEvent<object>;
}

declare global {
  interface HTMLElementEventMap extends RedpenEvents {}
  interface DocumentEventMap {
    /** A comment was refused after its field had gone from the page; its text is kept as the draft of the field. */
    'rp-refused': CustomEvent<{ problem: string; draftKey: string | undefined }>;
  }
}
