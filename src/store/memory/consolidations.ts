import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { LeaseLost } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';

/** The row of a whole API key; those of organizations have their ids. */
export const WHOLE_KEY = '';
/** Without a sign for so long, whoever was at it is taken for dead. */
const LEASE_MS = 60_000;

export interface Lease extends Scope {
  leaseId: string;
}

/** Makes the caller the only one who consolidates an API key, also among other processes; undefined where one is. */
export async function acquireLease(db: Db, scope: Scope): Promise<Lease | undefined> {
  const leaseId = newId('lease');
  const now = Date.now();
  const { rows } = await sql`
    insert into memory_consolidations as held (api_key_id, organization_id, lease_id, lease_until)
    values (${scope.apiKeyId}, ${WHOLE_KEY}, ${leaseId}, ${now + LEASE_MS})
    on conflict (api_key_id, organization_id) do update
      set lease_id = excluded.lease_id, lease_until = excluded.lease_until
      where held.lease_until <= cast(${now} as bigint)
    returning 1`.execute(db);
  return rows.length === 1 ? { ...scope, leaseId } : undefined;
}

/** Throws where the lease is lost: what is under way must write no more. Holds it to the end of the transaction. */
export async function renewLease(tx: Db, { apiKeyId, leaseId }: Lease): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('memoryConsolidations')
    .set({ leaseUntil: Date.now() + LEASE_MS })
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', WHOLE_KEY)
    .where('leaseId', '=', leaseId)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n)
    throw new LeaseLost('The memory of this API key is consolidated anew by another process, or will be.');
}

export const releaseLease = (db: Db, { apiKeyId, leaseId }: Lease) =>
  db
    .updateTable('memoryConsolidations')
    .set({ leaseUntil: 0, leaseId: '' })
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', WHOLE_KEY)
    .where('leaseId', '=', leaseId)
    .execute();

/** Notes how far a place was gone through. */
export const noteConsolidated = (tx: Tx, { apiKeyId }: Scope, organizationId: string, mark: string) => {
  const completedAt = Date.now();
  return tx
    .insertInto('memoryConsolidations')
    .values({ apiKeyId, organizationId, mark, completedAt })
    .onConflict((conflict) =>
      conflict.columns(['apiKeyId', 'organizationId']).doUpdateSet({ mark, completedAt }),
    )
    .execute();
};

/** What was noted of each place of an API key. */
export async function consolidatedMarks(db: Db, { apiKeyId }: Scope): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('memoryConsolidations')
    .select(['organizationId', 'mark'])
    .where('apiKeyId', '=', apiKeyId)
    .execute();
  return new Map(rows.map((row) => [row.organizationId, row.mark]));
}

export interface PlaceMark {
  organizationId: string;
  /** Another one whenever a judgment came, changed, went or got its vectors. */
  mark: string;
  judgments: number;
}

const MARK = sql`
  concat_ws(':', count(*), max(recorded_at), count(*) filter (where embedded_with <> ''),
    min(embedded_with) filter (where embedded_with <> ''), max(embedded_with))`;
/** That of no judgments. */
const NOTHING = '0:0';

/** How the judgments of an API key stand now, in each organization and, first, all together. */
export async function currentMarks(db: Db, { apiKeyId }: Scope): Promise<PlaceMark[]> {
  const { rows } = await sql<PlaceMark & { whole: number }>`
    select coalesce(organization_id, '') as organization_id, ${MARK} as mark, count(*) as judgments,
      grouping(organization_id) as whole
    from judgments where api_key_id = ${apiKeyId}
    group by grouping sets ((), (organization_id)) order by whole desc, organization_id`.execute(db);
  // What is in no organization belongs to the whole alone.
  return rows
    .filter((row) => row.whole === 1 || row.organizationId !== '')
    .map(({ organizationId, mark, judgments }) => ({ organizationId, mark, judgments }));
}

/**
 * API keys whose judgments stand otherwise than when they were gone through last, those that waited longest first.
 * Of one whose judgments are still new enough to be told apart by week, alerts are due once a day all the same.
 */
export async function listDue(
  db: Db,
  { stillNewMs, dayMs }: { stillNewMs: number; dayMs: number },
): Promise<Scope[]> {
  const now = Date.now();
  const { rows } = await sql<Scope>`
    select api_keys.workspace_id, api_keys.api_key_id
    from (
      select api_key_id, ${MARK} as mark, max(created_at) as newest from judgments group by api_key_id) as current
    full join (select * from memory_consolidations where organization_id = ${WHOLE_KEY}) as past
      on past.api_key_id = current.api_key_id
    join api_keys on api_keys.api_key_id = coalesce(current.api_key_id, past.api_key_id)
    where past.mark is distinct from coalesce(current.mark, ${NOTHING})
      or (past.completed_at < cast(${now - dayMs} as bigint)
        and current.newest > cast(${now - stillNewMs} as bigint))
    order by coalesce(past.completed_at, 0), api_keys.api_key_id`.execute(db);
  return rows;
}

/** Takes away what is left of organizations in which nothing is judged any more. */
export async function forgetPlaces(tx: Tx, { apiKeyId }: Scope, gone: readonly string[]): Promise<void> {
  const places = [...gone];
  for (const table of ['memory_patterns', 'memory_alerts', 'memory_consolidations']) {
    await sql`
      delete from ${sql.table(table)} where api_key_id = ${apiKeyId} and organization_id <> ''
        and organization_id in (select jsonb_array_elements_text(${json(places)}))`.execute(tx);
  }
}

/** Lets everything of an API key be gone through anew; whoever is at it read what no longer holds, and loses its lease. */
export const forgetMarks = (tx: Tx, { apiKeyId }: Scope) =>
  tx
    .updateTable('memoryConsolidations')
    .set({ mark: '', leaseId: '', leaseUntil: 0 })
    .where('apiKeyId', '=', apiKeyId)
    .execute();
