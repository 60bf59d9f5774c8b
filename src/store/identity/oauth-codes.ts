import { json } from '../../db/sql-fragments.ts';
import type { IdentityTables } from '../../db/tables/identity-tables.ts';
import type { Tx } from '../../db/tables.ts';
import { hashToken, newSecret } from '../../lib/crypto.ts';
import type { Member, Scope } from '../../lib/scope.ts';

export type OAuthCodeRow = IdentityTables['oauthCodes'];

/** Clients use a code at once; RFC 6749, section 4.1.2, allows ten minutes at most. */
const CODE_MS = 120_000;

/** Creates a code with which a client gets a grant of a member once. Only its hash is stored. */
export async function createCode(
  tx: Tx,
  { apiKeyId }: Scope,
  { accountId }: Pick<Member, 'accountId'>,
  wish: Pick<OAuthCodeRow, 'clientId' | 'clientName' | 'redirectUri' | 'challenge' | 'scopes' | 'resource'>,
): Promise<string> {
  const code = newSecret('rpc');
  const createdAt = Date.now();
  await tx
    .insertInto('oauthCodes')
    .values({
      ...wish,
      codeHash: hashToken(code),
      apiKeyId,
      accountId,
      scopes: json(wish.scopes),
      createdAt,
      expiresAt: createdAt + CODE_MS,
      tokenId: null,
    })
    .execute();
  return code;
}

/** Finds a code, used or not, and keeps others from using it until this transaction ends. */
export const lockCode = (tx: Tx, code: string): Promise<OAuthCodeRow | undefined> =>
  tx
    .selectFrom('oauthCodes')
    .selectAll()
    .where('codeHash', '=', hashToken(code))
    .forUpdate()
    .executeTakeFirst();

/** Notes the grant that a code has given, so that a second use of the code ends it. */
export async function noteUseOfCode(tx: Tx, { codeHash }: OAuthCodeRow, tokenId: string): Promise<void> {
  await tx.updateTable('oauthCodes').set({ tokenId }).where('codeHash', '=', codeHash).execute();
}
