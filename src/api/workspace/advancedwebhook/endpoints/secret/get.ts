import { z } from 'zod';
import { read } from '../../../../../http/endpoint.ts';
import { webhookEndpointId } from '../../../../../shapes/webhook.ts';
import { openEndpointSecret, requireEndpoint } from '../../../../../store/webhooks/endpoints.ts';
import { requireAdvancedWebhooks } from '../../../../../webhooks/settings/stored-settings.ts';

export default read({
  path: '/v2/workspace/advancedwebhook/endpoints/secret/get',
  auth: 'apiKey',
  role: 'owner',
  summary: 'Get the secret that signs the messages of an endpoint.',
  description:
    'The receiver verifies signatures with it. After a rotation it is the new secret; the previous one, which also signs during the grace period, is not returned.',
  data: z
    .object({ endpointId: webhookEndpointId })
    .meta({ examples: [{ endpointId: 'ep_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({ endpointId: z.string(), secret: z.string() }),
  message: 'Advanced webhook endpoint secret retrieved successfully.',
  failures: {
    FAILED_PRECONDITION: 'Advanced webhooks are not enabled.',
    NOT_FOUND: 'The endpoint does not exist.',
  },

  async handle({ endpointId }, { db, caller, keyring }) {
    await requireAdvancedWebhooks(db, caller);
    const row = await requireEndpoint(db, caller, endpointId);
    return { endpointId, secret: openEndpointSecret(keyring, row)! };
  },
});
