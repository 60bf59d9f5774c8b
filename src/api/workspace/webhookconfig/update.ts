import { write } from '../../../http/endpoint.ts';
import { webhookConfig, webhookConfigChange } from '../../../shapes/webhook.ts';
import { changeBasicConfig } from '../../../webhooks/settings/change-config.ts';

export default write({
  path: '/v2/workspace/webhookconfig/update',
  auth: 'apiKey',
  summary: 'Change how basic webhooks are sent; fields that are not sent stay.',
  description:
    'If no events have been chosen, those of comments and huddles are sent. Turning webhooks on again also revives an address that was disabled because it failed.',
  data: webhookConfigChange.meta({
    examples: [
      {
        useWebhookService: true,
        webhookServiceConfig: {
          authToken: 's3cret',
          rawNotificationUrl: 'https://example.com/webhooks',
          triggers: { 'comment.delete': false },
        },
      },
    ],
  }),
  result: webhookConfig,
  message: 'Webhook configuration updated successfully.',

  handle: (change, { tx, caller, keyring, settings }) =>
    changeBasicConfig(tx, keyring, caller, settings.checkUrl, change),
});
