import type { Tx } from '../../db/tables.ts';
import type { Service, ServiceConfig } from './service-configs.ts';

/** What API keys chose for some services; the answer tells it of each, undefined where it was never configured. */
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
