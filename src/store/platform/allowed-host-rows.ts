import type { PlatformTables } from '../../db/tables/platform-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';

export type AllowedHostRow = PlatformTables['allowedHosts'];

export const listAllowedHosts = (db: Db): Promise<AllowedHostRow[]> =>
  db.selectFrom('allowedHosts').selectAll().orderBy('entry').execute();

/** Adds entries; existing ones stay as they are. */
export async function addAllowedHosts(tx: Tx, entries: string[]): Promise<void> {
  const createdAt = Date.now();
  await tx
    .insertInto('allowedHosts')
    .values(entries.map((entry) => ({ entry, createdAt, inForceAt: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes entries. Returns those that existed. */
export async function removeAllowedHosts(tx: Tx, entries: string[]): Promise<string[]> {
  const rows = await tx.deleteFrom('allowedHosts').where('entry', 'in', entries).returning('entry').execute();
  return rows.map(({ entry }) => entry);
}

/** Marks entries as in force, once a process applies them. */
export async function markInForce(db: Db, entries: string[]): Promise<void> {
  await db
    .updateTable('allowedHosts')
    .set({ inForceAt: Date.now() })
    .where('entry', 'in', entries)
    .where('inForceAt', 'is', null)
    .execute();
}
