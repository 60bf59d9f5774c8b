import { z } from 'zod';
import type { EventName } from '../../events/event-catalog.ts';
import { type CommentEventType, commentEvents, metadata, person } from './comment-events.ts';
import { otherEvents } from './other-events.ts';
import { samples } from './samples.ts';

export interface WebhookEvent {
  description: string;
  source: string;
  /** The verb of the event, as basic webhooks name it. */
  actionType: string;
  /** Replaces `actionType` for a special case of the event. */
  otherActionType?: string;
  /** Sent only to endpoints whose filter names the event. */
  optIn?: true;
  data: z.ZodType;
  sample: Record<string, unknown>;
}

const crdtData = z
  .looseObject({
    id: z.string().describe('The editorId.'),
    data: z
      .unknown()
      .optional()
      .describe(
        'All of the content as it was then: a string, an object or a list. Absent where it is large, which `truncated` tells; crdt/get answers it.',
      ),
    lastUpdate: z.string().describe('A time as ISO 8601 has it.'),
    lastUpdatedBy: z.string().nullable().describe('The userId; null where a backend wrote last.'),
    sessionId: z.string().nullable().describe('The connection that wrote last.'),
  })
  .describe('The editor in which somebody wrote.');

const editorEvents = {
  'crdt.update_data': {
    description:
      'Somebody wrote in a live editor: told once nobody has for 5 seconds, and every 20 seconds while they go on.',
    source: 'crdt',
    actionType: 'updateData',
    data: z.looseObject({
      crdtData,
      actionUser: person.optional().describe('Who wrote last, as far as that is known.'),
      metadata,
    }),
  },
} as const;

export type WebhookEventType = CommentEventType | keyof typeof editorEvents | keyof typeof otherEvents;

// The type makes the compiler reject a catalogue that lacks an event.
const described: Record<EventName, Omit<WebhookEvent, 'sample'>> = {
  ...commentEvents,
  ...editorEvents,
  ...otherEvents,
};

export const webhookEvents = Object.fromEntries(
  Object.entries(described).map(([type, event]) => [
    type,
    { ...event, sample: samples[type as WebhookEventType] },
  ]),
) as Record<WebhookEventType, WebhookEvent>;

export const isWebhookEvent = (name: string): name is WebhookEventType => Object.hasOwn(webhookEvents, name);
