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
  role: 'owner',
  summary: 'Rotate the secret of an endpoint.',
  description:
    'The previous secret also signs for a grace period. At most two secrets sign at the same time: another rotation within the grace period ends the oldest at once. Sending the current secret changes nothing.',
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
        .describe('How long the previous secret also signs, in seconds; 0 ends it at once.'),
    })
    .meta({ examples: [{ endpointId: 'ep_1a2B3cD4eF5gH6jK7mN8', gracePeriodSeconds: 3_600 }] }),
  result: z.object({
    endpointId: z.string(),
    secret: z.string(),
    previousSecretExpiresAt: z.iso.datetime().nullable().describe('Null if no previous secret signs.'),
  }),
  message: 'Advanced webhook endpoint secret rotated successfully.',
  failures: {
    FAILED_PRECONDITION: 'Advanced webhooks are not enabled.',
    NOT_FOUND: 'The endpoint does not exist.',
  },
  audit: {
    action: 'webhook_endpoint.secret_rotated',
    of: ({ endpointId, gracePeriodSeconds }) => ({ id: endpointId, after: { gracePeriodSeconds } }),
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
