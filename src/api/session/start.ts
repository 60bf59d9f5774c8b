import { z } from 'zod';
import type { Tx } from '../../db/tables.ts';
import { type WriteContext, write } from '../../http/endpoint.ts';
import { unauthenticated } from '../../http/request/unauthenticated.ts';
import { hashToken } from '../../lib/crypto.ts';
import { ApiError } from '../../lib/errors.ts';
import { consoleSession } from '../../shapes/identity/session.ts';
import { accountOfWorkspace, getAccount } from '../../store/identity/accounts.ts';
import { describeSession } from '../../store/identity/describe-session.ts';
import { addMember } from '../../store/identity/members.ts';
import { enterAsOperator } from '../../store/identity/operator-access.ts';
import { SESSION_MS, startSession } from '../../store/identity/sessions.ts';
import { takeLink } from '../../store/identity/sign-in-links.ts';
import { findByWorkspaceToken, requireWorkspace } from '../../store/platform/workspaces.ts';
import { consoleClosed, serviceOf } from './console-closed.ts';

const secret = z.string().min(1).max(500);

const ONE_WAY = 'must be sent, or else workspaceId with workspaceAuthToken';

export default write({
  path: '/v2/session/start',
  auth: 'public',
  isConsole: true,
  closed: consoleClosed,
  summary: 'Sign in to the console.',
  description:
    'Takes the code of a link that signs in once, or the credentials of a workspace, which sign in as its owner. The answer sets the cookie of the session, which scripts cannot read: it ends after 12 hours without use, and after 30 days in any case. The first link of a service that has no workspace creates one, with an API key.',
  data: z
    .object({
      code: secret.optional().describe('The code of a link, which follows `#code=` in it.'),
      workspaceId: secret.optional(),
      workspaceAuthToken: secret.optional(),
    })
    .superRefine(({ code, workspaceId, workspaceAuthToken }, context) => {
      const isWorkspace = workspaceId !== undefined && workspaceAuthToken !== undefined;
      const isMixed = code !== undefined && (workspaceId ?? workspaceAuthToken) !== undefined;
      if (isMixed || (code === undefined && !isWorkspace)) {
        context.addIssue({ code: 'custom', path: ['code'], message: ONE_WAY });
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
    UNAUTHENTICATED: 'The code was used before or has expired, or the credentials are wrong.',
    PERMISSION_DENIED: 'The request comes from a page of another origin, or the console is turned off.',
  },

  async handle({ code, workspaceId = '', workspaceAuthToken = '' }, context) {
    const { tx, settings, client, keepSession } = context;
    const accountId =
      code === undefined
        ? await enterByWorkspace(tx, { workspaceId, workspaceAuthToken })
        : await enterByCode(code, context);
    const { session, token } = await startSession(tx, accountId, client);
    keepSession({ token, seconds: SESSION_MS / 1_000 });
    return await describeSession(tx, session, serviceOf(settings));
  },
});

/** The account of a workspace's owner, as which its credentials sign in. */
async function enterByWorkspace(
  tx: Tx,
  { workspaceId, workspaceAuthToken }: { workspaceId: string; workspaceAuthToken: string },
): Promise<string> {
  if (!(await findByWorkspaceToken(tx, workspaceId, hashToken(workspaceAuthToken)))) throw unauthenticated();
  const { accountId } = await accountOfWorkspace(tx, await requireWorkspace(tx, workspaceId));
  await addMember(tx, { workspaceId, accountId, role: 'owner' });
  return accountId;
}

async function enterByCode(
  code: string,
  { tx, keyring, settings }: Pick<WriteContext<'public'>, 'tx' | 'keyring' | 'settings'>,
): Promise<string> {
  const link = await takeLink(tx, code);
  if (!link) throw new ApiError('UNAUTHENTICATED', 'This link was used before, or has expired.');
  const account = link.accountId === null ? undefined : await getAccount(tx, link.accountId);
  if (account && link.workspaceId === null) return account.accountId;
  const entered = await enterAsOperator(tx, keyring, {
    account,
    workspaceId: link.workspaceId,
    plan: settings.plan,
  });
  return entered.accountId;
}
