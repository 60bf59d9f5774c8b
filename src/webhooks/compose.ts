import type { Event } from '../events/catalog.ts';
import type { WebhookEventType } from './catalog.ts';

/** An event as it is sent, before any format. */
export interface Composed {
  event: Event;
  type: WebhookEventType;
  organizationId: string | null;
  documentId: string | null;
  /** Of two with the same key, the later one waits until the earlier one is over. */
  orderKey: string | null;
  /** JSON for advanced endpoints. */
  body: string;
  /** JSON for the basic ones; null where they do not take the event. */
  basicBody: string | null;
  /** Which trigger of the basic configuration must be on. */
  basicTrigger: string | null;
}
