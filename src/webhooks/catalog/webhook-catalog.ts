import type { WebhookEventName } from '../../events/event-catalog.ts';
import { agentEvents } from './agent-events.ts';
import { commentEvents } from './comment-events.ts';
import { liveEvents } from './live-document-events.ts';
import { noticeEvents } from './notice-events.ts';
import { placeEvents } from './place-events.ts';
import type { WebhookEvent } from './webhook-event.ts';

/** Every event, except those for live clients alone. The type makes the compiler reject a catalog that lacks one. */
export const webhookEvents: Record<WebhookEventName, WebhookEvent> = {
  ...commentEvents,
  ...liveEvents,
  ...placeEvents,
  ...agentEvents,
  ...noticeEvents,
};

export const isWebhookEvent = (name: string): name is WebhookEventName => Object.hasOwn(webhookEvents, name);
