import { z } from 'zod';
import { call } from '../../../../http/endpoint.ts';
import { deliveryEndpointId, deliveryTime, webhookId } from '../../../../shapes/webhook-delivery.ts';
import { replayLost, replayOne } from '../../../../store/webhooks/deliveries.ts';
import { requireSending } from '../../../../webhooks/settings/stored-settings.ts';

export default call({
  path: '/v2/workspace/advancedwebhook/deliveries/replay',
  auth: 'apiKey',
  summary: 'Replay one message, or all messages that an endpoint missed since a given time.',
  description:
    'Replays keep their `webhook-id`. A delivered message is repeated only if it is named. A message that is waiting for its next attempt is sent now, together with other messages of the same order key. Messages that are already being delivered are left unchanged.',
  data: z
    .object({
      endpointId: deliveryEndpointId,
      webhookId: webhookId.optional(),
      since: deliveryTime.optional().describe('Replays events at or after this time, in epoch milliseconds.'),
      until: deliveryTime.optional().describe('Replays events before this time, in epoch milliseconds.'),
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
    replayed: z.number().describe('Number of messages that this request delivers again.'),
  }),
  message: 'Advanced webhook deliveries replayed successfully.',
  failures: {
    FAILED_PRECONDITION: 'The endpoint is disabled, or advanced webhooks are not enabled.',
    NOT_FOUND: 'The endpoint or the delivery does not exist.',
  },

  async handle({ endpointId, webhookId, since = 0, until }, { db, caller, transaction }) {
    await requireSending(db, caller, endpointId);
    const key = { apiKeyId: caller.apiKeyId, endpointId };
    if (webhookId !== undefined) {
      return { endpointId, replayed: await transaction((tx) => replayOne(tx, key, webhookId)) };
    }
    let replayed = 0;
    // The cursor only advances, so that deliveries that fail again meanwhile are not repeated.
    for (let after: number | undefined = 0; after !== undefined; ) {
      const from: number = after;
      const part = await transaction((tx) => replayLost(tx, key, { since, until, after: from }));
      replayed += part.replayed;
      after = part.next;
    }
    return { endpointId, replayed };
  },
});
