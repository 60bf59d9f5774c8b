import type { Db } from '../../db/tables.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { getServiceConfig, type ServiceConfig } from '../../store/platform/service-configs.ts';
import { requireAnyEndpoint } from '../../store/webhooks/deliveries.ts';

/** The form in which bodies leave the service. */
export interface BodyFormat {
  encodeData: boolean;
  encryptData: boolean;
  /** Empty if none is set. */
  publicKey: string;
  enableDataProtection: boolean;
}

export interface AdvancedSettings extends BodyFormat {
  isEnabled: boolean;
  isConfigured: boolean;
}

export interface BasicSettings extends BodyFormat {
  isEnabled: boolean;
  /** Events that are not named are not sent. */
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

/** The settings of advanced webhooks, with defaults for what is not stored. */
export function advancedSettings(stored: ServiceConfig | undefined): AdvancedSettings {
  const config = (stored?.config ?? {}) as Partial<AdvancedSettings>;
  return {
    ...formatOf(config),
    isEnabled: config.isEnabled ?? false,
    isConfigured: stored !== undefined,
  };
}

/** The settings of basic webhooks, with defaults for what is not stored. */
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

const HOW_TO_ENABLE = 'via POST /v2/workspace/advancedwebhookconfig/update with { "isEnabled": true }.';

export const notConfigured = () =>
  failedPrecondition(
    `Advanced webhooks are not configured for this workspace. Enable them first ${HOW_TO_ENABLE}`,
  );

/** Throws FAILED_PRECONDITION unless advanced webhooks are enabled. */
export async function requireAdvancedWebhooks(db: Db, scope: Scope): Promise<AdvancedSettings> {
  const settings = advancedSettings(await getServiceConfig(db, scope, 'advancedWebhook'));
  if (!settings.isConfigured) throw notConfigured();
  if (!settings.isEnabled) {
    throw failedPrecondition(
      `Advanced webhooks are disabled for this workspace. Enable them ${HOW_TO_ENABLE}`,
    );
  }
  return settings;
}

const isBasicEndpoint = (endpointId: string | undefined): boolean =>
  endpointId === 'raw' || endpointId === 'processed';

/**
 * Throws NOT_FOUND for an unknown endpoint, and FAILED_PRECONDITION unless advanced webhooks are enabled; the two
 * endpoints of the basic configuration do not need them.
 */
export async function requireDeliveries(db: Db, scope: Scope, endpointId: string | undefined): Promise<void> {
  if (!isBasicEndpoint(endpointId)) await requireAdvancedWebhooks(db, scope);
  if (endpointId !== undefined) await requireAnyEndpoint(db, scope, endpointId);
}

/** As `requireDeliveries`, and throws FAILED_PRECONDITION if the service that sends to the endpoint is turned off. */
export async function requireSending(db: Db, scope: Scope, endpointId: string): Promise<void> {
  await requireDeliveries(db, scope, endpointId);
  if (!isBasicEndpoint(endpointId)) return;
  const { isEnabled } = basicSettings(await getServiceConfig(db, scope, 'webhook'));
  if (!isEnabled) {
    throw failedPrecondition(
      'Basic webhooks are turned off. Turn them on via POST /v2/workspace/webhookconfig/update with { "useWebhookService": true }.',
    );
  }
}
