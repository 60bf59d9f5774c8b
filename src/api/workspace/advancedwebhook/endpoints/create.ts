import { write } from '../../../../http/endpoint.ts';
import { newWebhookEndpoint, webhookEndpoint } from '../../../../shapes/webhook.ts';
import { createEndpoint } from '../../../../store/webhooks/endpoints.ts';
import { newWebhookSecret } from '../../../../webhooks/deliver/sign-webhook.ts';
import { showEndpoint } from '../../../../webhooks/settings/show-endpoint.ts';
import { requireAdvancedWebhooks } from '../../../../webhooks/settings/stored-settings.ts';
import { eventTypeIssues, refuse, urlIssues } from '../../../../webhooks/settings/validate-config.ts';

export default write({
  path: '/v2/workspace/advancedwebhook/endpoints/create',
  auth: 'apiKey',
  summary: 'Create an endpoint, an address that events are sent to.',
  description: 'advancedwebhook/endpoints/secret/get returns the secret that signs its messages.',
  data: newWebhookEndpoint.meta({
    examples: [
      {
        url: 'https://example.com/webhooks',
        description: 'Comments of Acme',
        filterTypes: ['comment_annotation.add', 'comment.add'],
        channels: ['acme'],
        rateLimit: 50,
        uid: 'acme-comments',
        metadata: { team: 'web' },
      },
    ],
  }),
  result: webhookEndpoint,
  message: 'Advanced webhook endpoint created successfully.',
  failures: {
    FAILED_PRECONDITION: 'Advanced webhooks are not enabled.',
    ALREADY_EXISTS: 'Another endpoint has this uid.',
    RESOURCE_EXHAUSTED: 'The API key has reached its limit of endpoints.',
  },
  audit: { action: 'webhook_endpoint.created', of: (after, { id }) => ({ id, after }) },

  async handle(data, { tx, caller, keyring, settings }) {
    refuse(...urlIssues(['url'], data.url, settings.checkUrl), ...eventTypeIssues(data.filterTypes));
    await requireAdvancedWebhooks(tx, caller);
    const limited = { secret: newWebhookSecret(), max: settings.webhookEndpoints };
    return showEndpoint(await createEndpoint(tx, keyring, caller, data, limited));
  },
});
