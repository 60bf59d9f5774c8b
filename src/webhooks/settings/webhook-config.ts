import type { Tx } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { deepMerge } from '../../lib/deep-merge.ts';
import type { Scope } from '../../lib/scope.ts';
import type { CheckUrl } from '../../outside/net/ssrf-guard.ts';
import { COMMENT_TRIGGERS, HUDDLE_TRIGGERS, SUGGESTION_TRIGGERS } from '../../shapes/service-config.ts';
import type {
  AdvancedWebhookConfigChange,
  WebhookConfig,
  WebhookConfigChange,
} from '../../shapes/webhook.ts';
import {
  changedSecret,
  changeServiceConfig,
  REDACTED,
  type ServiceConfig,
} from '../../store/platform/service-configs.ts';
import { setBasicEndpoint } from '../../store/webhooks/basic-endpoints.ts';
import { lockEndpointsOfKind } from '../../store/webhooks/endpoints.ts';
import { holdWaiting } from '../../store/webhooks/lanes.ts';
import { type AdvancedSettings, advancedSettings, basicSettings, notConfigured } from './stored-settings.ts';
import { publicKeyIssues, refuse, urlIssues } from './validate-config.ts';

const off = (triggers: Record<string, boolean>) =>
  Object.fromEntries(Object.keys(triggers).map((name) => [name, false]));

/** Defaults of an API key that turns basic webhooks on for the first time. */
const DEFAULTS = {
  enableDataProtection: false,
  triggers: {
    ...COMMENT_TRIGGERS,
    // People are not notified of these two, but a receiver that mirrors annotations needs them.
    'comment_annotation.update': true,
    'comment_annotation.delete': true,
    ...off(SUGGESTION_TRIGGERS),
    ...HUDDLE_TRIGGERS,
    'crdt.update_data': false,
    'recorder.done': false,
  },
};

type Settings = Partial<WebhookConfig['webhookServiceConfig']>;

/** The basic configuration with its secret redacted. */
export function showBasicConfig(stored: ServiceConfig | undefined): WebhookConfig {
  const { useWebhookService, webhookServiceConfig = {} } = (stored?.config ?? {}) as {
    useWebhookService?: boolean;
    webhookServiceConfig?: Settings;
  };
  return {
    useWebhookService: useWebhookService ?? false,
    webhookServiceConfig: {
      rawNotificationUrl: '',
      processedNotificationUrl: '',
      ...webhookServiceConfig,
      authToken: stored?.secretSealed ? REDACTED : '',
    },
  };
}

/** Merges a change into the stored configuration. */
function changedBasicConfig(
  before: Record<string, unknown>,
  { useWebhookService, webhookServiceConfig: sent = {} }: WebhookConfigChange,
): Record<string, unknown> {
  const { authToken: _secret, ...settings } = sent;
  const stored = (before.webhookServiceConfig ?? {}) as Settings;
  const defaults = useWebhookService && !stored.triggers ? DEFAULTS : {};
  return {
    ...before,
    ...(useWebhookService !== undefined && { useWebhookService }),
    webhookServiceConfig: deepMerge({ ...defaults, ...stored }, settings),
  };
}

/** Changes the basic configuration and its two endpoints. Throws INVALID_ARGUMENT. */
export async function changeBasicConfig(
  tx: Tx,
  keyring: Keyring,
  scope: Scope,
  checkUrl: CheckUrl,
  change: WebhookConfigChange,
): Promise<WebhookConfig> {
  const sent = change.webhookServiceConfig ?? {};
  const pathOf = (field: string) => ['webhookServiceConfig', field];
  refuse(
    ...urlIssues(pathOf('rawNotificationUrl'), sent.rawNotificationUrl, checkUrl),
    ...urlIssues(pathOf('processedNotificationUrl'), sent.processedNotificationUrl, checkUrl),
    ...publicKeyIssues(pathOf('publicKey'), sent.publicKey),
  );
  const changed = await changeServiceConfig(tx, scope, 'webhook', (stored) => {
    const config = changedBasicConfig(stored?.config ?? {}, change);
    const secretSealed = changedSecret(keyring, scope, 'webhook', stored, sent.authToken);
    return { config, secretSealed };
  });
  await setBasicEndpoints(tx, scope, changed, change.useWebhookService === true);
  return showBasicConfig(changed);
}

/** Makes the two endpoints match the stored configuration; `revive` also enables endpoints disabled by failures. */
async function setBasicEndpoints(
  tx: Tx,
  scope: Scope,
  stored: ServiceConfig,
  revive: boolean,
): Promise<void> {
  const { isEnabled, rawNotificationUrl, processedNotificationUrl } = basicSettings(stored);
  await setBasicEndpoint(tx, scope, 'processed', { url: processedNotificationUrl, isEnabled, revive });
  await setBasicEndpoint(tx, scope, 'raw', { url: rawNotificationUrl, isEnabled, revive });
}

/** Changes the advanced configuration. Throws FAILED_PRECONDITION if it was never enabled. */
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
  // A fan-out that runs meanwhile holds a share lock on the endpoints and has read the earlier settings.
  if (change.isEnabled === false) {
    await holdWaiting(tx, scope.apiKeyId, await lockEndpointsOfKind(tx, scope, 'advanced'));
  }
  return changed;
}
