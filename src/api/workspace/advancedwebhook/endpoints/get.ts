import { z } from 'zod';
import { read } from '../../../../http/endpoint.ts';
import {
  twoWayCursors,
  twoWayPaging,
  webhookEndpoint,
  webhookEndpointId,
} from '../../../../shapes/webhook.ts';
import { listEndpoints } from '../../../../store/webhooks/endpoints.ts';
import { showEndpoint } from '../../../../webhooks/settings/show-endpoint.ts';
import { requireAdvancedWebhooks } from '../../../../webhooks/settings/stored-settings.ts';
import { twoWayPage } from '../../../../webhooks/settings/two-way-page.ts';

export default read({
  path: '/v2/workspace/advancedwebhook/endpoints/get',
  auth: 'apiKey',
  role: 'editor',
  summary: 'List endpoints, oldest first.',
  description:
    'Secrets are not included; advancedwebhook/endpoints/secret/get returns them. An unknown `endpointId` or `uid` gives an empty list.',
  data: z
    .object({
      endpointId: webhookEndpointId.optional().describe('Only this one.'),
      uid: z.string().min(1).max(256).optional().describe('Returns only the endpoint with this uid.'),
      ...twoWayPaging,
    })
    .meta({ examples: [{ uid: 'acme-comments' }] }),
  dataOptional: true,
  result: z.object({ endpoints: z.array(webhookEndpoint), ...twoWayCursors }),
  message: 'Advanced webhook endpoints retrieved successfully.',
  failures: { FAILED_PRECONDITION: 'Advanced webhooks are not enabled.' },

  async handle({ endpointId, uid, limit, iterator }, { db, caller, keyring }) {
    await requireAdvancedWebhooks(db, caller);
    const { rows, ...cursors } = await twoWayPage(
      keyring,
      ['webhook endpoints', caller.apiKeyId],
      { iterator, limit },
      ({ from, direction, limit }) =>
        listEndpoints(db, caller, {
          endpointId,
          uid,
          from: from && { createdAt: Number(from[0]), endpointId: String(from[1]) },
          direction,
          limit,
        }),
      (row) => [row.createdAt, row.endpointId],
    );
    return { endpoints: rows.map(showEndpoint), ...cursors };
  },
});
