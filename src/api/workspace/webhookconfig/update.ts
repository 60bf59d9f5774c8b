import { configOf } from '../../../http/audit-targets.ts';
import { write } from '../../../http/endpoint.ts';
import { webhookConfig, webhookConfigChange } from '../../../shapes/webhook.ts';
import { changeBasicConfig } from '../../../webhooks/settings/webhook-config.ts';

export default write({
  path: '/v2/workspace/webhookconfig/update',
  auth: 'apiKey',
  // The stored token is sent to the address that is set here.
  role: 'owner',
  summary: 'Change the settings of basic webhooks.',
  description:
    'Fields that are not sent keep their values. Events of comments and huddles are sent by default. Enabling webhooks again also re-enables an address that was disabled because its deliveries failed.',
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
  audit: { action: 'webhook.config_changed', before: configOf('webhook') },

  handle: (change, { tx, caller, keyring, settings }) =>
    changeBasicConfig(tx, keyring, caller, settings.checkUrl, change),
});
