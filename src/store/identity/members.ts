import type { IdentityTables } from '../../db/tables/identity-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { newId } from '../../lib/ids.ts';
import type { MemberRole } from '../../lib/scope.ts';

export type MemberRow = IdentityTables['members'];

/** A membership with the tenant that a request of the console names. */
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

export async function hasMemberships(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('memberId')
    .where('accountId', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
