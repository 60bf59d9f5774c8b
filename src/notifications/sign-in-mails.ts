import type { Logger } from 'pino';
import type { Db } from '../db/tables.ts';
import type { Keyring } from '../lib/crypto.ts';
import { randomId } from '../lib/ids.ts';
import { type Mail, MailFailure } from '../outside/mail/mail.ts';
import { accountToMail, emailKeyOf } from '../store/identity/accounts.ts';
import { createMailedCode, INVITATION_DAYS } from '../store/identity/invitations.ts';
import { contentOfMail } from '../store/identity/mail-limits.ts';
import { hasSessionIn } from '../store/identity/sessions.ts';
import { consoleLink, createMailedLink, MAILED_LINK_MINUTES } from '../store/identity/sign-in-links.ts';
import { getWorkspace } from '../store/platform/workspaces.ts';
import { escapeHtml } from './compose-mail.ts';

interface SignInMailDeps {
  db: Db;
  keyring: Keyring;
  outside: { mail: Mail };
  log: Logger;
}

/**
 * Mails a link and a code to a person who may sign in with this address. They are created here and not with the request, so
 * that the queue never holds them. Throws if a retry may help.
 */
export async function mailSignIn(
  deps: SignInMailDeps,
  { email, origin, network = '' }: { email: string; origin: string; network?: string | undefined },
): Promise<void> {
  const emailKey = emailKeyOf(email);
  const made = await deps.db.transaction().execute(async (tx) => {
    const account = await accountToMail(tx, emailKey);
    if (!account?.email) return undefined;
    const { accountId } = account;
    // Before the address is proved, a stranger may have signed in to the account by an invitation.
    const isOwnNetwork = account.emailKey === emailKey && (await hasSessionIn(tx, accountId, network));
    const content = await contentOfMail(tx, email, isOwnNetwork);
    if (!content) return undefined;
    const codes = await createMailedLink(tx, deps.keyring, { accountId, emailKey, network, ...content });
    // The stored address, because servers may tell apart what counts as one address here.
    return { ...codes, address: account.email };
  });
  if (!made) return;
  const { code, digits, address } = made;
  await send(deps, address, {
    subject: digits === undefined ? 'Your link for Redpen' : `${digits} is your code for Redpen`,
    lines: [
      'This link signs you in to the console of Redpen:',
      { link: consoleLink(origin, code) },
      digits === undefined
        ? 'It has no code for another browser, because many mails were asked for with this address.'
        : `In another browser, enter the code ${digits} instead.`,
      `${digits === undefined ? 'It is' : 'Both are'} valid for ${MAILED_LINK_MINUTES} minutes, and once. If you did not ask for this mail, ignore it.`,
    ],
  });
}

/** Mails an invitation, unless it is gone. Throws if a retry may help. */
export async function mailInvitation(
  deps: SignInMailDeps,
  { workspaceId, invitationId, origin }: { workspaceId: string; invitationId: string; origin: string },
): Promise<void> {
  const made = await deps.db.transaction().execute((tx) => createMailedCode(tx, workspaceId, invitationId));
  const workspace = await getWorkspace(deps.db, workspaceId);
  if (!made || !workspace) return;
  const { invitation, code } = made;
  const { email, role, invitedBy } = invitation;
  await send(deps, email, {
    subject: `Invitation to ${workspace.name}`,
    lines: [
      `${invitedBy ?? workspace.ownerName} invites you to the workspace ${workspace.name} of Redpen, as ${role}.`,
      'This link takes you there:',
      { link: consoleLink(origin, code) },
      `It is valid for ${INVITATION_DAYS} days, and once.`,
    ],
  });
}

/** Text may begin with a name that a stranger chose, so only what is said to be a link becomes one. */
type Line = string | { link: string };

interface Content {
  subject: string;
  lines: Line[];
}

async function send(
  { outside, log }: SignInMailDeps,
  address: string,
  { subject, lines }: Content,
): Promise<void> {
  try {
    await outside.mail.send(
      {
        to: { address },
        subject,
        text: lines.map(textOf).join('\n\n'),
        html: `<!doctype html><html><body style="font-family:sans-serif;line-height:1.5">${lines.map(paragraph).join('\n')}</body></html>`,
        messageId: `sign-in-${randomId()}`,
      },
      { type: 'smtp' },
    );
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    log.warn({ reason: error.message }, 'a mail for the console cannot be sent');
    if (error.kind === 'temporary') throw error;
  }
}

const textOf = (line: Line): string => (typeof line === 'string' ? line : line.link);

const paragraph = (line: Line): string => {
  const text = escapeHtml(textOf(line));
  return typeof line === 'string' ? `<p>${text}</p>` : `<p><a href="${text}">${text}</a></p>`;
};
