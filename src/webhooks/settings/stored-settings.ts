import type { Db } from '../../db/tables.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { getServiceConfig, type ServiceConfig } from '../../store/platform/service-configs.ts';

/** How bodies look on their way out. */
export interface BodyFormat {
  encodeData: boolean;
  encryptData: boolean;
  /** Empty where none is set. */
  publicKey: string;
  enableDataProtection: boolean;
}

export interface AdvancedSettings extends BodyFormat {
  isEnabled: boolean;
  isConfigured: boolean;
}

export interface BasicSettings extends BodyFormat {
  isEnabled: boolean;
  /** What is not named is not sent. */
  triggers: Record<string, boolean>;
  rawNotificationUrl: string;
  processedNotificationUrl: string;
}

const formatOf = (config: Partial<BodyFormat>): BodyFormat => ({
  encodeData: config.encodeData ?? false,
  encryptData: config.encryptData ?? false,
  publicKey: config.publicKey ?? '',
  enableDataProtection: config.enableDataProtection ?? false,
});

/** What an API key chose for advanced webhooks. */
export function advancedSettings(stored: ServiceConfig | undefined): AdvancedSettings {
  const config = (stored?.config ?? {}) as Partial<AdvancedSettings>;
  return {
    ...formatOf(config),
    isEnabled: config.isEnabled ?? false,
    isConfigured: stored !== undefined,
  };
}

/** What an API key chose for basic webhooks. */
export function basicSettings(stored: ServiceConfig | undefined): BasicSettings {
  const { useWebhookService, webhookServiceConfig: config = {} } = (stored?.config ?? {}) as {
    useWebhookService?: boolean;
    webhookServiceConfig?: Partial<BasicSettings>;
  };
  return {
    ...formatOf(config),
    isEnabled: useWebhookService ?? false,
    triggers: config.triggers ?? {},
    rawNotificationUrl: config.rawNotificationUrl ?? '',
    processedNotificationUrl: config.processedNotificationUrl ?? '',
  };
}

const HOW = 'via POST /v2/workspace/advancedwebhookconfig/update with { "isEnabled": true }.';

export const notConfigured = () =>
  failedPrecondition(`Advanced webhooks are not configured for this workspace. Enable them first ${HOW}`);

/** FAILED_PRECONDITION unless advanced webhooks are turned on; answers what is chosen for them. */
export async function requireAdvancedWebhooks(db: Db, scope: Scope): Promise<AdvancedSettings> {
  const settings = advancedSettings(await getServiceConfig(db, scope, 'advancedWebhook'));
  if (!settings.isConfigured) throw notConfigured();
  if (!settings.isEnabled) {
    throw failedPrecondition(`Advanced webhooks are disabled for this workspace. Enable them ${HOW}`);
  }
  return settings;
}
