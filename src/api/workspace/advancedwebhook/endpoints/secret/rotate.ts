import { z } from 'zod';
import { write } from '../../../../../http/endpoint.ts';
import { webhookEndpointId, webhookSecret } from '../../../../../shapes/webhook.ts';
import { rotateEndpointSecret } from '../../../../../store/webhooks/endpoints.ts';
import { newWebhookSecret } from '../../../../../webhooks/deliver/sign-webhook.ts';
import { requireAdvancedWebhooks } from '../../../../../webhooks/settings/stored-settings.ts';

const DAY_SECONDS = 86_400;

export default write({
  path: '/v2/workspace/advancedwebhook/endpoints/secret/rotate',
  auth: 'apiKey',
  summary: 'Give an endpoint another secret; the one it had signs beside it for a while.',
  description:
    'Two secrets sign at most: a further rotation within that while ends the oldest at once. With the secret that the endpoint has already, nothing changes.',
  data: z
    .object({
      endpointId: webhookEndpointId,
      secret: webhookSecret.optional(),
      gracePeriodSeconds: z
        .number()
        .int()
        .min(0)
        .max(7 * DAY_SECONDS)
        .default(DAY_SECONDS)
        .describe('For how long the earlier secret signs too; 0 ends it at once.'),
    })
    .meta({ examples: [{ endpointId: 'ep_1a2B3cD4eF5gH6jK7mN8', gracePeriodSeconds: 3_600 }] }),
  result: z.object({
    endpointId: z.string(),
    secret: z.string(),
    previousSecretExpiresAt: z.iso.datetime().nullable().describe('Null where no earlier one signs.'),
  }),
  message: 'Advanced webhook endpoint secret rotated successfully.',
  failures: {
    FAILED_PRECONDITION: 'Advanced webhooks are not turned on.',
    NOT_FOUND: 'No such endpoint.',
  },

  async handle({ endpointId, secret = newWebhookSecret(), gracePeriodSeconds }, { tx, caller, keyring }) {
    await requireAdvancedWebhooks(tx, caller);
    const graceMs = gracePeriodSeconds * 1_000;
    const until = await rotateEndpointSecret(tx, keyring, caller, endpointId, { secret, graceMs });
    return {
      endpointId,
      secret,
      previousSecretExpiresAt: until === null ? null : new Date(until).toISOString(),
    };
  },
});
