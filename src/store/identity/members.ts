import { sql } from 'kysely';
import type { IdentityTables } from '../../db/tables/identity-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { failedPrecondition, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { MemberRole } from '../../lib/scope.ts';
import { deleteTokensOf } from './personal-tokens.ts';

export type MemberRow = IdentityTables['members'];

/** A membership with the API key that a request names. */
export type Membership = MemberRow & { apiKeyId: string | undefined };

/** The account's membership in the workspace of an API key. */
export async function membershipByKey(
  db: Db,
  accountId: string,
  apiKeyId: string,
): Promise<Membership | undefined> {
  return await db
    .selectFrom('members')
    .innerJoin('apiKeys', 'apiKeys.workspaceId', 'members.workspaceId')
    .selectAll('members')
    .select('apiKeys.apiKeyId')
    .where('apiKeys.apiKeyId', '=', apiKeyId)
    .where('members.accountId', '=', accountId)
    .executeTakeFirst();
}

export async function membershipIn(
  db: Db,
  accountId: string,
  workspaceId: string,
): Promise<Membership | undefined> {
  const row = await db
    .selectFrom('members')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst();
  return row && { ...row, apiKeyId: undefined };
}

export async function hasMemberships(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('memberId')
    .where('accountId', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The ids of the workspaces of which an account is a member, up to 100. */
export async function workspacesOfAccount(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('members')
    .select('workspaceId')
    .where('accountId', '=', accountId)
    .orderBy('workspaceId')
    .limit(100)
    .execute();
  return rows.map(({ workspaceId }) => workspaceId);
}

/** Adds an account to a workspace. A role that it has is only raised. */
export async function addMember(
  tx: Tx,
  { workspaceId, accountId, role }: { workspaceId: string; accountId: string; role: MemberRole },
): Promise<void> {
  const before = await membershipIn(tx, accountId, workspaceId);
  if (!before) {
    const row = { workspaceId, accountId, role, memberId: newId('member'), joinedAt: Date.now() };
    await tx
      .insertInto('members')
      .values({ ...row, lastSeenAt: null })
      .onConflict((on) => on.columns(['accountId', 'workspaceId']).doNothing())
      .execute();
    return;
  }
  if (before.role === role || before.role === 'owner' || role === 'viewer') return;
  await tx
    .updateTable('members')
    .set({ role })
    .where('workspaceId', '=', workspaceId)
    .where('memberId', '=', before.memberId)
    .execute();
}

/** A member with the name and address of their account. */
export interface ListedMember extends Omit<MemberRow, 'accountId' | 'workspaceId'> {
  name: string;
  email: string | null;
}

const listed = (db: Db, workspaceId: string) =>
  db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.accountId', 'members.accountId')
    .select(['memberId', 'accounts.name', 'accounts.email', 'role', 'joinedAt', 'lastSeenAt'])
    .where('members.workspaceId', '=', workspaceId);

/** One keyset page of a workspace's members, in the order in which they joined. */
export function pageMembers(
  db: Db,
  workspaceId: string,
  { after, limit }: { after: { joinedAt: number; memberId: string } | undefined; limit: number },
): Promise<ListedMember[]> {
  let query = listed(db, workspaceId).orderBy('joinedAt').orderBy('memberId').limit(limit);
  if (after) {
    const { joinedAt, memberId } = after;
    query = query.where((eb) => eb(eb.refTuple('joinedAt', 'memberId'), '>', eb.tuple(joinedAt, memberId)));
  }
  return query.execute();
}

export async function getMember(db: Db, workspaceId: string, memberId: string): Promise<ListedMember> {
  const row = await listed(db, workspaceId).where('memberId', '=', memberId).executeTakeFirst();
  if (!row) throw notFound('Member not found.');
  return row;
}

/** Serializes changes of a workspace's members and invitations, until this transaction ends. */
export async function lockMembers(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`members of ${workspaceId}`}, 0))`.execute(tx);
}

/** Locks a member for a change. Throws FAILED_PRECONDITION if the workspace would be without an owner afterwards. */
async function lockForChange(
  tx: Tx,
  workspaceId: string,
  memberId: string,
  staysOwner: boolean,
): Promise<MemberRow> {
  // Two owners who remove each other must not both succeed.
  await lockMembers(tx, workspaceId);
  const row = await tx
    .selectFrom('members')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('memberId', '=', memberId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('Member not found.');
  if (row.role !== 'owner' || staysOwner) return row;
  const other = await tx
    .selectFrom('members')
    .select('memberId')
    .where('workspaceId', '=', workspaceId)
    .where('role', '=', 'owner')
    .where('memberId', '<>', memberId)
    .limit(1)
    .executeTakeFirst();
  if (!other) {
    throw failedPrecondition('This is the last owner of the workspace: make another member an owner first.');
  }
  return row;
}

/** Changes the role of a member. Returns the account, whose cached credentials must be dropped. */
export async function changeRole(
  tx: Tx,
  workspaceId: string,
  memberId: string,
  role: MemberRole,
): Promise<string> {
  const { accountId } = await lockForChange(tx, workspaceId, memberId, role === 'owner');
  await tx
    .updateTable('members')
    .set({ role })
    .where('workspaceId', '=', workspaceId)
    .where('memberId', '=', memberId)
    .execute();
  return accountId;
}

/**
 * Removes a member with their personal tokens of the workspace, and with open invitations to their address, with which they
 * could come back. An account that is in no workspace any more is deleted with its sessions. Returns the account, whose cached
 * credentials must be dropped.
 */
export async function removeMember(tx: Tx, workspaceId: string, memberId: string): Promise<string> {
  const { accountId } = await lockForChange(tx, workspaceId, memberId, false);
  await tx
    .deleteFrom('members')
    .where('workspaceId', '=', workspaceId)
    .where('memberId', '=', memberId)
    .execute();
  await deleteTokensOf(tx, accountId, workspaceId);
  await tx
    .deleteFrom('invitations')
    .where('workspaceId', '=', workspaceId)
    .where('emailKey', 'in', (accounts) =>
      accounts
        .selectFrom('accounts')
        .select(({ fn }) => fn<string>('lower', ['accounts.email']).as('emailKey'))
        .where('accountId', '=', accountId)
        .where('accounts.email', 'is not', null),
    )
    .execute();
  if (!(await hasMemberships(tx, accountId))) {
    await tx.deleteFrom('accounts').where('accountId', '=', accountId).execute();
  }
  return accountId;
}
