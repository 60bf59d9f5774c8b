import type { Db } from '../db/tables.ts';
import type { Keyring } from '../lib/crypto.ts';
import { newId } from '../lib/ids.ts';
import type { SafeFetch } from '../outside/outside.ts';
import { type SentTest, TEST_PREFIX } from '../store/webhook-deliveries.ts';
import { type LaneKey, loadLaneEndpoint } from '../store/webhook-lanes.ts';
import { sampleBody } from './body.ts';
import type { WebhookEventType } from './catalog.ts';
import { pack, targetOf } from './parcel.ts';
import { send, unsendable } from './send.ts';

/**
 * Sends the sample of an event once, formatted and signed as a real one, whether or not the endpoint is disabled.
 * Answers undefined where the endpoint, or webhooks as a whole, are gone by now.
 */
export async function sendTest(
  { db, keyring, fetch }: { db: Db; keyring: Keyring; fetch: SafeFetch },
  key: LaneKey,
  eventType: WebhookEventType,
): Promise<SentTest | undefined> {
  const endpoint = await loadLaneEndpoint(db, key);
  const at = Date.now();
  const target = endpoint && targetOf(endpoint, keyring, at);
  if (!target) return undefined;
  const messageId = newId(TEST_PREFIX);
  const body = JSON.stringify(sampleBody(eventType, { webhookId: messageId, createdAt: at }));
  const packAndSend = async () => send(fetch, pack(target, { messageId, json: body, at }));
  const sent = await packAndSend().catch((error: unknown) => unsendable(at, error));
  return sent && { endpointId: key.endpointId, messageId, eventType, body, attempt: sent.attempt };
}
