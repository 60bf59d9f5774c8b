import type { IdentityTables } from '../../db/tables/identity-tables.ts';
import type { Tx } from '../../db/tables.ts';
import { hashToken, newSecret } from '../../lib/crypto.ts';

export type SignInLinkRow = IdentityTables['signInLinks'];

const LINK_MS = 24 * 3_600_000;

/** Creates a link of the operator that signs in once. Returns its code, of which only the hash is stored. */
export async function createOperatorLink(
  tx: Tx,
  { accountId = null, workspaceId = null }: { accountId?: string | null; workspaceId?: string | null } = {},
): Promise<string> {
  const code = newSecret('rpl');
  const now = Date.now();
  await tx
    .insertInto('signInLinks')
    .values({
      codeHash: hashToken(code),
      accountId,
      workspaceId,
      emailKey: null,
      digitsHash: null,
      tries: 0,
      createdAt: now,
      expiresAt: now + LINK_MS,
    })
    .execute();
  return code;
}

/** Uses up the link of a code; undefined if there is none, or no longer. */
export const takeLink = (tx: Tx, code: string): Promise<SignInLinkRow | undefined> =>
  tx
    .deleteFrom('signInLinks')
    .where('codeHash', '=', hashToken(code))
    .where('expiresAt', '>', Date.now())
    .returningAll()
    .executeTakeFirst();

/** The address of a link of the console. The code is in the fragment, which browsers send to no server. */
export const consoleLink = (address: string, code: string): string => `${address}/console#code=${code}`;
