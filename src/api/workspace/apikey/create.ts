import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { configureServices } from '../../../notifications/configure-services.ts';
import { emailServiceConfig } from '../../../shapes/api-key-config.ts';
import { newKeyWebhookConfig } from '../../../shapes/webhook.ts';
import { apiKeyName, domains } from '../../../shapes/workspace.ts';
import { createApiKey } from '../../../store/platform/create-api-key.ts';
import { changeBasicConfig } from '../../../webhooks/settings/webhook-config.ts';

const flag = z.boolean().optional();
const region = z
  .string()
  .regex(/^(eur3|nam5|(africa|asia|australia|europe|me|northamerica|southamerica|us)-[a-z]+\d{1,2})$/, {
    error: 'is not a supported region',
  });

export default write({
  path: '/v2/workspace/apikey/create',
  auth: 'workspace',
  summary: 'Create an API key, which is a separate tenant within the workspace.',
  description:
    'Services that the request does not configure keep their defaults and can be configured later. Repeating the request creates another API key, unless it has the same idempotency key.',
  data: z
    .object({
      ownerEmail: z.email().max(320),
      type: z.enum(['testing', 'production']).describe('`production` requires a paid plan.'),
      apiKeyName: apiKeyName.optional().describe("Defaults to a name made from the owner's email."),
      createAuthToken: z
        .boolean()
        .default(true)
        .describe('If false, the key has no token and cannot be used until its token is reset.'),
      allowedDomains: domains.optional(),
      addLocalHostToAllowedDomains: flag.describe('Adds `localhost` and `127.0.0.1` to the allowed domains.'),
      persistenceDBRegion: region
        .optional()
        .describe('Accepted without effect: data is stored where the service runs.'),
      realtimeDBRegion: region
        .optional()
        .describe('Accepted without effect: data is stored where the service runs.'),
      enablePrivateComments: flag.describe('Stored for clients; it does not change how the service works.'),
      requireAutoOrgUser: flag.describe('Stored for clients; it does not change how the service works.'),
      useEmailService: flag.describe('Enables emails about notifications.'),
      useWebhookService: flag.describe('Enables basic webhooks.'),
      useNotificationService: flag.describe('Enables notifications.'),
      setDefaultNotificationTriggers: flag.describe('Enables the default events for notifications.'),
      setDefaultEmailTriggers: flag.describe('Enables the default events for emails.'),
      emailServiceConfig: emailServiceConfig.optional(),
      webhookServiceConfig: newKeyWebhookConfig.optional(),
    })
    .meta({ examples: [{ ownerEmail: 'ada@example.com', type: 'testing', apiKeyName: 'Staging' }] }),
  result: z.object({
    apiKey: z.string().describe('Id of the new key. workspace/authtokens/get returns its token.'),
  }),
  message: 'API key created successfully.',
  failures: { FAILED_PRECONDITION: 'A production key requires a paid plan.' },
  audit: {
    action: 'key.created',
    of: ({ apiKeyName, type, allowedDomains }, { apiKey }) => ({
      id: apiKey,
      apiKeyId: apiKey,
      after: { apiKeyName, type, allowedDomains },
    }),
  },

  async handle(data, { tx, caller, keyring, settings }) {
    const { useEmailService, emailServiceConfig, setDefaultEmailTriggers, ...withoutMail } = data;
    const { useNotificationService, setDefaultNotificationTriggers, ...others } = withoutMail;
    const { useWebhookService, webhookServiceConfig, ...key } = others;
    const apiKeyId = await createApiKey(tx, keyring, caller, key);
    const scope = { ...caller, apiKeyId };
    await configureServices(tx, keyring, scope, {
      useEmailService,
      emailServiceConfig,
      setDefaultEmailTriggers,
      useNotificationService,
      setDefaultNotificationTriggers,
    });
    if (useWebhookService !== undefined || webhookServiceConfig) {
      const webhooks = { useWebhookService, webhookServiceConfig };
      await changeBasicConfig(tx, keyring, scope, settings.checkUrl, webhooks);
    }
    return { apiKey: apiKeyId };
  },
});
