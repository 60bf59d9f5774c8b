import { sql } from 'kysely';
import { z } from 'zod';
import { anyOf, rowsOf } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { LeaseLost } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';

/** Organization id of the row that stands for the whole API key. */
export const WHOLE_KEY = '';
/** A lease that is not renewed for this long has expired. */
const LEASE_MS = 60_000;

export interface Lease extends Scope {
  leaseId: string;
}

/** Acquires the lease on an API key, exclusive across processes; undefined while another process holds it. */
export async function acquireLease(db: Db, scope: Scope): Promise<Lease | undefined> {
  const leaseId = newId('lease');
  const now = Date.now();
  const leaseUntil = now + LEASE_MS;
  const row = await db
    .insertInto('memoryConsolidations')
    .values({ apiKeyId: scope.apiKeyId, organizationId: WHOLE_KEY, leaseId, leaseUntil })
    .onConflict((conflict) =>
      conflict
        .columns(['apiKeyId', 'organizationId'])
        .doUpdateSet({ leaseId, leaseUntil })
        .where('memoryConsolidations.leaseUntil', '<=', now),
    )
    .returning('leaseId')
    .executeTakeFirst();
  return row && { ...scope, leaseId };
}

/**
 * Renews the lease, and locks it until the transaction ends. Throws `LeaseLost` if another process has taken
 * it: nothing more may be written.
 */
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

/** Records that a place is consolidated up to a mark. */
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

/** The mark of each place at its last consolidation. */
export async function lastMarks(db: Db, { apiKeyId }: Scope): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('memoryConsolidations')
    .select(['organizationId', 'mark'])
    .where('apiKeyId', '=', apiKeyId)
    .execute();
  return new Map(rows.map((row) => [row.organizationId, row.mark]));
}

export interface PlaceMark {
  organizationId: string;
  /** A fingerprint that differs whenever a judgment was added, changed, deleted or embedded. */
  mark: string;
  judgments: number;
}

const MARK = sql`
  concat_ws(':', count(*), max(recorded_at), count(*) filter (where embedded_with <> ''),
    min(embedded_with) filter (where embedded_with <> ''), max(embedded_with))`;
/** The mark of a place without judgments. */
const NOTHING = '0:0';

const markRow = z.object({
  organizationId: z.string(),
  mark: z.string(),
  judgments: z.number(),
  whole: z.number(),
});

/** Current marks of an API key: the whole key first, then each organization. */
export async function currentMarks(db: Db, { apiKeyId }: Scope): Promise<PlaceMark[]> {
  const rows = await rowsOf(
    db,
    markRow,
    sql`select coalesce(organization_id, '') as organization_id, ${MARK} as mark, count(*) as judgments,
      grouping(organization_id) as whole
    from judgments where api_key_id = ${apiKeyId}
    group by grouping sets ((), (organization_id)) order by whole desc, organization_id`,
  );
  // Judgments without an organization count for the whole key only.
  return rows
    .filter((row) => row.whole === 1 || row.organizationId !== '')
    .map(({ organizationId, mark, judgments }) => ({ organizationId, mark, judgments }));
}

const dueRow = z.object({ workspaceId: z.string(), apiKeyId: z.string() });

/**
 * API keys whose mark has changed since their last consolidation, longest waiting first. Keys with recent judgments are
 * due once a day in any case, since missing judgments may be an anomaly.
 */
export async function listDue(
  db: Db,
  { stillNewMs, dayMs }: { stillNewMs: number; dayMs: number },
): Promise<Scope[]> {
  const now = Date.now();
  return await rowsOf(
    db,
    dueRow,
    sql`select api_keys.workspace_id, api_keys.api_key_id
    from (
      select api_key_id, ${MARK} as mark, max(created_at) as newest from judgments group by api_key_id) as current
    full join (select * from memory_consolidations where organization_id = ${WHOLE_KEY}) as past
      on past.api_key_id = current.api_key_id
    join api_keys on api_keys.api_key_id = coalesce(current.api_key_id, past.api_key_id)
    where past.mark is distinct from coalesce(current.mark, ${NOTHING})
      or (past.completed_at < cast(${now - dayMs} as bigint)
        and current.newest > cast(${now - stillNewMs} as bigint))
    order by coalesce(past.completed_at, 0), api_keys.api_key_id`,
  );
}

/** Deletes what was derived for organizations that have no judgments any more. */
export async function deletePlaces(tx: Tx, { apiKeyId }: Scope, gone: readonly string[]): Promise<void> {
  for (const table of ['memoryPatterns', 'memoryAlerts', 'memoryConsolidations'] as const)
    await tx
      .deleteFrom(table)
      .where('apiKeyId', '=', apiKeyId)
      .where('organizationId', '<>', WHOLE_KEY)
      .where('organizationId', '=', anyOf(gone))
      .execute();
}

/** Makes an API key due, and revokes the lease of a running consolidation, which has read outdated judgments. */
export const resetMarks = (tx: Tx, { apiKeyId }: Scope) =>
  tx
    .updateTable('memoryConsolidations')
    .set({ mark: '', leaseId: '', leaseUntil: 0 })
    .where('apiKeyId', '=', apiKeyId)
    .execute();
