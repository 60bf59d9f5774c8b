import { type Insertable, sql } from 'kysely';
import type { WorkspaceTables } from '../../db/tables/workspace-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { equalDigests, hashToken, type Keyring, newSecret } from '../../lib/crypto.ts';
import { alreadyExists, notFound } from '../../lib/errors.ts';

export type WorkspaceRow = WorkspaceTables['workspaces'];

/**
 * The workspace, if the token is its token, or the one before while it is valid. `isHeld`: the token stays the same until
 * this transaction ends.
 */
export async function findByWorkspaceToken(
  db: Db,
  workspaceId: string,
  tokenHash: string,
  { isHeld = false } = {},
): Promise<{ workspaceId: string; expiresAt?: number } | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .select(['workspaceId', 'tokenHash', 'previousTokenHash', 'previousTokenUntil'])
    .where('workspaceId', '=', workspaceId)
    .$if(isHeld, (query) => query.forShare())
    .executeTakeFirst();
  if (!row) return undefined;
  if (equalDigests(row.tokenHash, tokenHash)) return { workspaceId };
  const { previousTokenHash: previous, previousTokenUntil: until } = row;
  return previous !== null && until !== null && until > Date.now() && equalDigests(previous, tokenHash)
    ? { workspaceId, expiresAt: until }
    : undefined;
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

export async function insertWorkspace(tx: Tx, row: Insertable<WorkspaceRow>): Promise<void> {
  await tx.insertInto('workspaces').values(row).execute();
}

export const workspaceTokenBinding = (workspaceId: string): string[] => ['workspaces', workspaceId, 'token'];

/** A new token of a workspace, with the columns that store it. */
export function newWorkspaceToken(
  keyring: Keyring,
  workspaceId: string,
): { token: string; columns: Pick<WorkspaceRow, 'tokenHash' | 'tokenSealed' | 'tokenAt'> } {
  const token = newSecret('wsat');
  const tokenSealed = keyring.seal(token, workspaceTokenBinding(workspaceId));
  return { token, columns: { tokenHash: hashToken(token), tokenSealed, tokenAt: Date.now() } };
}

/** Replaces the token of a workspace. Returns the new one. */
export async function resetWorkspaceToken(tx: Tx, keyring: Keyring, workspaceId: string): Promise<string> {
  const { token, columns } = newWorkspaceToken(keyring, workspaceId);
  await tx
    .updateTable('workspaces')
    .set({ ...columns, previousTokenHash: null, previousTokenUntil: null })
    .where('workspaceId', '=', workspaceId)
    .execute();
  return token;
}

/** Renames a workspace. Throws ALREADY_EXISTS if its owner has another one of the name. */
export async function renameWorkspace(tx: Tx, workspaceId: string, name: string): Promise<void> {
  const { ownerKey } = await requireWorkspace(tx, workspaceId);
  await lockOwner(tx, ownerKey);
  const others = await listWorkspacesOf(tx, ownerKey);
  if (others.some((other) => other.name === name && other.workspaceId !== workspaceId)) {
    throw alreadyExists('Another workspace of the same owner has this name.');
  }
  await tx.updateTable('workspaces').set({ name }).where('workspaceId', '=', workspaceId).execute();
}

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
