import type { Db } from '../db/tables.ts';
import type { Keyring } from '../lib/crypto.ts';
import { resourceExhausted } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Outside } from '../outside/outside.ts';
import { type SentTest, TEST_PREFIX } from '../store/webhooks/deliveries.ts';
import { type LaneKey, loadLaneEndpoint } from '../store/webhooks/lanes.ts';
import type { WebhookEventType } from './catalog/webhook-catalog.ts';
import { sampleBody } from './compose/body.ts';
import { pack, targetOf } from './deliver/build-request.ts';
import { send, unsendable } from './deliver/send.ts';
import type { SendSlots } from './deliver/send-slots.ts';

interface Parts {
  db: Db;
  keyring: Keyring;
  outside: Pick<Outside, 'webhooks' | 'webhookTargets'>;
  slots: SendSlots;
}

const RETRY_SECONDS = 5;

/**
 * Sends the sample of an event once, formatted and signed as a real one, whether or not the endpoint is disabled.
 * Answers undefined where the endpoint, or webhooks as a whole, are gone by now. RESOURCE_EXHAUSTED where as many
 * webhooks are under way as may be.
 */
export async function sendTest(
  { db, keyring, outside, slots }: Parts,
  key: LaneKey,
  eventType: WebhookEventType,
): Promise<SentTest | undefined> {
  const endpoint = await loadLaneEndpoint(db, key);
  const at = Date.now();
  const target = endpoint && targetOf(endpoint, keyring, at);
  if (!target) return undefined;
  const messageId = newId(TEST_PREFIX);
  const body = JSON.stringify(sampleBody(eventType, { webhookId: messageId, createdAt: at }));
  await outside.webhookTargets.refresh(target.url);
  const slot = slots.tryTake({
    apiKeyId: key.apiKeyId,
    targets: outside.webhookTargets.of(target.url),
  });
  if (!slot) {
    throw resourceExhausted(
      'As many webhooks to this host, or of this API key, are under way as may be at once.',
      RETRY_SECONDS,
    );
  }
  const packAndSend = async () => send(outside.webhooks, pack(target, { messageId, json: body, at }));
  const sent = await packAndSend()
    .catch((error: unknown) => unsendable(at, error))
    .finally(() => slot.release());
  return sent && { endpointId: key.endpointId, messageId, eventType, body, attempt: sent.attempt };
}
