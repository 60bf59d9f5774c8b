import { z } from 'zod';

export const deliveryEndpointId = z
  .string()
  .min(1)
  .max(1_024)
  .describe('Endpoint; `raw` or `processed` for those of the basic configuration.');

export const webhookId = z
  .string()
  .min(1)
  .max(256)
  .describe('Id of the message, as in its `webhook-id` header.');

export const deliveryStatus = z
  .enum(['waiting', 'delivered', 'failed', 'held'])
  .describe(
    '`waiting` for its first or next try; `failed`: every try was in vain; `held`: the endpoint was disabled.',
  );

export const deliveryTime = z.number().int().min(0).max(8.64e15);

export const deliveryAttempt = z.object({
  at: z.number().describe('Epoch milliseconds.'),
  outcome: z
    .enum(['delivered', 'refused', 'timeout', 'unreachable'])
    .describe(
      '`refused`: another answer than 2xx; `unreachable`: none, also where the address is an internal one.',
    ),
  status: z.number().nullable().describe('HTTP status; null where there was no answer.'),
  latencyMs: z.number(),
  response: z.string().nullable().describe('How the body of the answer begins.'),
  error: z.string().nullable().describe('Why it failed.'),
});

export const webhookDelivery = z.object({
  webhookId: z.string(),
  endpointId: z.string(),
  eventType: z.string(),
  status: deliveryStatus,
  createdAt: z.number().describe('When it happened, in epoch milliseconds.'),
  nextAttemptAt: z.number().nullable().describe('Epoch milliseconds; null where none is to come.'),
  finishedAt: z.number().nullable().describe('Epoch milliseconds; null while it waits.'),
  attempts: z.array(deliveryAttempt).describe('The oldest first; of very many, the latest.'),
  payload: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The message, before it is protected, encrypted or encoded; where it is asked for.'),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;
