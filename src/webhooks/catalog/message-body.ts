import { z } from 'zod';
import type { WebhookEventName } from '../../events/event-catalog.ts';
import { allowedCommentData, isCommentEvent } from './comment-events.ts';
import { allowedEditorData } from './live-document-events.ts';
import type { AllowedFields } from './pick-fields.ts';
import { webhookEvents } from './webhook-catalog.ts';
import { allowedPerson } from './webhook-event.ts';

interface MessageHead {
  webhookId: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Defaults to that of the event. */
  actionType?: string | undefined;
}

/** The body of a message for advanced endpoints, before it is protected, encrypted or encoded. */
export function messageBody(
  type: WebhookEventName,
  { webhookId, createdAt, actionType }: MessageHead,
  data: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const event = webhookEvents[type];
  return {
    event: type,
    actionType: actionType ?? event.actionType,
    source: event.source,
    platform: 'sdk',
    webhookId,
    createdAt,
    data,
    ...more,
  };
}

export const notificationsConfig = z
  .record(z.string(), z.object({ inbox: z.string().optional(), email: z.string().optional() }))
  .describe('Which notifications the involved users want, by userId.');

const channels = { '*': { inbox: true, email: true } } as const;

const allowedEnvelope = {
  webhookId: true,
  actionType: true,
  platform: true,
  createdAt: true,
  truncated: true,
  usersOrganizationNotificationsConfig: channels,
  usersDocumentNotificationsConfig: channels,
} as const;

/** Allowed fields of a body for advanced endpoints. */
export const allowedFieldsOf = (type: WebhookEventName): AllowedFields => ({
  ...allowedEnvelope,
  event: true,
  source: true,
  data: webhookEvents[type].allowed,
});

/** Allowed fields of a body for basic endpoints, which is flat and concerns comments and editors only. */
export const BASIC_ALLOWED_FIELDS: AllowedFields = {
  ...allowedEnvelope,
  ...allowedCommentData,
  ...allowedEditorData,
  notificationSource: true,
  assigned: allowedPerson,
};

/** The schema of a message, protected or truncated ones included; encrypted and encoded ones have another form. */
export function bodySchema(type: WebhookEventName): z.ZodObject {
  const { description, source, actionType, otherActionType, data } = webhookEvents[type];
  return z
    .looseObject({
      event: z.literal(type),
      actionType: otherActionType ? z.enum([actionType, otherActionType]) : z.literal(actionType),
      source: z.literal(source),
      platform: z.literal('sdk'),
      webhookId: z.string().describe('Identifies the message: equal in every attempt and replay.'),
      createdAt: z.number().describe('The time of the event in epoch milliseconds.'),
      truncated: z
        .literal(true)
        .optional()
        .describe(
          'The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor.',
        ),
      data,
      ...(isCommentEvent(type) && {
        usersOrganizationNotificationsConfig: notificationsConfig.optional(),
        usersDocumentNotificationsConfig: notificationsConfig.optional(),
      }),
    })
    .describe(description);
}

export const sampleBody = (type: WebhookEventName, head: MessageHead): Record<string, unknown> =>
  messageBody(type, head, webhookEvents[type].sample);

/** An event type as the API's catalog shows it. */
export interface DescribedEvent {
  eventType: WebhookEventName;
  description: string;
  source: string;
  /** False if only endpoints whose filter names the event receive it. */
  sentByDefault: boolean;
  /** JSON Schema of a message. */
  schema: Record<string, unknown>;
  sample: Record<string, unknown>;
}

const SAMPLE_HEAD: MessageHead = { webhookId: 'evt_0Lq2Wd7Kx9Rt5Yb3Nh8M', createdAt: 1_767_260_000_000 };

const described = new Map<WebhookEventName, DescribedEvent>();

/** Memoized, because generating a JSON Schema is slow. */
export function describeEvent(eventType: WebhookEventName): DescribedEvent {
  const known = described.get(eventType);
  if (known) return known;
  const { description, source, optIn } = webhookEvents[eventType];
  const event = {
    eventType,
    description,
    source,
    sentByDefault: !optIn,
    // The input form allows unknown fields: receivers must tolerate fields that are added later.
    schema: z.toJSONSchema(bodySchema(eventType), { io: 'input' }) as Record<string, unknown>,
    sample: sampleBody(eventType, SAMPLE_HEAD),
  };
  described.set(eventType, event);
  return event;
}

export const allEventTypes = Object.keys(webhookEvents) as WebhookEventName[];
