import { z } from 'zod';
import type { Db } from '../../db/tables.ts';
import { type AuditTarget, type WriteContext, write } from '../../http/endpoint.ts';
import { unauthenticated } from '../../http/request/unauthenticated.ts';
import { hashToken } from '../../lib/crypto.ts';
import { ApiError, failedPrecondition } from '../../lib/errors.ts';
import { networkOf } from '../../lib/network.ts';
import { consoleSession } from '../../shapes/identity/session.ts';
import { recordAudit } from '../../store/audit/record-audit.ts';
import {
  accountOfEmail,
  accountOfWorkspace,
  accountToMail,
  emailKeyOf,
  findByEmail,
  getAccount,
  insertAccount,
  proveEmail,
} from '../../store/identity/accounts.ts';
import { describeSession } from '../../store/identity/describe-session.ts';
import { takeInvitation } from '../../store/identity/invitations.ts';
import { countTry } from '../../store/identity/mail-limits.ts';
import { addMember, workspacesOfAccount } from '../../store/identity/members.ts';
import { enterAsOperator } from '../../store/identity/operator-access.ts';
import { endSession, SESSION_MS, startSession } from '../../store/identity/sessions.ts';
import { type SignInLinkRow, takeDigits, takeLink } from '../../store/identity/sign-in-links.ts';
import { findByWorkspaceToken, getWorkspace, requireWorkspace } from '../../store/platform/workspaces.ts';

const secret = z.string().min(1).max(500);

type Context = WriteContext<'public'>;

const OVER = 'This link was used before, was replaced by a newer one, or has expired.';
const SIGN_IN_FIRST = 'You have an account: sign in, and then open the link of the invitation again.';
const WRONG = 'The code is wrong or no longer valid. After five wrong codes, ask for a new mail.';

export default write({
  path: '/v2/session/start',
  auth: 'public',
  isConsole: true,
  summary: 'Sign in to the console.',
  description:
    'Takes the code of a link that signs in once; or an email address with the six digits that were mailed to it; or the credentials of a workspace, which sign in as its owner. The answer sets the cookie of the session, which scripts cannot read, and ends the session that the browser had. A session ends after 12 hours without use, and after 30 days in any case. The first link of a service that has no workspace creates one, with an API key. An invitation adds the workspace to the account that is signed in, if any. A repeated request is a new attempt, also with the same `idempotency-key`.',
  data: z
    .object({
      code: secret
        .optional()
        .describe('The code of a link, which follows `#code=` in it; with `email`, the six digits.'),
      email: z.email().max(320).optional(),
      workspaceId: secret.optional(),
      workspaceAuthToken: secret.optional(),
    })
    .superRefine(({ code, email, workspaceId, workspaceAuthToken }, context) => {
      const byWorkspace = workspaceId !== undefined && workspaceAuthToken !== undefined;
      const problem = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (code === undefined && !byWorkspace) {
        problem('code', 'must be sent, or else workspaceId with workspaceAuthToken');
      } else if (code !== undefined && (workspaceId ?? workspaceAuthToken) !== undefined) {
        problem('code', 'must not be sent with the credentials of a workspace');
      } else if (code === undefined && email !== undefined) {
        problem('email', 'must be sent with a code, and not with the credentials of a workspace');
      }
    })
    .meta({
      examples: [{ workspaceId: 'ws_1a2B3cD4eF5gH6jK7mN8', workspaceAuthToken: 'token-of-the-workspace' }],
    }),
  result: consoleSession,
  message: 'Signed in successfully.',
  rateLimit: {
    name: 'session.start',
    perMinute: (settings) => settings.signInRate,
    message: 'Too many attempts to sign in. Try again after 1 minute.',
  },
  failures: {
    UNAUTHENTICATED: 'The code is wrong, was used before or has expired, or the credentials are wrong.',
    PERMISSION_DENIED: 'The request comes from a page of another origin, or the console is turned off.',
    FAILED_PRECONDITION:
      'The operator has more workspaces than the console shows without a choice, or the address of an invitation has an account that is not signed in.',
  },

  audit: {
    action: 'session.started',
    of: (_data, { account, workspaces }) =>
      workspaces.map(({ workspaceId }) => ({
        id: account.accountId,
        workspaceId,
        actor: { kind: 'account', id: account.accountId, name: account.name },
      })),
    refused: {
      action: 'session.failed',
      of: async ({ email, workspaceId }, { db }) => await triedToEnter(db, { email, workspaceId }),
    },
  },

  async handle({ code, email, workspaceId = '', workspaceAuthToken = '' }, context) {
    const { tx, caller, settings, client, keepSession, revoke } = context;
    const accountId =
      code === undefined
        ? await enterByWorkspace(context, workspaceId, workspaceAuthToken)
        : email === undefined
          ? await enterByCode(context, code)
          : await enterByDigits(context, email, code);
    const before = caller?.session;
    if (before) {
      await endSession(tx, before.accountId, before.sessionId);
      revoke(before.sessionId);
    }
    const { session, token } = await startSession(tx, accountId, client);
    keepSession({ token, seconds: SESSION_MS / 1_000 });
    return await describeSession(tx, session, settings);
  },
});

