import { sql } from 'kysely';
import type { Tx } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import type { Scope } from '../../lib/scope.ts';
import { openFromConfig, type StoredConfig, saveConfig } from '../platform/stored-key-config.ts';

/** Webhook settings that versions without webhooks stored with an API key at its creation. */
export interface EarlyWebhookSettings {
  scope: Scope;
  useWebhookService: boolean | undefined;
  authToken: string | undefined;
  rawNotificationUrl: string | undefined;
  processedNotificationUrl: string | undefined;
}

interface EarlyConfig extends StoredConfig {
  useWebhookService?: boolean;
  webhookServiceConfig?: {
    authToken?: { sealed: string };
    rawNotificationUrl?: string;
    processedNotificationUrl?: string;
  };
}

/** Moves early settings out of up to `limit` API keys and returns them; empty once no key has any. */
export async function takeEarlyWebhookSettings(
  tx: Tx,
  keyring: Keyring,
  limit: number,
): Promise<EarlyWebhookSettings[]> {
  const rows = await tx
    .selectFrom('apiKeys')
    .select(['apiKeyId', 'workspaceId', 'config'])
    .where(sql<boolean>`config ?| array['useWebhookService', 'webhookServiceConfig']`)
    .orderBy('apiKeyId')
    .limit(limit)
    .forUpdate()
    .execute();
  const taken: EarlyWebhookSettings[] = [];
  for (const { apiKeyId, workspaceId, config } of rows) {
    const { useWebhookService, webhookServiceConfig: early = {}, ...others } = config as EarlyConfig;
    const { authToken, rawNotificationUrl, processedNotificationUrl } = early;
    const scope = { apiKeyId, workspaceId };
    await saveConfig(tx, scope, others);
    taken.push({
      scope,
      useWebhookService,
      authToken: authToken && openFromConfig(keyring, apiKeyId, 'webhookServiceConfig.authToken', authToken),
      rawNotificationUrl,
      processedNotificationUrl,
    });
  }
  return taken;
}
