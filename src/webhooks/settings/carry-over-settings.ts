import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { newKeyWebhookConfig } from '../../shapes/webhook.ts';
import { getServiceConfig } from '../../store/platform/service-configs.ts';
import { takeEarlyWebhookSettings } from '../../store/webhooks/early-settings.ts';
import { changeBasicConfig } from './webhook-config.ts';

const BATCH = 100;

/**
 * Moves webhook settings that earlier versions stored with API keys into the service configuration; settings that
 * were configured since take precedence. It may be interrupted, repeated and run by several processes at once.
 * Returns the number of keys that had such settings.
 */
export async function carryOverWebhookSettings(db: Db, keyring: Keyring): Promise<number> {
  let carried = 0;
  for (;;) {
    const count = await db.transaction().execute(async (tx) => {
      const taken = await takeEarlyWebhookSettings(tx, keyring, BATCH);
      for (const { scope, useWebhookService, ...early } of taken) {
        if (await getServiceConfig(tx, scope, 'webhook')) continue;
        const change = { useWebhookService, webhookServiceConfig: usable(early) };
        // The SSRF guard checks every delivery anyway, and no caller is here to receive an error.
        await changeBasicConfig(tx, keyring, scope, () => undefined, change);
      }
      return taken.length;
    });
    carried += count;
    if (count < BATCH) return carried;
  }
}

/** Drops fields that are no longer valid: earlier versions accepted tokens that no header can hold, and longer URLs. */
function usable(early: Record<string, string | undefined>) {
  const fields = Object.entries(early).filter(
    ([name, value]) => newKeyWebhookConfig.safeParse({ [name]: value }).success,
  );
  return newKeyWebhookConfig.parse(Object.fromEntries(fields));
}
