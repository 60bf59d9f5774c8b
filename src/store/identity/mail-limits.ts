import type { Tx } from '../../db/tables.ts';
import { sha256 } from '../../lib/crypto.ts';
import { countUse } from '../platform/rate-counters.ts';
import { emailKeyOf } from './accounts.ts';

const HOUR_MS = 3_600_000;
/** Mails of a kind an hour to one address. */
export const MAILS_PER_HOUR = 5;
/** Digits that may be tried an hour for one address: five for each mail. */
const TRIES_PER_HOUR = 5 * MAILS_PER_HOUR;
/** Invitations that one workspace mails an hour. */
export const INVITATIONS_PER_HOUR = 100;

async function isWithin(tx: Tx, bucket: string, most: number): Promise<boolean> {
  const { used } = await countUse(tx, bucket, HOUR_MS, Date.now());
  return used <= most;
}

const bucketOf = (kind: string, email: string): string => `${kind} ${sha256(emailKeyOf(email))}`;

/** Counts a mail that signs in; false if the address has got enough of them. */
export const countSignInMail = (tx: Tx, email: string): Promise<boolean> =>
  isWithin(tx, bucketOf('session.mail', email), MAILS_PER_HOUR);

/**
 * Counts a try of digits; false if there were too many for the address. It is counted whether or not a mail was sent, since an
 * answer that writes takes longer, and would tell the addresses of accounts apart.
 */
export const countTry = (tx: Tx, email: string): Promise<boolean> =>
  isWithin(tx, bucketOf('session.digits', email), TRIES_PER_HOUR);

/**
 * Counts a mail with an invitation; false if the address has got enough of them from all workspaces, or if the workspace has
 * sent enough, since the service must not send mail at the will of anyone who signs up.
 */
export async function countInvitationMail(tx: Tx, workspaceId: string, email: string): Promise<boolean> {
  if (!(await isWithin(tx, `member.invitation ${workspaceId}`, INVITATIONS_PER_HOUR))) return false;
  return await isWithin(tx, bucketOf('member.invitation', email), MAILS_PER_HOUR);
}
