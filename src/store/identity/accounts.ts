import { condition } from '../../db/sql-fragments.ts';
import type { IdentityTables } from '../../db/tables/identity-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { newId } from '../../lib/ids.ts';
import { deleteTokensOf } from './personal-tokens.ts';

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

type NewAccount = Pick<AccountRow, 'name'> & Partial<AccountRow>;

const rowOf = (account: NewAccount): AccountRow => ({
  accountId: newId('account'),
  email: null,
  emailKey: null,
  workspaceId: null,
  isOperator: false,
  createdAt: Date.now(),
  ...account,
});

export async function insertAccount(tx: Tx, account: NewAccount): Promise<AccountRow> {
  const row = rowOf(account);
  await tx.insertInto('accounts').values(row).execute();
  return row;
}

/** Finds an account, or creates it. Concurrent calls create one. */
async function findOrInsert(
  tx: Tx,
  find: () => Promise<AccountRow | undefined>,
  account: NewAccount,
): Promise<AccountRow> {
  const found = await find();
  if (found) return found;
  const inserted = await tx
    .insertInto('accounts')
    .values(rowOf(account))
    .onConflict((on) => on.doNothing())
    .returningAll()
    .executeTakeFirst();
  return inserted ?? (await find())!;
}

/** The account of a proved email address; created if there is none. */
export async function accountOfEmail(tx: Tx, email: string, name = email): Promise<AccountRow> {
  const emailKey = emailKeyOf(email);
  return await findOrInsert(tx, () => findByEmail(tx, emailKey), { name, email, emailKey });
}

/** The account of the operator, who signs in with links of the command line. */
export const accountOfOperator = (tx: Tx): Promise<AccountRow> =>
  findOrInsert(
    tx,
    () => tx.selectFrom('accounts').selectAll().where('isOperator', '=', true).executeTakeFirst(),
    { name: 'Operator', isOperator: true },
  );

/** The account to which the credentials of a workspace sign in. */
export const accountOfWorkspace = (
  tx: Tx,
  { workspaceId, ownerName }: { workspaceId: string; ownerName: string },
): Promise<AccountRow> =>
  findOrInsert(tx, () => findByWorkspace(tx, workspaceId), { name: ownerName, workspaceId });

const findByWorkspace = (db: Db, workspaceId: string): Promise<AccountRow | undefined> =>
  db.selectFrom('accounts').selectAll().where('workspaceId', '=', workspaceId).executeTakeFirst();

export async function renameAccount(tx: Tx, accountId: string, name: string): Promise<void> {
  await tx.updateTable('accounts').set({ name }).where('accountId', '=', accountId).execute();
}

/**
 * The account that receives mail at an address: the one that has proved it, or else the oldest that an invitation created
 * for it without a proof.
 */
export async function accountToMail(db: Db, emailKey: string): Promise<AccountRow | undefined> {
  return (
    (await findByEmail(db, emailKey)) ??
    (await db
      .selectFrom('accounts')
      .selectAll()
      .where('emailKey', 'is', null)
      .where(condition`lower(email) = ${emailKey}`)
      .orderBy('createdAt')
      .orderBy('accountId')
      .limit(1)
      .executeTakeFirst())
  );
}

/**
 * Notes that a person has proved to receive mail at the address of their account. Before, another person could have used the
 * account under this address, so that its sessions and tokens end. Returns false if another account has the address.
 */
export async function proveEmail(tx: Tx, account: AccountRow, emailKey: string): Promise<boolean> {
  if (account.emailKey === emailKey) return true;
  if (await findByEmail(tx, emailKey)) return false;
  const { accountId } = account;
  await tx.deleteFrom('sessions').where('accountId', '=', accountId).execute();
  await deleteTokensOf(tx, accountId);
  await tx.updateTable('accounts').set({ emailKey }).where('accountId', '=', accountId).execute();
  return true;
}

/**
 * Ends the sessions and personal tokens of the account to which the credentials of a workspace sign in, except for one session.
 * Returns the account, whose cached credentials must be dropped.
 */
export async function endSignInsOfWorkspace(
  tx: Tx,
  workspaceId: string,
  exceptSessionId: string | undefined,
): Promise<string | undefined> {
  const account = await findByWorkspace(tx, workspaceId);
  if (!account) return undefined;
  const { accountId } = account;
  await tx
    .deleteFrom('sessions')
    .where('accountId', '=', accountId)
    .where('sessionId', '<>', exceptSessionId ?? '')
    .execute();
  await deleteTokensOf(tx, accountId);
  return accountId;
}
