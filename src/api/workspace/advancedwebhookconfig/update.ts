import { configOf } from '../../../http/audit-targets.ts';
import { write } from '../../../http/endpoint.ts';
import { advancedWebhookConfig, advancedWebhookConfigChange } from '../../../shapes/webhook.ts';
import { changeAdvancedConfig } from '../../../webhooks/settings/webhook-config.ts';

export default write({
  path: '/v2/workspace/advancedwebhookconfig/update',
  auth: 'apiKey',
  summary: 'Change the settings of advanced webhooks.',
  description:
    'Fields that are not sent keep their values. While advanced webhooks are disabled, no messages are recorded; pending ones are kept and can be replayed. Bodies are formatted when they are sent, so a change also applies to pending messages.',
  data: advancedWebhookConfigChange.meta({ examples: [{ isEnabled: true, encodeData: true }] }),
  result: advancedWebhookConfig,
  message: 'Advanced webhook configuration updated successfully.',
  failures: { FAILED_PRECONDITION: 'The first request of the API key must set `isEnabled` to true.' },
  audit: { action: 'webhook.config_changed', before: configOf('advancedWebhook') },

  handle: (change, { tx, caller }) => changeAdvancedConfig(tx, caller, change),
});
