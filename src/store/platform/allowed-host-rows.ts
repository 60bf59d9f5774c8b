import type { PlatformTables } from '../../db/tables/platform-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';

export type AllowedHostRow = PlatformTables['allowedHosts'];

export const listAllowedHosts = (db: Db): Promise<AllowedHostRow[]> =>
  db.selectFrom('allowedHosts').selectAll().orderBy('entry').execute();

/** Adds entries; those that are there already stay as they are. */
export async function addAllowedHosts(tx: Tx, entries: string[]): Promise<void> {
  const createdAt = Date.now();
  await tx
    .insertInto('allowedHosts')
    .values(entries.map((entry) => ({ entry, createdAt, inForceAt: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Removes entries; answers those that were there. */
export async function removeAllowedHosts(tx: Tx, entries: string[]): Promise<string[]> {
  const rows = await tx.deleteFrom('allowedHosts').where('entry', 'in', entries).returning('entry').execute();
  return rows.map(({ entry }) => entry);
}

/** Notes of entries that a process goes by them from now on. */
export async function markInForce(db: Db, entries: string[]): Promise<void> {
  await db
    .updateTable('allowedHosts')
    .set({ inForceAt: Date.now() })
    .where('entry', 'in', entries)
    .where('inForceAt', 'is', null)
    .execute();
}
