import { z } from 'zod';
import type { Tx } from '../../db/tables.ts';
import { failedPrecondition, invalidArgument, notFound } from '../../lib/errors.ts';
import { recordAudit, SERVICE_CHAIN } from '../../store/audit/record-audit.ts';
import { type AccountRow, accountOfEmail } from '../../store/identity/accounts.ts';
import { addMember, hasMemberships, workspacesOfAccount } from '../../store/identity/members.ts';
import { enterAsOperator } from '../../store/identity/operator-access.ts';
import { consoleLink, createOperatorLink } from '../../store/identity/sign-in-links.ts';
import { hasWorkspaces, listWorkspaces, type WorkspaceRow } from '../../store/platform/workspaces.ts';
import { byOperator } from '../setup/run-operation.ts';
import { urlOfService } from '../setup/service-address.ts';
import type { CommandDeps, CommandText } from '../terminal/outcome.ts';
import { onOneLine } from '../terminal/table.ts';

/**
 * Prints a link that signs in to the console once: by default to the operator's account, an owner of every workspace. With
 * an email address, to the account of that person, who must be in a workspace or be named one.
 */
export async function makeConsoleLink(
  { db, openKeys, config }: CommandDeps,
  email: string | undefined,
  { workspace: workspaceId }: { workspace?: string | undefined },
): Promise<CommandText> {
  if (config.REDPEN_CONSOLE === 'off') {
    throw failedPrecondition('The console is turned off: see REDPEN_CONSOLE.');
  }
  const address = urlOfService(config);
  if (address === undefined) {
    throw failedPrecondition(
      'PORT is 0 and no service runs on this data folder: start it, or set REDPEN_PUBLIC_URL.',
    );
  }
  if (email !== undefined && !z.email().max(320).safeParse(email).success) {
    throw invalidArgument('EMAIL must be an email address.');
  }
  const keyring = await openKeys();
  const { code, claimed } = await db.transaction().execute(async (tx) => {
    const wish = { workspaceId, plan: config.REDPEN_PLAN };
    const { account, claimed = [] } =
      email === undefined
        ? { account: await enterAsOperator(tx, keyring, wish) }
        : await accountFor(tx, email, workspaceId, (one) =>
            enterAsOperator(tx, keyring, { ...wish, account: one }),
          );
    const { accountId } = account;
    const workspaces =
      email === undefined && workspaceId === undefined ? [] : await workspacesOfAccount(tx, accountId);
    for (const id of workspaces.length > 0 ? workspaces : [SERVICE_CHAIN]) {
      await recordAudit(tx, { workspaceId: id }, byOperator('redpen console link'), [
        { action: 'console_link.created', id: accountId },
      ]);
    }
    return { code: await createOperatorLink(tx, { accountId }), claimed };
  });
  const notices = [
    'The link signs in once, within 24 hours. Anyone who opens it first is signed in.',
    ...claimed.map(
      ({ workspaceId, name }) =>
        `${email} is now an owner of ${workspaceId} (${onOneLine(name)}), which was registered under this address without a proof. If another person has made it, reset its tokens, or remove the account from it.`,
    ),
  ];
  return { output: `${consoleLink(address, code)}\n`, notice: `${notices.join('\n')}\n` };
}

/**
 * The account of a person, with a workspace that it may open. One that is in no workspace becomes an owner of those that were
 * registered under its address, by anyone who could reach the service: `claimed` names them for the operator.
 */
async function accountFor(
  tx: Tx,
  email: string,
  workspaceId: string | undefined,
  enter: (account: AccountRow) => Promise<AccountRow>,
): Promise<{ account: AccountRow; claimed?: WorkspaceRow[] }> {
  const account = await accountOfEmail(tx, email);
  if (workspaceId !== undefined || !(await hasWorkspaces(tx))) return { account: await enter(account) };
  if (await hasMemberships(tx, account.accountId)) return { account };
  const own = await listWorkspaces(tx, email.toLowerCase());
  if (own.length === 0) {
    throw notFound(`${email} is in no workspace: name one with --workspace ID.`);
  }
  for (const workspace of own) {
    await addMember(tx, {
      workspaceId: workspace.workspaceId,
      accountId: account.accountId,
      role: 'owner',
    });
  }
  return { account, claimed: own };
}
