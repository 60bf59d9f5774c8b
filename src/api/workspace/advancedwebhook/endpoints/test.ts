import { z } from 'zod';
import type { WebhookEventName } from '../../../../events/event-catalog.ts';
import { call } from '../../../../http/endpoint.ts';
import { unavailable } from '../../../../lib/errors.ts';
import { webhookEndpointId } from '../../../../shapes/webhook.ts';
import { deliveryAttempt } from '../../../../shapes/webhook-delivery.ts';
import { recordTest } from '../../../../store/webhooks/deliveries.ts';
import { requireEndpoint } from '../../../../store/webhooks/endpoints.ts';
import { isWebhookEvent } from '../../../../webhooks/catalog/webhook-catalog.ts';
import { sendTest } from '../../../../webhooks/deliver/send-test.ts';
import { showAttempt } from '../../../../webhooks/settings/show-delivery.ts';
import { requireAdvancedWebhooks } from '../../../../webhooks/settings/stored-settings.ts';

export default call({
  path: '/v2/workspace/advancedwebhook/endpoints/test',
  auth: 'apiKey',
  summary: 'Send a sample event to an endpoint once, and return the result.',
  description:
    'The message is formatted and signed like a real one, and is sent to a disabled endpoint too. Its `webhook-id` begins with `evt_test_`.',
  data: z
    .object({
      endpointId: webhookEndpointId,
      eventType: z
        .string()
        .refine(isWebhookEvent, { error: 'must be the name of an event' })
        .default('comment.add')
        .describe('Event type whose sample is sent.'),
    })
    .meta({ examples: [{ endpointId: 'ep_1a2B3c', eventType: 'comment.add' }] }),
  result: z.object({
    endpointId: z.string(),
    webhookId: z.string(),
    delivered: z.boolean(),
    attempt: deliveryAttempt,
  }),
  message: 'Advanced webhook endpoint tested successfully.',
  failures: {
    FAILED_PRECONDITION: 'Advanced webhooks are not enabled.',
    NOT_FOUND: 'The endpoint does not exist.',
    RESOURCE_EXHAUSTED: 'Too many webhooks to this host or of this API key are in progress.',
  },

  async handle(
    { endpointId, eventType },
    { db, caller, keyring, outside, webhookSlots, transaction, releaseTurn },
  ) {
    await requireAdvancedWebhooks(db, caller);
    await requireEndpoint(db, caller, endpointId);
    const key = { apiKeyId: caller.apiKeyId, endpointId };
    const deps = { db, keyring, outside, slots: webhookSlots };
    releaseTurn();
    const sent = await sendTest(deps, key, eventType as WebhookEventName);
    if (!sent) throw unavailable('The endpoint was changed meanwhile; try again.');
    await transaction((tx) => recordTest(tx, caller, sent));
    return {
      endpointId,
      webhookId: sent.messageId,
      delivered: sent.attempt.outcome === 'delivered',
      attempt: showAttempt(sent.attempt),
    };
  },
});
