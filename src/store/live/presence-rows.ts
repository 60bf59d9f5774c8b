import { sql } from 'kysely';
import { json } from '../../db/json.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Presence, PresentUser } from '../../shapes/presence.ts';
import type { DocumentRef } from '../../shapes/refs.ts';

/** After this long without news, nobody counts as present. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** Notes who is on a document that exists; what is not sent of somebody who is there stays. */
export async function putPresence(
  tx: Tx,
  scope: Scope,
  { organizationId, documentId }: DocumentRef,
  users: PresentUser[],
): Promise<void> {
  const items = itemsOf(users);
  const sent = items.flatMap(({ userId, status }) => (status ? [[userId, status] as const] : []));
  const { rows } = await sql<{ userId: string; status: Presence['status']; body: Record<string, unknown> }>`
    insert into presence (api_key_id, organization_id, document_id, user_id, status, body, updated_at)
    select ${scope.apiKeyId}, ${organizationId}, ${documentId}, item."userId", coalesce(item.status, 'online'),
      item.body, cast(${Date.now()} as bigint)
    from jsonb_to_recordset(${json(items)}) as item("userId" text, status text, body jsonb)
    on conflict (api_key_id, organization_id, document_id, user_id) do update
      set status = coalesce(${json(Object.fromEntries(sent))} ->> presence.user_id, presence.status),
        body = presence.body || excluded.body, updated_at = excluded.updated_at
    returning user_id, status, body`.execute(tx);
  await emit(tx, scope, 'presence.update', {
    organizationId,
    documentId,
    users: rows.map(({ userId, status, body }) => ({ ...body, userId, status })),
  });
}

export async function deletePresence(
  tx: Tx,
  scope: Scope,
  { organizationId, documentId }: DocumentRef,
  userIds: string[],
): Promise<void> {
  const rows = await tx
    .deleteFrom('presence')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('userId', 'in', userIds)
    .returning('userId')
    .execute();
  if (rows.length === 0) return;
  const gone = rows.map((row) => row.userId);
  await emit(tx, scope, 'presence.delete', { organizationId, documentId, userIds: gone });
}

/** One page of who is on a document, in the order of their ids. */
export async function listPresence(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Presence[]> {
  let query = db
    .selectFrom('presence')
    .select(['userId', 'status', 'body', 'updatedAt'])
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('updatedAt', '>', Date.now() - FORGOTTEN_AFTER_MS);
  if (after !== undefined) query = query.where('userId', '>', after);
  const rows = await query.orderBy('userId').limit(limit).execute();
  return rows.map(({ userId, status, body, updatedAt }) => ({
    ...body,
    userId,
    status: status as Presence['status'],
    lastUpdated: updatedAt,
  }));
}

export async function prunePresence(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('presence')
    .where('updatedAt', '<', now - FORGOTTEN_AFTER_MS)
    .execute();
}

/** Of one id sent twice the later fields win. In the order of ids, so that batches cannot lock crosswise. */
function itemsOf(users: PresentUser[]) {
  const items = new Map<string, { userId: string; status: string | null; body: Record<string, unknown> }>();
  for (const { userId, status, lastUpdated, ...body } of users) {
    const earlier = items.get(userId);
    items.set(userId, {
      userId,
      status: status ?? earlier?.status ?? null,
      body: { ...earlier?.body, ...body },
    });
  }
  return [...items.values()].sort((a, b) => (a.userId < b.userId ? -1 : 1));
}
