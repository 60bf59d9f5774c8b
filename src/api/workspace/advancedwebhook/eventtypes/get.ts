import { z } from 'zod';
import { read } from '../../../../http/endpoint.ts';
import { allEventTypes, describeEvent } from '../../../../webhooks/catalog/message-body.ts';
import { isWebhookEvent } from '../../../../webhooks/catalog/webhook-catalog.ts';

const record = z.record(z.string(), z.unknown());

export default read({
  path: '/v2/workspace/advancedwebhook/eventtypes/get',
  auth: 'apiKey',
  summary: 'List the event types of webhooks.',
  description: 'Each has the JSON Schema and a sample of its message, before encoding and encryption.',
  data: z
    .object({
      eventType: z
        .string()
        .refine(isWebhookEvent, { error: 'must be the name of an event' })
        .optional()
        .describe('Only this one.'),
    })
    .meta({ examples: [{ eventType: 'comment_annotation.add' }] }),
  dataOptional: true,
  result: z.object({
    eventTypes: z.array(
      z.object({
        eventType: z.string(),
        description: z.string(),
        source: z.string(),
        sentByDefault: z.boolean().describe('True if endpoints without `filterTypes` receive it.'),
        schema: record.describe('JSON Schema of the message.'),
        sample: record.describe('Sample message.'),
      }),
    ),
  }),
  message: 'Advanced webhook event types retrieved successfully.',

  handle: async ({ eventType }) => ({
    eventTypes: (eventType && isWebhookEvent(eventType) ? [eventType] : allEventTypes).map(describeEvent),
  }),
});
