import type { Db } from '../../db/tables.ts';
import type { WebhookEventName } from '../../events/event-catalog.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { resourceExhausted } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Outside } from '../../outside/outside.ts';
import { type SentTest, TEST_PREFIX } from '../../store/webhooks/deliveries.ts';
import { type LaneKey, loadLaneEndpoint } from '../../store/webhooks/lanes.ts';
import { sampleBody } from '../catalog/message-body.ts';
import { buildRequest, openEndpoint } from './build-request.ts';
import type { SendSlots } from './send-slots.ts';
import { failedToBuild, sendWebhook } from './send-webhook.ts';

interface SendTestDeps {
  db: Db;
  keyring: Keyring;
  outside: Pick<Outside, 'webhooks' | 'webhookTargets'>;
  slots: SendSlots;
}

const RETRY_SECONDS = 5;

/**
 * Sends an event's sample once, formatted and signed like a real message, even if the endpoint is disabled. Returns
 * undefined if the endpoint is deleted or webhooks are turned off. Throws RESOURCE_EXHAUSTED if no slot is free.
 */
export async function sendTest(
  { db, keyring, outside, slots }: SendTestDeps,
  key: LaneKey,
  eventType: WebhookEventName,
): Promise<SentTest | undefined> {
  const stored = await loadLaneEndpoint(db, key);
  const at = Date.now();
  const endpoint = stored && openEndpoint(stored, keyring, at);
  if (!endpoint) return undefined;
  const messageId = newId(TEST_PREFIX);
  const body = JSON.stringify(sampleBody(eventType, { webhookId: messageId, createdAt: at }));
  await outside.webhookTargets.refresh(endpoint.url);
  const slot = slots.tryTake({
    apiKeyId: key.apiKeyId,
    targets: outside.webhookTargets.of(endpoint.url),
  });
  if (!slot) {
    throw resourceExhausted(
      'As many webhooks to this host, or of this API key, are under way as may be at once.',
      RETRY_SECONDS,
    );
  }
  const buildAndSend = async () =>
    sendWebhook(outside.webhooks, buildRequest(endpoint, { messageId, json: body, at }));
  const outcome = await buildAndSend()
    .catch((error: unknown) => failedToBuild(at, error))
    .finally(() => slot.release());
  return outcome && { endpointId: key.endpointId, messageId, eventType, body, attempt: outcome.attempt };
}
