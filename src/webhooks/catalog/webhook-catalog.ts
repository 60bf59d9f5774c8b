import type { z } from 'zod';
import type { EventName } from '../../events/event-catalog.ts';
import { type CommentEventType, commentEvents } from './comment-events.ts';
import { editorEvents } from './editor-events.ts';
import { otherEvents } from './other-events.ts';
import { samples } from './samples.ts';

export interface WebhookEvent {
  description: string;
  source: string;
  /** What happened, in the words of the basic webhooks. */
  actionType: string;
  /** In its place where the event tells of something special. */
  otherActionType?: string;
  /** Sent only to endpoints that name it. */
  optIn?: true;
  data: z.ZodType;
  /** An example of the data. */
  sample: Record<string, unknown>;
}

export type WebhookEventType = CommentEventType | keyof typeof editorEvents | keyof typeof otherEvents;

/** An event that no webhook tells of is a mistake that the compiler finds here. */
const described: Record<EventName, Omit<WebhookEvent, 'sample'>> = {
  ...commentEvents,
  ...editorEvents,
  ...otherEvents,
};

/** Every event that webhooks tell of. */
export const webhookEvents = Object.fromEntries(
  Object.entries(described).map(([type, event]) => [
    type,
    { ...event, sample: samples[type as WebhookEventType] },
  ]),
) as Record<WebhookEventType, WebhookEvent>;

export const isWebhookEvent = (name: string): name is WebhookEventType => Object.hasOwn(webhookEvents, name);
