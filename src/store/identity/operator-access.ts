import { sql } from 'kysely';
import type { Tx } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { failedPrecondition, notFound } from '../../lib/errors.ts';
import { createWorkspace } from '../platform/create-workspace.ts';
import { getWorkspace, lockFirstWorkspace } from '../platform/workspaces.ts';
import { type AccountRow, accountOfOperator } from './accounts.ts';
import { addMember } from './members.ts';

/**
 * The owner of a workspace that a first sign-in created. No mail reaches it (RFC 2606), and nothing else can claim it:
 * the operator may have no address at all.
 */
export const UNKNOWN_OWNER = 'owner@redpen.invalid';
const FIRST_WORKSPACE = 'My workspace';
/** An operator with more workspaces names those that the console shall show. */
const MAX_WORKSPACES = 50;

/** Serializes sign-ins that may create the operator's account, until this transaction ends. */
const lockOperator = (tx: Tx) =>
  sql`select pg_advisory_xact_lock(hashtextextended('operator account', 0))`.execute(tx);

interface Wish {
  /** The account that enters; by default the operator's own. */
  account?: AccountRow | undefined;
  /** The workspace to own; by default all of them. */
  workspaceId?: string | null | undefined;
  plan: 'free' | 'paid';
}

/**
 * Makes an account an owner of a workspace, or of all; without any workspace, of a first one, which it creates with an API
 * key, so that the console can be used at once.
 */
export async function enterAsOperator(
  tx: Tx,
  keyring: Keyring,
  { account, workspaceId, plan }: Wish,
): Promise<AccountRow> {
  await lockOperator(tx);
  const entering = account ?? (await accountOfOperator(tx));
  for (const id of await workspacesFor(tx, keyring, { account: entering, workspaceId, plan })) {
    await addMember(tx, { workspaceId: id, accountId: entering.accountId, role: 'owner' });
  }
  return entering;
}

async function workspacesFor(
  tx: Tx,
  keyring: Keyring,
  { account, workspaceId, plan }: Wish & { account: AccountRow },
): Promise<string[]> {
  if (workspaceId != null) {
    if (!(await getWorkspace(tx, workspaceId))) throw notFound(`There is no workspace ${workspaceId}.`);
    return [workspaceId];
  }
  await lockFirstWorkspace(tx);
  const all = await tx
    .selectFrom('workspaces')
    .select('workspaceId')
    .orderBy('createdAt')
    .orderBy('workspaceId')
    .limit(MAX_WORKSPACES + 1)
    .execute();
  if (all.length > MAX_WORKSPACES) {
    throw failedPrecondition(
      `This service has more than ${MAX_WORKSPACES} workspaces: name one with redpen console link --workspace ID.`,
    );
  }
  if (all.length > 0) return all.map((row) => row.workspaceId);
  const { email, name } = account;
  const owner = email === null ? { ownerEmail: UNKNOWN_OWNER, name: 'Owner' } : { ownerEmail: email, name };
  const { id } = await createWorkspace(tx, keyring, { ...owner, workspaceName: FIRST_WORKSPACE }, plan);
  return [id];
}
