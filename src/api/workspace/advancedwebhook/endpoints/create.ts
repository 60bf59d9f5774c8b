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
  summary: 'Create an endpoint: an address of yours to which events are sent.',
  description: 'Its secret, which signs what is sent, is answered by endpoints/secret/get.',
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
    FAILED_PRECONDITION: 'Advanced webhooks are not turned on.',
    ALREADY_EXISTS: 'Another endpoint has this uid.',
    RESOURCE_EXHAUSTED: 'The API key has as many endpoints as it can have.',
  },

  async handle(data, { tx, caller, keyring, settings }) {
    refuse(...urlIssues(['url'], data.url, settings.checkUrl), ...eventTypeIssues(data.filterTypes));
    await requireAdvancedWebhooks(tx, caller);
    const limited = { secret: newWebhookSecret(), most: settings.webhookEndpoints };
    return showEndpoint(await createEndpoint(tx, keyring, caller, data, limited));
  },
});
