import { z } from 'zod';
import { write } from '../../../../http/endpoint.ts';
import { webhookEndpointId } from '../../../../shapes/webhook.ts';
import { deleteEndpoint } from '../../../../store/webhooks/endpoints.ts';
import { requireAdvancedWebhooks } from '../../../../webhooks/settings/stored-settings.ts';

export default write({
  path: '/v2/workspace/advancedwebhook/endpoints/delete',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Delete an endpoint with its secrets.',
  description: 'Pending deliveries are dropped.',
  data: z
    .object({ endpointId: webhookEndpointId })
    .meta({ examples: [{ endpointId: 'ep_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({ endpointId: z.string(), deleted: z.literal(true) }),
  message: 'Advanced webhook endpoint deleted successfully.',
  failures: {
    FAILED_PRECONDITION: 'Advanced webhooks are not enabled.',
    NOT_FOUND: 'The endpoint does not exist.',
  },
  audit: { action: 'webhook_endpoint.deleted', of: ({ endpointId }) => ({ id: endpointId }) },

  async handle({ endpointId }, { tx, caller }) {
    await requireAdvancedWebhooks(tx, caller);
    await deleteEndpoint(tx, caller, endpointId);
    return { endpointId, deleted: true as const };
  },
});
