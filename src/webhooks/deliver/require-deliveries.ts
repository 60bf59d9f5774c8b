import type { Db } from '../../db/tables.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { getServiceConfig } from '../../store/platform/service-configs.ts';
import { requireAnyEndpoint } from '../../store/webhooks/deliveries.ts';
import { basicSettings, requireAdvancedWebhooks } from '../settings/stored-settings.ts';

/**
 * NOT_FOUND where there is no such endpoint, of either kind. Those of the basic configuration are asked for
 * whether or not advanced webhooks are turned on.
 */
export async function requireDeliveries(db: Db, scope: Scope, endpointId: string | undefined): Promise<void> {
  const isBasic = endpointId === 'raw' || endpointId === 'processed';
  if (!isBasic) await requireAdvancedWebhooks(db, scope);
  if (endpointId !== undefined) await requireAnyEndpoint(db, scope, endpointId);
}

/** The same, and FAILED_PRECONDITION where nothing goes out through it because its service is turned off. */
export async function requireSending(db: Db, scope: Scope, endpointId: string): Promise<void> {
  await requireDeliveries(db, scope, endpointId);
  if (endpointId !== 'raw' && endpointId !== 'processed') return;
  const { isEnabled } = basicSettings(await getServiceConfig(db, scope, 'webhook'));
  if (!isEnabled) {
    throw failedPrecondition(
      'Basic webhooks are turned off. Turn them on via POST /v2/workspace/webhookconfig/update with { "useWebhookService": true }.',
    );
  }
}
