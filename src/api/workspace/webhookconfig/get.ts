import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { webhookConfig } from '../../../shapes/webhook.ts';
import { getServiceConfig } from '../../../store/platform/service-configs.ts';
import { showBasicConfig } from '../../../webhooks/settings/webhook-config.ts';

export default read({
  path: '/v2/workspace/webhookconfig/get',
  auth: 'apiKey',
  role: 'editor',
  summary: 'Get the settings of basic webhooks.',
  description:
    'Webhooks are off until they are enabled. The token is never returned; sending `__redacted__` back to workspace/webhookconfig/update keeps it.',
  data: z.object({}),
  dataOptional: true,
  result: webhookConfig,
  message: 'Webhook configuration retrieved successfully.',

  handle: async (_data, { db, caller }) => showBasicConfig(await getServiceConfig(db, caller, 'webhook')),
});
