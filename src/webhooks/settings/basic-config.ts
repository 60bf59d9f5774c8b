import type { Tx } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { deepMerge } from '../../lib/deep-merge.ts';
import type { Scope } from '../../lib/scope.ts';
import { COMMENT_TRIGGERS, HUDDLE_TRIGGERS, SUGGESTION_TRIGGERS } from '../../shapes/service-config.ts';
import type { WebhookConfig, WebhookConfigChange } from '../../shapes/webhook.ts';
import {
  changedSecret,
  changeServiceConfig,
  REDACTED,
  type ServiceConfig,
} from '../../store/platform/service-configs.ts';
import { setBasicEndpoint } from '../../store/webhooks/basic-endpoints.ts';
import { basicSettings } from './stored-settings.ts';
import { type JudgeUrl, publicKeyIssues, refuse, urlIssues } from './validate-config.ts';

const off = (triggers: Record<string, boolean>) =>
  Object.fromEntries(Object.keys(triggers).map((name) => [name, false]));

/** What whoever turns basic webhooks on gets, unless they chose events before. */
const USUAL = {
  enableDataProtection: false,
  triggers: {
    ...COMMENT_TRIGGERS,
    // Nobody is notified of these, but whoever keeps a copy of the annotations needs them.
    'comment_annotation.update': true,
    'comment_annotation.delete': true,
    ...off(SUGGESTION_TRIGGERS),
    ...HUDDLE_TRIGGERS,
    'crdt.update_data': false,
    'recorder.done': false,
  },
};

type Settings = Partial<WebhookConfig['webhookServiceConfig']>;

/** What goes for an API key, its secret covered. */
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

/** What is to be stored after a change. */
export function changedBasicConfig(
  before: Record<string, unknown>,
  { useWebhookService, webhookServiceConfig: sent = {} }: WebhookConfigChange,
): Record<string, unknown> {
  const { authToken: _secret, ...settings } = sent;
  const stored = (before.webhookServiceConfig ?? {}) as Settings;
  const usual = useWebhookService && !stored.triggers ? USUAL : {};
  return {
    ...before,
    ...(useWebhookService !== undefined && { useWebhookService }),
    webhookServiceConfig: deepMerge({ ...usual, ...stored }, settings),
  };
}

/** Changes what is sent, and the endpoints that it is sent to. */
export async function changeBasicConfig(
  tx: Tx,
  keyring: Keyring,
  scope: Scope,
  judgeUrl: JudgeUrl,
  change: WebhookConfigChange,
): Promise<WebhookConfig> {
  const sent = change.webhookServiceConfig ?? {};
  const place = (field: string) => ['webhookServiceConfig', field];
  refuse(
    ...urlIssues(place('rawNotificationUrl'), sent.rawNotificationUrl, judgeUrl),
    ...urlIssues(place('processedNotificationUrl'), sent.processedNotificationUrl, judgeUrl),
    ...publicKeyIssues(place('publicKey'), sent.publicKey),
  );
  const changed = await changeServiceConfig(tx, scope, 'webhook', (stored) => {
    const config = changedBasicConfig(stored?.config ?? {}, change);
    const secretSealed = changedSecret(keyring, scope, 'webhook', stored, sent.authToken);
    return { config, secretSealed };
  });
  await setBasicEndpoints(tx, scope, changed, change.useWebhookService === true);
  return showBasicConfig(changed);
}

/** Brings the two endpoints in line with what is stored; `revive` also one that was disabled for its failures. */
export async function setBasicEndpoints(
  tx: Tx,
  scope: Scope,
  stored: ServiceConfig,
  revive: boolean,
): Promise<void> {
  const { isEnabled, rawNotificationUrl, processedNotificationUrl } = basicSettings(stored);
  await setBasicEndpoint(tx, scope, 'processed', { url: processedNotificationUrl, isEnabled, revive });
  await setBasicEndpoint(tx, scope, 'raw', { url: rawNotificationUrl, isEnabled, revive });
}
