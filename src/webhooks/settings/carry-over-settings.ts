import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { newKeyWebhookConfig } from '../../shapes/webhook.ts';
import { getServiceConfig } from '../../store/platform/service-configs.ts';
import { takeEarlyWebhookSettings } from '../../store/webhooks/early-settings.ts';
import { changeBasicConfig } from './basic-config.ts';

const BATCH = 100;

/**
 * Brings what earlier versions kept with the API keys to where it counts; may be interrupted, run again, and
 * run by several processes at once. Answers how many keys had any. What was configured since then stays.
 */
export async function carryOverWebhookSettings(db: Db, keyring: Keyring): Promise<number> {
  let carried = 0;
  for (;;) {
    const count = await db.transaction().execute(async (tx) => {
      const taken = await takeEarlyWebhookSettings(tx, keyring, BATCH);
      for (const { scope, useWebhookService, ...early } of taken) {
        if (await getServiceConfig(tx, scope, 'webhook')) continue;
        const change = { useWebhookService, webhookServiceConfig: usable(early) };
        // The guard speaks at every delivery; here nobody would hear it.
        await changeBasicConfig(tx, keyring, scope, () => undefined, change);
      }
      return taken.length;
    });
    carried += count;
    if (count < BATCH) return carried;
  }
}

/** Earlier versions took tokens that no header can hold, and longer addresses. */
function usable(early: Record<string, string | undefined>) {
  const fields = Object.entries(early).filter(
    ([name, value]) => newKeyWebhookConfig.safeParse({ [name]: value }).success,
  );
  return newKeyWebhookConfig.parse(Object.fromEntries(fields));
}
