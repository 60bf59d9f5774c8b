import type { IdentityTables } from '../../db/tables/identity-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { newId } from '../../lib/ids.ts';

export type AccountRow = IdentityTables['accounts'];

export const emailKeyOf = (email: string): string => email.toLowerCase();

export const getAccount = (db: Db, accountId: string): Promise<AccountRow | undefined> =>
  db.selectFrom('accounts').selectAll().where('accountId', '=', accountId).executeTakeFirst();

/** The account whose owner has proved to receive mail at an address. */
export const findByEmail = (db: Db, emailKey: string): Promise<AccountRow | undefined> =>
  db.selectFrom('accounts').selectAll().where('emailKey', '=', emailKey).executeTakeFirst();

export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('accountId').limit(1).executeTakeFirst()) !== undefined;
}

export async function insertAccount(
  tx: Tx,
  account: Pick<AccountRow, 'name'> & Partial<AccountRow>,
): Promise<AccountRow> {
  const row: AccountRow = {
    accountId: newId('account'),
    email: null,
    emailKey: null,
    workspaceId: null,
    isOperator: false,
    createdAt: Date.now(),
    ...account,
  };
  await tx.insertInto('accounts').values(row).execute();
  return row;
}

/** The account of a proved email address; created if there is none. */
export async function accountOfEmail(tx: Tx, email: string, name = email): Promise<AccountRow> {
  const emailKey = emailKeyOf(email);
  return (await findByEmail(tx, emailKey)) ?? (await insertAccount(tx, { name, email, emailKey }));
}

/** The account of the operator, who signs in with links of the command line. */
export async function accountOfOperator(tx: Tx): Promise<AccountRow> {
  const row = await tx.selectFrom('accounts').selectAll().where('isOperator', '=', true).executeTakeFirst();
  return row ?? (await insertAccount(tx, { name: 'Operator', isOperator: true }));
}

/** The account to which the credentials of a workspace sign in. */
export async function accountOfWorkspace(
  tx: Tx,
  workspace: { workspaceId: string; ownerName: string },
): Promise<AccountRow> {
  const row = await tx
    .selectFrom('accounts')
    .selectAll()
    .where('workspaceId', '=', workspace.workspaceId)
    .executeTakeFirst();
  return row ?? (await insertAccount(tx, { name: workspace.ownerName, workspaceId: workspace.workspaceId }));
}