/** The workspaces that a refused request meant: the one that is named, or those of the account of an address. */
async function triedToEnter(
  db: Db,
  { email, workspaceId }: { email: string | undefined; workspaceId: string | undefined },
): Promise<AuditTarget[]> {
  if (workspaceId !== undefined) {
    return (await getWorkspace(db, workspaceId)) ? [{ id: workspaceId, type: 'workspace', workspaceId }] : [];
  }
  const account = email === undefined ? undefined : await accountToMail(db, emailKeyOf(email));
  if (!account) return [];
  const workspaces = await workspacesOfAccount(db, account.accountId);
  return workspaces.map((one) => ({ id: account.accountId, workspaceId: one }));
}

/** The account of a workspace's owner, as which its credentials sign in. */
async function enterByWorkspace({ tx }: Context, workspaceId: string, token: string): Promise<string> {
  // A reset of the token that is under way must find the session that begins here.
  const found = await findByWorkspaceToken(tx, workspaceId, hashToken(token), { isHeld: true });
  if (!found) throw unauthenticated();
  const { accountId } = await accountOfWorkspace(tx, await requireWorkspace(tx, workspaceId));
  await addMember(tx, { workspaceId, accountId, role: 'owner' });
  return accountId;
}

async function enterByCode(context: Context, code: string): Promise<string> {
  const { tx, keyring, settings } = context;
  const link = await takeLink(tx, code);
  if (!link) return await enterByInvitation(context, code);
  if (link.emailKey !== null) return await enterByMail(context, link);
  const account = link.accountId === null ? undefined : await getAccount(tx, link.accountId);
  if (account && link.workspaceId === null) return account.accountId;
  const wish = { account, workspaceId: link.workspaceId, plan: settings.plan };
  return (await enterAsOperator(tx, keyring, wish)).accountId;
}

async function enterByDigits(context: Context, email: string, digits: string): Promise<string> {
  const { tx, keyring, client } = context;
  const network = networkOf(client.address);
  const mayTry = await countTry(tx, email, network);
  const tried = { emailKey: emailKeyOf(email), digits, network };
  const link = mayTry ? await takeDigits(tx, keyring, tried) : undefined;
  // The try is counted.
  if (!link) throw new ApiError('UNAUTHENTICATED', WRONG, { commits: true });
  return await enterByMail(context, link);
}

/** The account of a mailed link, whose use proves the address. */
async function enterByMail({ tx, revoke }: Context, link: SignInLinkRow): Promise<string> {
  const account = link.accountId === null ? undefined : await getAccount(tx, link.accountId);
  if (!account || !(await proveEmail(tx, account, link.emailKey!))) {
    throw new ApiError('UNAUTHENTICATED', OVER);
  }
  revoke(account.accountId);
  return account.accountId;
}

/**
 * Adds the account that is signed in to the workspace that invites. Without one, the mailed code makes an account of its
 * address, and the code that the inviting owner sees one without an address that is proved. Neither enters an account that is
 * there already, since invitations are valid for days and are passed on.
 */
async function enterByInvitation(
  { tx, caller, revoke, auditSource }: Context,
  code: string,
): Promise<string> {
  const taken = await takeInvitation(tx, code);
  if (!taken) throw new ApiError('UNAUTHENTICATED', OVER);
  const { email, name, workspaceId, role } = taken.invitation;
  const guest = { name: name ?? email, email };
  let accountId = caller?.session?.accountId;
  if (accountId === undefined) {
    if (taken.isMailed && (await findByEmail(tx, emailKeyOf(email)))) throw failedPrecondition(SIGN_IN_FIRST);
    const account = taken.isMailed
      ? await accountOfEmail(tx, email, guest.name)
      : await insertAccount(tx, guest);
    accountId = account.accountId;
  }
  await addMember(tx, { workspaceId, accountId, role });
  const actor = { kind: 'account' as const, id: accountId, name: guest.name };
  await recordAudit(tx, { workspaceId }, { ...auditSource, actor }, [
    { action: 'member.joined', id: accountId, after: { role } },
  ]);
  revoke(accountId);
  return accountId;
}
