import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { advancedWebhookConfig } from '../../../shapes/webhook.ts';
import { getServiceConfig } from '../../../store/platform/service-configs.ts';
import { advancedSettings } from '../../../webhooks/settings/stored-settings.ts';

export default read({
  path: '/v2/workspace/advancedwebhookconfig/get',
  auth: 'apiKey',
  summary: 'Get the settings of advanced webhooks.',
  description:
    'Unlike the operations on endpoints, this one also works while advanced webhooks are disabled. Flags that were never set are false.',
  data: z.object({}),
  dataOptional: true,
  result: advancedWebhookConfig,
  message: 'Advanced webhook configuration retrieved successfully.',

  handle: async (_data, { db, caller }) =>
    advancedSettings(await getServiceConfig(db, caller, 'advancedWebhook')),
});
