import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { AccessRole, ResourceType } from '../../db/tables/user-tables.ts';
import type { Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { deleteContacts } from './token-contacts.ts';

export interface Grant {
  organizationId: string;
  resourceType: ResourceType;
  resourceId: string;
  userId: string;
  accessRole: AccessRole;
  /** Epoch milliseconds; null never expires. */
  expiresAt?: number | null | undefined;
  /** `field:value` pairs; undefined keeps the stored ones. */
  accessFields?: string[] | null | undefined;
}

const keyOf = (grant: Grant): string =>
  JSON.stringify([grant.organizationId, grant.resourceType, grant.resourceId, grant.userId]);

/** Upserts grants in one statement. Of grants with the same key, the last one counts. */
export async function putGrants(tx: Tx, { apiKeyId }: Scope, grants: Grant[]): Promise<void> {
  if (grants.length === 0) return;
  const byKey = new Map(grants.map((grant) => [keyOf(grant), grant]));
  // Sorted by key, so that concurrent batches cannot deadlock.
  const items = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, grant]) => grant);
  const now = Date.now();
  await sql`
    insert into grants (api_key_id, organization_id, resource_type, resource_id, user_id, access_role,
      expires_at, access_fields, created_at, updated_at)
    select ${apiKeyId}, item."organizationId", item."resourceType", item."resourceId", item."userId",
      item."accessRole", item."expiresAt", item."accessFields", cast(${now} as bigint), cast(${now} as bigint)
    from jsonb_to_recordset(${json(items)}) as item("organizationId" text, "resourceType" text,
      "resourceId" text, "userId" text, "accessRole" text, "expiresAt" bigint, "accessFields" text[])
    on conflict (api_key_id, organization_id, resource_type, resource_id, user_id) do update
      set access_role = excluded.access_role, expires_at = excluded.expires_at,
        access_fields = coalesce(excluded.access_fields, grants.access_fields), updated_at = excluded.updated_at
  `.execute(tx);
}

/** Deletes grants in one statement. Returns the number of those that existed. */
export async function removeGrants(
  tx: Tx,
  { apiKeyId }: Scope,
  grants: Pick<Grant, 'organizationId' | 'resourceType' | 'resourceId' | 'userId'>[],
): Promise<number> {
  if (grants.length === 0) return 0;
  const { numAffectedRows } = await sql`
    delete from grants using jsonb_to_recordset(${json(grants)})
      as item("organizationId" text, "resourceType" text, "resourceId" text, "userId" text)
    where grants.api_key_id = ${apiKeyId} and grants.organization_id = item."organizationId"
      and grants.resource_type = item."resourceType" and grants.resource_id = item."resourceId"
      and grants.user_id = item."userId"`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Deletes the grants and contacts on resources that are deleted, or of users who are removed. */
export async function deleteGrants(
  tx: Tx,
  scope: Scope,
  filter: { organizationId: string; resourceType?: ResourceType; resourceIds?: string[]; userIds?: string[] },
): Promise<void> {
  if (filter.resourceIds?.length === 0 || filter.userIds?.length === 0) return;
  let query = tx
    .deleteFrom('grants')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', filter.organizationId);
  if (filter.resourceType) query = query.where('resourceType', '=', filter.resourceType);
  if (filter.resourceIds) query = query.where('resourceId', 'in', filter.resourceIds);
  if (filter.userIds) query = query.where('userId', 'in', filter.userIds);
  await query.execute();
  await deleteContacts(tx, scope, filter);
}
