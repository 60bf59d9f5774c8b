import { sql } from 'kysely';
import type { WorkspaceTables } from '../../db/tables/workspace-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { equalDigests } from '../../lib/crypto.ts';
import { notFound } from '../../lib/errors.ts';

export type WorkspaceRow = WorkspaceTables['workspaces'];

/** The workspace, if the token is its token. */
export async function findByWorkspaceToken(
  db: Db,
  workspaceId: string,
  tokenHash: string,
): Promise<{ workspaceId: string } | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .select(['workspaceId', 'tokenHash'])
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst();
  return row && equalDigests(row.tokenHash, tokenHash) ? { workspaceId } : undefined;
}

/** Serializes creations of workspaces for an owner, until this transaction ends. */
export async function lockOwner(tx: Tx, ownerKey: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`workspace owner ${ownerKey}`}, 0))`.execute(tx);
}

/** Serializes creations of the first workspace, until this transaction ends. */
export async function lockFirstWorkspace(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('first workspace', 0))`.execute(tx);
}

export async function hasWorkspaces(db: Db): Promise<boolean> {
  return (await db.selectFrom('workspaces').select('workspaceId').limit(1).executeTakeFirst()) !== undefined;
}

/** An owner's workspaces, the root first. */
export const listWorkspacesOf = (db: Db, ownerKey: string): Promise<WorkspaceRow[]> =>
  db
    .selectFrom('workspaces')
    .selectAll()
    .where('ownerKey', '=', ownerKey)
    .orderBy('createdAt')
    .orderBy('workspaceId')
    .execute();

export async function insertWorkspace(tx: Tx, row: WorkspaceRow): Promise<void> {
  await tx.insertInto('workspaces').values(row).execute();
}

export const workspaceTokenBinding = (workspaceId: string): string[] => ['workspaces', workspaceId, 'token'];

export const getWorkspace = (db: Db, workspaceId: string): Promise<WorkspaceRow | undefined> =>
  db.selectFrom('workspaces').selectAll().where('workspaceId', '=', workspaceId).executeTakeFirst();

export async function requireWorkspace(db: Db, workspaceId: string): Promise<WorkspaceRow> {
  const row = await getWorkspace(db, workspaceId);
  if (!row) throw notFound('Workspace not found.');
  return row;
}

/** All workspaces, or those of one owner, oldest first. */
export function listWorkspaces(db: Db, ownerKey: string | undefined): Promise<WorkspaceRow[]> {
  let query = db.selectFrom('workspaces').selectAll();
  if (ownerKey !== undefined) query = query.where('ownerKey', '=', ownerKey);
  return query.orderBy('createdAt').orderBy('workspaceId').execute();
}

/** Sets the plan. Returns false if the workspace does not exist. */
export async function setWorkspacePlan(
  tx: Tx,
  workspaceId: string,
  plan: WorkspaceRow['plan'],
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('workspaces')
    .set({ plan })
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
