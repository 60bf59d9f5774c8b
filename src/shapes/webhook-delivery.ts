import { z } from 'zod';
import { named } from './named.ts';

export const deliveryEndpointId = z
  .string()
  .min(1)
  .max(1_024)
  .describe('Endpoint id, or `raw` or `processed` for the addresses of the basic configuration.');

export const webhookId = z.string().min(1).max(256).describe('Message id, as in the `webhook-id` header.');

export const deliveryStatus = named(
  'DeliveryStatus',
  z
    .enum(['waiting', 'delivered', 'failed', 'held'])
    .describe(
      '`waiting` for the first or next attempt; `failed`: every attempt failed; `held`: the endpoint was disabled.',
    ),
);

export const deliveryTime = z.number().int().min(0).max(8.64e15);

export const deliveryAttempt = named(
  'DeliveryAttempt',
  z.object({
    at: z.number().describe('Epoch milliseconds.'),
    outcome: z
      .enum(['delivered', 'refused', 'timeout', 'unreachable'])
      .describe(
        '`refused`: a response other than 2xx; `unreachable`: no response, including addresses that are blocked as internal.',
      ),
    status: z.number().nullable().describe('HTTP status of the response; null if there was none.'),
    latencyMs: z.number(),
    response: z.string().nullable().describe('Beginning of the response body.'),
    error: z.string().nullable().describe('Reason of the failure.'),
  }),
);

export const webhookDelivery = named(
  'Delivery',
  z.object({
    webhookId: z.string(),
    endpointId: z.string(),
    eventType: z.string(),
    status: deliveryStatus,
    createdAt: z.number().describe('Time of the event, in epoch milliseconds.'),
    nextAttemptAt: z
      .number()
      .nullable()
      .describe('Epoch milliseconds; null if no further attempt is planned.'),
    finishedAt: z.number().nullable().describe('Epoch milliseconds; null while the delivery is waiting.'),
    attempts: z.array(deliveryAttempt).describe('Oldest first. If there are very many, only the latest.'),
    payload: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The message before data protection, encryption and encoding. Present with includePayload.'),
  }),
);
export type WebhookDelivery = z.infer<typeof webhookDelivery>;
