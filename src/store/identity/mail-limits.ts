import type { Tx } from '../../db/tables.ts';
import { sha256 } from '../../lib/crypto.ts';
import { countUse } from '../platform/rate-counters.ts';
import { emailKeyOf } from './accounts.ts';

const HOUR_MS = 3_600_000;
/** Mails of a kind an hour to one address: of those that sign in, for each client network that asks. */
export const MAILS_PER_HOUR = 5;
/** Mails that sign in an hour to one address, for all networks in which its account is not signed in. */
const MAILS_FOR_STRANGERS = 30;
/** Digits that may be tried an hour for one address from one network: five for each mail. */
const TRIES_PER_HOUR = 5 * MAILS_PER_HOUR;
/** Invitations that one workspace mails an hour. */
export const INVITATIONS_PER_HOUR = 100;

async function countInHour(tx: Tx, bucket: string): Promise<number> {
  const { used } = await countUse(tx, bucket, HOUR_MS, Date.now());
  return used;
}

const isWithin = async (tx: Tx, bucket: string, most: number): Promise<boolean> =>
  (await countInHour(tx, bucket)) <= most;

const bucketOf = (kind: string, email: string): string => `${kind} ${sha256(emailKeyOf(email))}`;

/** Counts a wish for a mail that signs in; false if the network has asked for enough of them for the address. */
export const countSignInMail = (tx: Tx, email: string, network: string): Promise<boolean> =>
  isWithin(tx, `${bucketOf('session.mail', email)} ${network}`, MAILS_PER_HOUR);

/**
 * Counts a mail that signs in to an account of the address, and decides what it contains; undefined if it must not be sent.
 * Many networks together could guess the digits, which therefore only the first mails contain. The account's own networks are
 * exempt, so that strangers cannot use up what its owner needs.
 */
export async function contentOfMail(
  tx: Tx,
  email: string,
  isOwnNetwork: boolean,
): Promise<{ hasDigits: boolean } | undefined> {
  if (isOwnNetwork) return { hasDigits: true };
  const sent = await countInHour(tx, bucketOf('session.mailed', email));
  return sent > MAILS_FOR_STRANGERS ? undefined : { hasDigits: sent <= MAILS_PER_HOUR };
}

/**
 * Counts a try of digits; false if there were too many for the address from the network. It is counted whether or not a mail
 * was sent, since an answer that writes takes longer, and would tell the addresses of accounts apart.
 */
export const countTry = (tx: Tx, email: string, network: string): Promise<boolean> =>
  isWithin(tx, `${bucketOf('session.digits', email)} ${network}`, TRIES_PER_HOUR);

/**
 * Counts a mail with an invitation; false if the address has got enough of them from all workspaces, or if the workspace has
 * sent enough, since the service must not send mail at the will of anyone who signs up.
 */
export async function countInvitationMail(tx: Tx, workspaceId: string, email: string): Promise<boolean> {
  if (!(await isWithin(tx, `member.invitation ${workspaceId}`, INVITATIONS_PER_HOUR))) return false;
  return await isWithin(tx, bucketOf('member.invitation', email), MAILS_PER_HOUR);
}
