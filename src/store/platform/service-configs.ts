import { type RawBuilder, sql } from 'kysely';
import { condition, json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';

export type Service =
  | 'email'
  | 'notification'
  | 'permissionProvider'
  | 'activity'
  | 'webhook'
  | 'advancedWebhook'
  | 'memoryAlerts';

/** The settings of an API key for a service; absent fields have their default. */
export interface ServiceConfig {
  config: Fields;
  /** A key or token of the service. */
  secretSealed: string | null;
}

/** Undefined if the service was never configured. */
export const getServiceConfig = (
  db: Db,
  { apiKeyId }: Scope,
  service: Service,
): Promise<ServiceConfig | undefined> =>
  db
    .selectFrom('serviceConfigs')
    .select(['config', 'secretSealed'])
    .where('apiKeyId', '=', apiKeyId)
    .where('service', '=', service)
    .executeTakeFirst();

/** True for a row of `events` if this field of the service's config is true. */
export const hasEnabled = (service: Service, field: string): RawBuilder<boolean> =>
  condition`exists (select 1 from service_configs where service_configs.api_key_id = events.api_key_id
    and service_configs.service = ${sql.lit(service)} and service_configs.config -> ${sql.lit(field)} = 'true')`;

/** Loads the configs of several API keys for some services; the returned function looks one up. */
export async function serviceConfigsOf(
  tx: Tx,
  apiKeyIds: string[],
  services: Service[],
): Promise<(apiKeyId: string, service: Service) => ServiceConfig | undefined> {
  if (apiKeyIds.length === 0) return () => undefined;
  const rows = await tx
    .selectFrom('serviceConfigs')
    .select(['apiKeyId', 'service', 'config', 'secretSealed'])
    .where('apiKeyId', 'in', [...new Set(apiKeyIds)])
    .where('service', 'in', services)
    .execute();
  const found = Map.groupBy(rows, (row) => row.apiKeyId);
  return (apiKeyId, service) => found.get(apiKeyId)?.find((row) => row.service === service);
}

/** Changes a config under a row lock, so that no concurrent change is lost. Returns the new config. */
export async function changeServiceConfig(
  tx: Tx,
  scope: Scope,
  service: Service,
  change: (stored: ServiceConfig | undefined) => ServiceConfig,
): Promise<ServiceConfig> {
  const { apiKeyId } = scope;
  const before = await tx
    .selectFrom('serviceConfigs')
    .select(['config', 'secretSealed'])
    .where('apiKeyId', '=', apiKeyId)
    .where('service', '=', service)
    .forUpdate()
    .executeTakeFirst();
  const { config, secretSealed } = change(before);
  const row = { apiKeyId, service, config: json(config), secretSealed, updatedAt: Date.now() };
  if (before) {
    const { apiKeyId: _key, service: _service, ...changed } = row;
    await tx
      .updateTable('serviceConfigs')
      .set(changed)
      .where('apiKeyId', '=', apiKeyId)
      .where('service', '=', service)
      .execute();
    return { config, secretSealed };
  }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('serviceConfigs')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  // A concurrent transaction inserted the row and has committed, so it can be locked and changed now.
  if (numInsertedOrUpdatedRows === 0n) return changeServiceConfig(tx, scope, service, change);
  return { config, secretSealed };
}

export const sealServiceSecret = (
  keyring: Keyring,
  apiKeyId: string,
  service: Service,
  secret: string,
): string => keyring.seal(secret, serviceBinding(apiKeyId, service));

export const openServiceSecret = (
  keyring: Keyring,
  apiKeyId: string,
  service: Service,
  secretSealed: string,
): string => keyring.open(secretSealed, serviceBinding(apiKeyId, service));

export const serviceBinding = (apiKeyId: string, service: string): string[] => [
  'service_configs',
  apiKeyId,
  service,
];

/** Stands for a secret in answers; when it is sent back, the stored secret stays. */
export const REDACTED = '__redacted__';

/** The sealed secret after a change: absent or redacted keeps the stored one, empty removes it. */
export function changedSecret(
  keyring: Keyring,
  { apiKeyId }: Scope,
  service: Service,
  stored: ServiceConfig | undefined,
  sent: string | undefined,
): string | null {
  if (sent === undefined || sent === REDACTED) return stored?.secretSealed ?? null;
  return sent === '' ? null : sealServiceSecret(keyring, apiKeyId, service, sent);
}
