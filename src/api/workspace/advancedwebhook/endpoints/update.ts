import { write } from '../../../../http/endpoint.ts';
import { webhookEndpoint, webhookEndpointChange } from '../../../../shapes/webhook.ts';
import { updateEndpoint } from '../../../../store/webhooks/endpoints.ts';
import { showEndpoint } from '../../../../webhooks/settings/show-endpoint.ts';
import { requireAdvancedWebhooks } from '../../../../webhooks/settings/stored-settings.ts';
import { eventTypeIssues, refuse, urlIssues } from '../../../../webhooks/settings/validate-config.ts';

export default write({
  path: '/v2/workspace/advancedwebhook/endpoints/update',
  auth: 'apiKey',
  summary: 'Change an endpoint.',
  description:
    'Fields that are not sent keep their values; null clears a field. A re-enabled endpoint receives only new events. advancedwebhook/deliveries/replay sends those that it missed.',
  data: webhookEndpointChange.meta({
    examples: [{ endpointId: 'ep_1a2B3cD4eF5gH6jK7mN8', disabled: false, filterTypes: null, rateLimit: 100 }],
  }),
  result: webhookEndpoint,
  message: 'Advanced webhook endpoint updated successfully.',
  failures: {
    FAILED_PRECONDITION: 'Advanced webhooks are not enabled.',
    NOT_FOUND: 'The endpoint does not exist.',
  },
  audit: {
    action: 'webhook_endpoint.updated',
    of: ({ endpointId, ...after }) => ({ id: endpointId, after }),
  },

  async handle({ endpointId, ...change }, { tx, caller, settings }) {
    refuse(...urlIssues(['url'], change.url, settings.checkUrl), ...eventTypeIssues(change.filterTypes));
    await requireAdvancedWebhooks(tx, caller);
    return showEndpoint(await updateEndpoint(tx, caller, endpointId, change));
  },
});
