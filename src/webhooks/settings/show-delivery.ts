import type { z } from 'zod';
import type { Attempt } from '../../db/tables/webhook-tables.ts';
import type { deliveryAttempt, WebhookDelivery } from '../../shapes/webhook-delivery.ts';
import type { DeliveryRow } from '../../store/webhooks/deliveries.ts';

/** An attempt as the API returns it, with null for absent fields. */
export const showAttempt = ({
  at,
  outcome,
  status,
  latencyMs,
  response,
  error,
}: Attempt): z.infer<typeof deliveryAttempt> => ({
  at,
  outcome,
  status: status ?? null,
  latencyMs,
  response: response ?? null,
  error: error ?? null,
});

/** A delivery as the API returns it, with its payload if that was read. */
export const showDelivery = (row: DeliveryRow): WebhookDelivery => ({
  webhookId: row.messageId,
  endpointId: row.endpointId,
  eventType: row.eventType,
  status: row.status,
  createdAt: row.createdAt,
  nextAttemptAt: row.nextAt,
  finishedAt: row.finishedAt,
  attempts: row.attempts.map(showAttempt),
  ...(row.body !== null && { payload: JSON.parse(row.body) as Record<string, unknown> }),
});
