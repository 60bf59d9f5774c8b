import { z } from 'zod';
import { read } from '../../../../http/endpoint.ts';
import { twoWayCursors, twoWayPaging } from '../../../../shapes/webhook.ts';
import {
  deliveryEndpointId,
  deliveryStatus,
  deliveryTime,
  webhookDelivery,
  webhookId,
} from '../../../../shapes/webhook-delivery.ts';
import { listDeliveries } from '../../../../store/webhooks/deliveries.ts';
import { showDelivery } from '../../../../webhooks/settings/show-delivery.ts';
import { requireDeliveries } from '../../../../webhooks/settings/stored-settings.ts';
import { twoWayPage } from '../../../../webhooks/settings/two-way-page.ts';

/** Maximum page size with messages, which may be large. */
const MAX_WITH_PAYLOAD = 20;

export default read({
  path: '/v2/workspace/advancedwebhook/deliveries/get',
  auth: 'apiKey',
  summary: 'List the deliveries to an endpoint or of a message, newest first.',
  description:
    'Shows why messages did not arrive: each delivery has its attempts with the responses. Test messages are included. Deliveries are kept for 90 days unless the operator decides otherwise, those of `crdt.update_data` for 7 days unless they are still waiting or held.',
  data: z
    .object({
      endpointId: deliveryEndpointId.optional(),
      webhookId: webhookId.optional(),
      status: deliveryStatus.optional(),
      eventType: z.string().min(1).max(200).optional().describe('Returns only deliveries of this event.'),
      since: deliveryTime
        .optional()
        .describe('Returns only events at or after this time, in epoch milliseconds.'),
      until: deliveryTime.optional().describe('Returns only events before this time, in epoch milliseconds.'),
      includePayload: z
        .boolean()
        .default(false)
        .describe(`Includes the messages. The limit is then at most ${MAX_WITH_PAYLOAD}.`),
      limit: twoWayPaging.limit
        .unwrap()
        .optional()
        .describe('Maximum number of entries in one response. Defaults to 50, or 20 with includePayload.'),
      iterator: twoWayPaging.iterator,
    })
    .refine(({ endpointId, webhookId }) => endpointId !== undefined || webhookId !== undefined, {
      error: 'endpointId or webhookId is required.',
    })
    .refine(({ includePayload, limit = 0 }) => !includePayload || limit <= MAX_WITH_PAYLOAD, {
      path: ['limit'],
      error: `must be at most ${MAX_WITH_PAYLOAD} with includePayload`,
    })
    .meta({
      examples: [{ endpointId: 'ep_1a2B3cD4eF5gH6jK7mN8', status: 'failed', since: 1_767_260_000_000 }],
    }),
  result: z.object({ deliveries: z.array(webhookDelivery), ...twoWayCursors }),
  message: 'Advanced webhook deliveries retrieved successfully.',
  failures: {
    FAILED_PRECONDITION: 'Advanced webhooks are not enabled.',
    NOT_FOUND: 'The endpoint does not exist.',
  },

  async handle({ iterator, limit, includePayload, ...filter }, { db, caller, keyring }) {
    await requireDeliveries(db, caller, filter.endpointId);
    const { rows, ...cursors } = await twoWayPage(
      keyring,
      ['webhook deliveries', caller.apiKeyId, JSON.stringify(filter)],
      { iterator, limit: limit ?? (includePayload ? MAX_WITH_PAYLOAD : 50) },
      ({ from, direction, limit }) => {
        const place = from && { seq: Number(from[0]), endpointId: String(from[1]) };
        return listDeliveries(db, caller, filter, { from: place, direction, limit }, includePayload);
      },
      (row) => [row.seq, row.endpointId],
    );
    return { deliveries: rows.map(showDelivery), ...cursors };
  },
});
