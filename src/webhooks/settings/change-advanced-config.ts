import type { Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AdvancedWebhookConfigChange } from '../../shapes/webhook.ts';
import { changeServiceConfig } from '../../store/platform/service-configs.ts';
import { holdEndpoints } from '../../store/webhooks/endpoints.ts';
import { holdWaiting } from '../../store/webhooks/lanes.ts';
import { type AdvancedSettings, advancedSettings, notConfigured } from './stored-settings.ts';
import { publicKeyIssues, refuse } from './validate-config.ts';

/** Changes what is sent. FAILED_PRECONDITION before anybody turned them on. */
export async function changeAdvancedConfig(
  tx: Tx,
  scope: Scope,
  change: AdvancedWebhookConfigChange,
): Promise<AdvancedSettings> {
  refuse(...publicKeyIssues(['publicKey'], change.publicKey));
  const changed = advancedSettings(
    await changeServiceConfig(tx, scope, 'advancedWebhook', (stored) => {
      if (!stored && change.isEnabled !== true) throw notConfigured();
      const { isConfigured: _, ...settings } = { ...advancedSettings(stored), ...change };
      return { config: settings, secretSealed: null };
    }),
  );
  // Whoever writes messages meanwhile holds the endpoints, and has read what was chosen before.
  if (change.isEnabled === false) {
    await holdWaiting(tx, scope.apiKeyId, await holdEndpoints(tx, scope, 'advanced'));
  }
  return changed;
}
