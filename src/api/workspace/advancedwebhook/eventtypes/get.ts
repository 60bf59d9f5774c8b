import { z } from 'zod';
import { read } from '../../../../http/endpoint.ts';
import { allEventTypes, describeEvent } from '../../../../webhooks/catalog/message-body.ts';
import { isWebhookEvent } from '../../../../webhooks/catalog/webhook-catalog.ts';

const record = z.record(z.string(), z.unknown());

export default read({
  path: '/v2/workspace/advancedwebhook/eventtypes/get',
  auth: 'apiKey',
  summary: 'List the events that webhooks tell of.',
  description: 'With the JSON Schema of a message and an example of one, before it is encoded or encrypted.',
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
        sentByDefault: z.boolean().describe('Whether an endpoint without `filterTypes` gets it.'),
        schema: record.describe('JSON Schema of a message.'),
        sample: record.describe('A message.'),
      }),
    ),
  }),
  message: 'Advanced webhook event types retrieved successfully.',

  handle: async ({ eventType }) => ({
    eventTypes: (eventType && isWebhookEvent(eventType) ? [eventType] : allEventTypes).map(describeEvent),
  }),
});
