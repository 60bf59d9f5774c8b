import { z } from 'zod';
import { call } from '../../../../http/endpoint.ts';
import { deliveryEndpointId, deliveryTime, webhookId } from '../../../../shapes/webhook-delivery.ts';
import { replayLost, replayOne } from '../../../../store/webhooks/deliveries.ts';
import { requireSending } from '../../../../webhooks/settings/stored-settings.ts';

export default call({
  path: '/v2/workspace/advancedwebhook/deliveries/replay',
  auth: 'apiKey',
  summary: 'Deliver one message again, or all that an endpoint has missed since a time.',
  description:
    'Repeats carry the same `webhook-id`. What was delivered is repeated only where it is named; a message that waits for its next try is tried now, together with those of the same thing that it waits behind, or that wait behind it. Asked for again, what is on its way already is left alone.',
  data: z
    .object({
      endpointId: deliveryEndpointId,
      webhookId: webhookId.optional(),
      since: deliveryTime.optional().describe('What happened from then on, in epoch milliseconds.'),
      until: deliveryTime.optional().describe('What happened before then, in epoch milliseconds.'),
    })
    .refine(({ webhookId, since }) => (webhookId === undefined) !== (since === undefined), {
      error: 'Either webhookId or since is required.',
    })
    .refine(({ webhookId, until }) => webhookId === undefined || until === undefined, {
      path: ['until'],
      error: 'must be left out where webhookId is sent',
    })
    .meta({ examples: [{ endpointId: 'ep_1a2B3cD4eF5gH6jK7mN8', since: 1_767_260_000_000 }] }),
  result: z.object({
    endpointId: z.string(),
    replayed: z.number().describe('How many messages are delivered again because of this request.'),
  }),
  message: 'Advanced webhook deliveries replayed successfully.',
  failures: {
    FAILED_PRECONDITION: 'The endpoint is disabled, or webhooks are not turned on.',
    NOT_FOUND: 'No such endpoint or delivery.',
  },

  async handle({ endpointId, webhookId, since = 0, until }, { db, caller, transaction }) {
    await requireSending(db, caller, endpointId);
    const key = { apiKeyId: caller.apiKeyId, endpointId };
    if (webhookId !== undefined) {
      return { endpointId, replayed: await transaction((tx) => replayOne(tx, key, webhookId)) };
    }
    let replayed = 0;
    // Ever onward: what fails again meanwhile must not come round again.
    for (let after: number | undefined = 0; after !== undefined; ) {
      const from: number = after;
      const part = await transaction((tx) => replayLost(tx, key, { since, until, after: from }));
      replayed += part.replayed;
      after = part.next;
    }
    return { endpointId, replayed };
  },
});
