import type { IdentityTables } from '../../db/tables/identity-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { hashToken, newSecret } from '../../lib/crypto.ts';
import { DAY_MS } from '../../lib/day.ts';
import { alreadyExists, notFound, resourceExhausted } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { MemberRole } from '../../lib/scope.ts';
import { emailKeyOf } from './accounts.ts';
import { lockMembers } from './members.ts';

export type InvitationRow = IdentityTables['invitations'];

export const INVITATION_DAYS = 7;
const INVITATION_MS = INVITATION_DAYS * DAY_MS;
const MAX_OPEN = 500;

interface Guest {
  email: string;
  name: string | undefined;
  role: MemberRole;
  /** Name of the member who invites. */
  invitedBy: string | undefined;
}

/**
 * Invites a person into a workspace, in place of an earlier invitation to the same address. Returns the code of its link.
 * Throws ALREADY_EXISTS if a member has proved the address.
 */
export async function createInvitation(
  tx: Tx,
  workspaceId: string,
  { email, name = undefined, role, invitedBy }: Guest,
): Promise<{ invitation: InvitationRow; code: string }> {
  const emailKey = emailKeyOf(email);
  await lockMembers(tx, workspaceId);
  const member = await tx
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.accountId', 'members.accountId')
    .select('memberId')
    .where('members.workspaceId', '=', workspaceId)
    .where('accounts.emailKey', '=', emailKey)
    .executeTakeFirst();
  if (member) throw alreadyExists('A person with this email address is a member of the workspace.');
  await tx
    .deleteFrom('invitations')
    .where('workspaceId', '=', workspaceId)
    .where((eb) => eb.or([eb('emailKey', '=', emailKey), eb('expiresAt', '<=', Date.now())]))
    .execute();
  const { open } = await tx
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow();
  if (Number(open) >= MAX_OPEN) {
    throw resourceExhausted(`A workspace may have ${MAX_OPEN} open invitations.`);
  }
  const code = newSecret('rpi');
  const now = Date.now();
  const invitation: InvitationRow = {
    workspaceId,
    invitationId: newId('invitation'),
    email,
    emailKey,
    name: name ?? null,
    role,
    codeHash: hashToken(code),
    mailedHash: null,
    invitedBy: invitedBy ?? null,
    createdAt: now,
    expiresAt: now + INVITATION_MS,
  };
  await tx.insertInto('invitations').values(invitation).execute();
  return { invitation, code };
}

/** Creates the code that only the mail contains, so that it proves the address; undefined if the invitation is gone. */
export async function createMailedCode(
  tx: Tx,
  workspaceId: string,
  invitationId: string,
): Promise<{ invitation: InvitationRow; code: string } | undefined> {
  const code = newSecret('rpi');
  const invitation = await tx
    .updateTable('invitations')
    .set({ mailedHash: hashToken(code) })
    .where('workspaceId', '=', workspaceId)
    .where('invitationId', '=', invitationId)
    .where('expiresAt', '>', Date.now())
    .returningAll()
    .executeTakeFirst();
  return invitation && { invitation, code };
}

/** Uses up the invitation of a code. `isMailed` says whether the code proves the address. */
export async function takeInvitation(
  tx: Tx,
  code: string,
): Promise<{ invitation: InvitationRow; isMailed: boolean } | undefined> {
  const codeHash = hashToken(code);
  const invitation = await tx
    .deleteFrom('invitations')
    .where((eb) => eb.or([eb('codeHash', '=', codeHash), eb('mailedHash', '=', codeHash)]))
    .where('expiresAt', '>', Date.now())
    .returningAll()
    .executeTakeFirst();
  return invitation && { invitation, isMailed: invitation.mailedHash === codeHash };
}

/** One keyset page of a workspace's open invitations, the newest first. */
export function pageInvitations(
  db: Db,
  workspaceId: string,
  { after, limit }: { after: { createdAt: number; invitationId: string } | undefined; limit: number },
): Promise<InvitationRow[]> {
  let query = db
    .selectFrom('invitations')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('expiresAt', '>', Date.now())
    .orderBy('createdAt', 'desc')
    .orderBy('invitationId', 'desc')
    .limit(limit);
  if (after) {
    const { createdAt, invitationId } = after;
    query = query.where((eb) =>
      eb(eb.refTuple('createdAt', 'invitationId'), '<', eb.tuple(createdAt, invitationId)),
    );
  }
  return query.execute();
}

export async function revokeInvitation(tx: Tx, workspaceId: string, invitationId: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('invitations')
    .where('workspaceId', '=', workspaceId)
    .where('invitationId', '=', invitationId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('Invitation not found.');
}
