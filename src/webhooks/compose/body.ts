import { z } from 'zod';
import { isCommentEvent } from '../catalog/comment-events.ts';
import { type WebhookEventType, webhookEvents } from '../catalog/webhook-catalog.ts';

interface About {
  webhookId: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Where it is not the usual one. */
  actionType?: string | undefined;
}

/** A message for advanced endpoints, before any format. */
export function bodyOf(
  type: WebhookEventType,
  { webhookId, createdAt, actionType }: About,
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

const notificationsConfig = z
  .record(z.string(), z.object({ inbox: z.string().optional(), email: z.string().optional() }))
  .describe('What the people concerned want to hear of, by userId.');

/** What a message of an event is like, in every form but encoded or encrypted. */
export function bodySchema(type: WebhookEventType): z.ZodObject {
  const { description, source, actionType, otherActionType, data } = webhookEvents[type];
  return z
    .looseObject({
      event: z.literal(type),
      actionType: otherActionType ? z.enum([actionType, otherActionType]) : z.literal(actionType),
      source: z.literal(source),
      platform: z.literal('sdk'),
      webhookId: z.string().describe('The same whenever the message comes again.'),
      createdAt: z.number().describe('When it happened, in epoch milliseconds.'),
      truncated: z
        .literal(true)
        .optional()
        .describe(
          'The message would have been too large: it has only ids, types, statuses, numbers and times, or lacks the content of an editor.',
        ),
      data,
      ...(isCommentEvent(type) && {
        usersOrganizationNotificationsConfig: notificationsConfig.optional(),
        usersDocumentNotificationsConfig: notificationsConfig.optional(),
      }),
    })
    .describe(description);
}

/** An example of a message. */
export const sampleBody = (
  type: WebhookEventType,
  about: { webhookId: string; createdAt: number },
): Record<string, unknown> => bodyOf(type, about, webhookEvents[type].sample);
