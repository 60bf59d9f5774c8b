import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/day.ts';
import type { Scope, TokenGrant } from '../../lib/scope.ts';

/** People who got no token for this long are no longer found. */
const FORGOTTEN_AFTER_MS = 90 * DAY_MS;

/**
 * Remembers the places that a token grants, so that others can mention its user there. It grants nothing by itself. Tokens
 * are made at each visit, so a recent row is not written again.
 */
export async function rememberContact(
  tx: Tx,
  { apiKeyId }: Scope,
  userId: string,
  resources: readonly Pick<TokenGrant, 'type' | 'id' | 'organizationId'>[],
): Promise<void> {
  if (resources.length === 0) return;
  const now = Date.now();
  await sql`
    insert into token_contacts (api_key_id, organization_id, resource_type, resource_id, user_id, seen_at)
    select distinct ${apiKeyId}, item."organizationId", item.type, item.id, ${userId}, cast(${now} as bigint)
    from jsonb_to_recordset(${json([...resources])}) as item("organizationId" text, type text, id text)
    order by 2, 3, 4
    on conflict (api_key_id, organization_id, resource_type, resource_id, user_id) do update
      set seen_at = excluded.seen_at
      where token_contacts.seen_at < cast(${now - DAY_MS} as bigint)`.execute(tx);
}

interface ContactFilter {
  organizationId: string;
  resourceType?: 'organization' | 'folder' | 'document' | undefined;
  resourceIds?: string[] | undefined;
  userIds?: string[] | undefined;
}

/** Forgets people of places that are deleted, or who are removed. */
export async function deleteContacts(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, resourceType, resourceIds, userIds }: ContactFilter,
): Promise<void> {
  if (resourceIds?.length === 0 || userIds?.length === 0) return;
  let query = tx
    .deleteFrom('tokenContacts')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId);
  if (resourceType) query = query.where('resourceType', '=', resourceType);
  if (resourceIds) query = query.where('resourceId', 'in', resourceIds);
  if (userIds) query = query.where('userId', 'in', userIds);
  await query.execute();
}

export async function pruneContacts(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('tokenContacts')
    .where('seenAt', '<', now - FORGOTTEN_AFTER_MS)
    .execute();
}
