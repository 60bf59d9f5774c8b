import { write } from '../../../http/endpoint.ts';
import { advancedWebhookConfig, advancedWebhookConfigChange } from '../../../shapes/webhook.ts';
import { changeAdvancedConfig } from '../../../webhooks/settings/change-config.ts';

export default write({
  path: '/v2/workspace/advancedwebhookconfig/update',
  auth: 'apiKey',
  summary: 'Change whether and how advanced webhooks are sent; fields that are not sent stay.',
  description:
    'Turned off, nothing is recorded any more, and what still waits is kept for a replay. Bodies are brought into form when they are sent, so a change counts for what waits, too.',
  data: advancedWebhookConfigChange.meta({ examples: [{ isEnabled: true, encodeData: true }] }),
  result: advancedWebhookConfig,
  message: 'Advanced webhook configuration updated successfully.',
  failures: { FAILED_PRECONDITION: 'The first request ever does not turn them on.' },

  handle: (change, { tx, caller }) => changeAdvancedConfig(tx, caller, change),
});
