import { createHmac, randomInt } from 'node:crypto';
import type { IdentityTables } from '../../db/tables/identity-tables.ts';
import type { Tx } from '../../db/tables.ts';
import { equalDigests, hashToken, type Keyring, newSecret } from '../../lib/crypto.ts';

export type SignInLinkRow = IdentityTables['signInLinks'];

const MINUTE_MS = 60_000;
const LINK_MS = 24 * 60 * MINUTE_MS;
export const MAILED_LINK_MINUTES = 15;
/**
 * Wrong digits after which a mailed code is void, for the network that asked for it, and for all others together: of a million,
 * so few do not help to guess. Those of others are counted apart, so that they cannot void a code where it was asked for.
 */
const MAX_TRIES = 5;

async function insertLink(
  tx: Tx,
  prefix: string,
  link: Partial<SignInLinkRow>,
  keptMs: number,
): Promise<string> {
  const code = newSecret(prefix);
  const now = Date.now();
  await tx
    .insertInto('signInLinks')
    .values({
      codeHash: hashToken(code),
      accountId: null,
      workspaceId: null,
      emailKey: null,
      digitsHash: null,
      network: '',
      tries: 0,
      triesElsewhere: 0,
      createdAt: now,
      expiresAt: now + keptMs,
      ...link,
    })
    .execute();
  return code;
}

/** Creates a link of the operator that signs in once. Returns its code, of which only the hash is stored. */
export const createOperatorLink = (
  tx: Tx,
  link: { accountId?: string; workspaceId?: string } = {},
): Promise<string> => insertLink(tx, 'rpl', link, LINK_MS);

/**
 * Creates a link to be mailed, in place of an earlier one that the same network asked for; with six digits for another browser,
 * if wished.
 */
export async function createMailedLink(
  tx: Tx,
  keyring: Keyring,
  {
    accountId,
    emailKey,
    network,
    hasDigits,
  }: { accountId: string; emailKey: string; network: string; hasDigits: boolean },
): Promise<{ code: string; digits: string | undefined }> {
  const digits = hasDigits ? String(randomInt(1_000_000)).padStart(6, '0') : undefined;
  const digitsHash = digits === undefined ? null : hashOfDigits(keyring.derive(DIGITS), emailKey, digits);
  await tx
    .deleteFrom('signInLinks')
    .where('emailKey', '=', emailKey)
    .where('network', '=', network)
    .execute();
  const link = { accountId, emailKey, digitsHash, network };
  const code = await insertLink(tx, 'rpm', link, MAILED_LINK_MINUTES * MINUTE_MS);
  return { code, digits };
}

/** Purpose of the key that hashes digits. */
const DIGITS = 'sign-in digits';

/** Six digits are found from a plain hash at once, so the hash is keyed. */
const hashOfDigits = (key: Buffer, emailKey: string, digits: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([emailKey, digits]))
    .digest('hex');

/** Uses up the link of a code; undefined if there is none, or no longer. */
export const takeLink = (tx: Tx, code: string): Promise<SignInLinkRow | undefined> =>
  tx
    .deleteFrom('signInLinks')
    .where('codeHash', '=', hashToken(code))
    .where('expiresAt', '>', Date.now())
    .returningAll()
    .executeTakeFirst();

/** Uses up the link that was mailed with these digits. Counts a try if they are wrong. */
export async function takeDigits(
  tx: Tx,
  keyring: Keyring,
  { emailKey, digits, network }: { emailKey: string; digits: string; network: string },
): Promise<SignInLinkRow | undefined> {
  const links = await tx
    .selectFrom('signInLinks')
    .selectAll()
    .where('emailKey', '=', emailKey)
    .where('expiresAt', '>', Date.now())
    .where('digitsHash', 'is not', null)
    .orderBy('codeHash')
    .forUpdate()
    .execute();
  const tried = links.filter(
    (link) => (link.network === network ? link.tries : link.triesElsewhere) < MAX_TRIES,
  );
  const hashes = keyring.deriveAll(DIGITS).map((key) => hashOfDigits(key, emailKey, digits));
  const right = tried.find(({ digitsHash }) => hashes.some((hash) => equalDigests(digitsHash!, hash)));
  if (right) {
    await tx.deleteFrom('signInLinks').where('codeHash', '=', right.codeHash).execute();
    return right;
  }
  for (const link of tried) {
    const { tries, triesElsewhere } = link;
    await tx
      .updateTable('signInLinks')
      .set(link.network === network ? { tries: tries + 1 } : { triesElsewhere: triesElsewhere + 1 })
      .where('codeHash', '=', link.codeHash)
      .execute();
  }
  return undefined;
}

/** The address of a link of the console. The code is in the fragment, which browsers send to no server. */
export const consoleLink = (address: string, code: string): string => `${address}/console#code=${code}`;
