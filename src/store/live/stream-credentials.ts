import { sql } from 'kysely';
import { json } from '../../db/json.ts';
import type { Db } from '../../db/tables.ts';
import type { OrganizationRef } from './live-events.ts';

/** The facts that a stream depends on for as long as it is open. */
export interface Credentials {
  /** Hashes of the auth tokens of each API key. */
  tokenHashes: Map<string, string[]>;
  /** By `organizationKey`; deleted ones are absent. */
  organizations: Map<string, { disabled: boolean }>;
}

export const organizationKey = ({ apiKeyId, organizationId }: OrganizationRef): string =>
  JSON.stringify([apiKeyId, organizationId]);

export async function loadCredentials(db: Db, organizations: OrganizationRef[]): Promise<Credentials> {
  const apiKeyIds = [...new Set(organizations.map(({ apiKeyId }) => apiKeyId))];
  const tokens = await db
    .selectFrom('apiKeyTokens')
    .select(['apiKeyId', 'tokenHash'])
    .where(sql<boolean>`api_key_id = any(cast(${apiKeyIds} as text[]))`)
    .execute();
  const named = new Map(organizations.map((ref) => [organizationKey(ref), ref]));
  const wanted = [...named.values()].map(({ apiKeyId, organizationId }) => ({ apiKeyId, organizationId }));
  const { rows } = await sql<OrganizationRef & { disabled: boolean }>`
    select organizations.api_key_id, organizations.organization_id, organizations.disabled
    from jsonb_to_recordset(${json(wanted)}) as wanted("apiKeyId" text, "organizationId" text)
    join organizations on organizations.api_key_id = wanted."apiKeyId"
      and organizations.organization_id = wanted."organizationId"`.execute(db);
  return {
    tokenHashes: new Map(
      [...Map.groupBy(tokens, ({ apiKeyId }) => apiKeyId)].map(([apiKeyId, some]) => [
        apiKeyId,
        some.map(({ tokenHash }) => tokenHash),
      ]),
    ),
    organizations: new Map(rows.map((row) => [organizationKey(row), { disabled: row.disabled }])),
  };
}
