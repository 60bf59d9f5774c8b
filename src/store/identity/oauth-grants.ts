import { randomBytes } from 'node:crypto';
import type { Tx } from '../../db/tables.ts';
import { derivedSecret, hashToken, newSecret } from '../../lib/crypto.ts';
import { DAY_MS } from '../../lib/day.ts';
import { randomId } from '../../lib/ids.ts';
import type { TokenScope } from '../../lib/scope.ts';
import { membershipByKey } from './members.ts';
import { lockCode, noteUseOfCode, type OAuthCodeRow } from './oauth-codes.ts';
import { createPersonalToken, type PersonalTokenRow } from './personal-tokens.ts';

export const ACCESS_SECONDS = 3_600;
/** A grant ends this long after it was made or last refreshed. */
export const GRANT_DAYS = 90;
/**
 * For this long, a refresh token that has just been replaced gives the same answer again, and changes nothing: it was lost on the
 * way, or two processes of a client refresh at once. RFC 9700, section 4.14.2, ends the grant at any reuse, which here
 * begins after this time.
 */
const REPEATED_WITHIN_MS = 30_000;

const ACCESS_MS = ACCESS_SECONDS * 1_000;
/** The part that all refresh tokens of a grant share, which says whose reuse it is, and a secret. */
const REFRESH_TOKEN = /^rpr_([\w-]{22})\.[\w-]{43}$/;

export interface GrantTokens {
  accessToken: string;
  refreshToken: string;
  scopes: TokenScope[];
  /** Until the access token ends. */
  seconds: number;
}

/** Tokens, or none. The cached credentials of the changed grant, which may have been ended, must be dropped. */
export interface GrantOutcome {
  tokens?: GrantTokens;
  changed?: string;
  /** The API key and account of a grant that was ended. */
  ended?: { apiKeyId: string; accountId: string };
}

/** Deletes a grant. Returns its id if it was there. */
async function endGrant(
  tx: Tx,
  { apiKeyId, tokenId }: Pick<PersonalTokenRow, 'apiKeyId' | 'tokenId'>,
): Promise<GrantOutcome> {
  const deleted = await tx
    .deleteFrom('personalTokens')
    .where('apiKeyId', '=', apiKeyId)
    .where('tokenId', '=', tokenId)
    .returning('accountId')
    .executeTakeFirst();
  return deleted ? { changed: tokenId, ended: { apiKeyId, ...deleted } } : {};
}

/**
 * Gives the grant of a code once, if `isFor` accepts the code and its member is still there. A second use of the code ends the
 * grant (RFC 6749, section 4.1.2).
 */
export async function redeemCode(
  tx: Tx,
  code: string,
  isFor: (row: OAuthCodeRow) => boolean,
): Promise<GrantOutcome> {
  const row = await lockCode(tx, code);
  if (!row) return {};
  const { apiKeyId, accountId, clientId, clientName, scopes, tokenId } = row;
  if (tokenId !== null) return await endGrant(tx, { apiKeyId, tokenId });
  const now = Date.now();
  // The code stays: a request that does not know all of the secrets must not spoil it for the client.
  if (row.expiresAt <= now || !isFor(row)) return {};
  if (!(await membershipByKey(tx, accountId, apiKeyId))) return {};
  const family = randomBytes(16).toString('base64url');
  const refreshToken = newSecret('rpr').replace('_', `_${family}.`);
  const created = await createPersonalToken(tx, row, row, {
    name: clientName,
    scopes,
    expiresAt: now + GRANT_DAYS * DAY_MS,
    isAssistant: true,
    clientId,
    accessEndsAt: now + ACCESS_MS,
    refreshFamily: hashToken(family),
    refreshHash: hashToken(refreshToken),
  });
  await noteUseOfCode(tx, row, created.row.tokenId);
  return { tokens: { accessToken: created.token, refreshToken, scopes, seconds: ACCESS_SECONDS } };
}

/** Finds the grant of a refresh token, present or past, and keeps others from changing it. */
async function lockGrant(tx: Tx, refreshToken: string): Promise<PersonalTokenRow | undefined> {
  const [, family] = REFRESH_TOKEN.exec(refreshToken) ?? [];
  if (family === undefined) return undefined;
  return await tx
    .selectFrom('personalTokens')
    .selectAll()
    .where('refreshFamily', '=', hashToken(family))
    .forUpdate()
    .executeTakeFirst();
}

/** The tokens that replace a refresh token; the same again for the same salt. */
function successorsOf(refreshToken: string, salt: string): Pick<GrantTokens, 'accessToken' | 'refreshToken'> {
  const [head] = refreshToken.split('.');
  return {
    accessToken: derivedSecret('rp_', refreshToken, salt, 'access token'),
    refreshToken: derivedSecret(`${head}.`, refreshToken, salt, 'refresh token'),
  };
}

/**
 * Replaces both tokens of a grant (RFC 9700, section 4.14.2). A refresh token that was replaced earlier ends the grant, since a
 * thief has used it or is using it.
 */
export async function refreshGrant(
  tx: Tx,
  refreshToken: string,
  isFor: (row: PersonalTokenRow) => boolean,
): Promise<GrantOutcome> {
  const row = await lockGrant(tx, refreshToken);
  if (!row || !isFor(row)) return {};
  const { apiKeyId, tokenId, accountId, scopes, accessEndsAt, expiresAt, refreshSalt } = row;
  const now = Date.now();
  if (expiresAt! <= now || !(await membershipByKey(tx, accountId, apiKeyId))) return {};
  const presented = hashToken(refreshToken);
  if (presented === row.refreshHash) {
    const salt = randomId(24);
    const tokens = successorsOf(refreshToken, salt);
    await tx
      .updateTable('personalTokens')
      .set({
        tokenHash: hashToken(tokens.accessToken),
        refreshHash: hashToken(tokens.refreshToken),
        previousRefreshHash: presented,
        refreshSalt: salt,
        accessEndsAt: now + ACCESS_MS,
        expiresAt: now + GRANT_DAYS * DAY_MS,
      })
      .where('apiKeyId', '=', apiKeyId)
      .where('tokenId', '=', tokenId)
      .execute();
    return { tokens: { ...tokens, scopes, seconds: ACCESS_SECONDS }, changed: tokenId };
  }
  const age = now - (accessEndsAt! - ACCESS_MS);
  if (presented === row.previousRefreshHash && age <= REPEATED_WITHIN_MS) {
    const seconds = Math.floor((accessEndsAt! - now) / 1_000);
    return { tokens: { ...successorsOf(refreshToken, refreshSalt!), scopes, seconds } };
  }
  return await endGrant(tx, row);
}

/**
 * Ends the grant of an access token or refresh token, also of one that has been replaced or has expired. Other personal tokens are
 * none of a client. Returns false for a grant of another client than the one that is named.
 */
export async function revokeGrant(
  tx: Tx,
  token: string,
  clientId: string | undefined,
): Promise<GrantOutcome | false> {
  const row =
    (await lockGrant(tx, token)) ??
    (await tx
      .selectFrom('personalTokens')
      .selectAll()
      .where('tokenHash', '=', hashToken(token))
      .where('clientId', 'is not', null)
      .executeTakeFirst());
  if (!row) return {};
  return clientId === undefined || clientId === row.clientId ? await endGrant(tx, row) : false;
}
