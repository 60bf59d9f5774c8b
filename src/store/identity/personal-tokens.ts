import { json } from '../../db/sql-fragments.ts';
import type { IdentityTables } from '../../db/tables/identity-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { hashToken, newSecret } from '../../lib/crypto.ts';
import { resourceExhausted } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Member, Scope } from '../../lib/scope.ts';

export type PersonalTokenRow = IdentityTables['personalTokens'];

const MAX_PER_MEMBER = 50;
const NOTE_USE_MS = 60_000;

type GrantFields = Pick<
  PersonalTokenRow,
  'clientId' | 'accessEndsAt' | 'refreshFamily' | 'refreshHash' | 'previousRefreshHash' | 'refreshSalt'
>;

const NO_GRANT: GrantFields = {
  clientId: null,
  accessEndsAt: null,
  refreshFamily: null,
  refreshHash: null,
  previousRefreshHash: null,
  refreshSalt: null,
};

/** Throws RESOURCE_EXHAUSTED if a member has as many tokens for an API key as is allowed. */
export async function requireRoomForToken(
  tx: Tx,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  { accountId }: Pick<Member, 'accountId'>,
): Promise<void> {
  const { count } = await tx
    .selectFrom('personalTokens')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('apiKeyId', '=', apiKeyId)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', Date.now())]))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_PER_MEMBER) {
    throw resourceExhausted(`A member may have ${MAX_PER_MEMBER} personal tokens for an API key.`);
  }
}

/** Creates a token of a member for an API key. Only its hash is stored. */
export async function createPersonalToken(
  tx: Tx,
  scope: Pick<Scope, 'apiKeyId'>,
  member: Pick<Member, 'accountId'>,
  wish: Pick<PersonalTokenRow, 'name' | 'scopes' | 'expiresAt' | 'isAssistant'> & Partial<GrantFields>,
): Promise<{ token: string; row: PersonalTokenRow }> {
  await requireRoomForToken(tx, scope, member);
  const token = newSecret('rp');
  const row: PersonalTokenRow = {
    ...NO_GRANT,
    ...wish,
    apiKeyId: scope.apiKeyId,
    tokenId: newId('token'),
    accountId: member.accountId,
    tokenHash: hashToken(token),
    createdAt: Date.now(),
    lastUsedAt: null,
  };
  await tx
    .insertInto('personalTokens')
    .values({ ...row, scopes: json(row.scopes) })
    .execute();
  return { token, row };
}

/** A valid token with its member. */
export type OpenPersonalToken = Pick<
  PersonalTokenRow,
  'tokenId' | 'scopes' | 'expiresAt' | 'accessEndsAt' | 'lastUsedAt' | 'isAssistant'
> &
  Scope &
  Pick<Member, 'accountId' | 'memberId' | 'name' | 'email' | 'role'> & { tokenName: string };

/** The member of a token, if it is valid and its member still belongs to the workspace. */
export async function findPersonalToken(db: Db, token: string): Promise<OpenPersonalToken | undefined> {
  const now = Date.now();
  return await db
    .selectFrom('personalTokens')
    .innerJoin('apiKeys', 'apiKeys.apiKeyId', 'personalTokens.apiKeyId')
    .innerJoin('members', (join) =>
      join
        .onRef('members.accountId', '=', 'personalTokens.accountId')
        .onRef('members.workspaceId', '=', 'apiKeys.workspaceId'),
    )
    .innerJoin('accounts', 'accounts.accountId', 'personalTokens.accountId')
    .select(['personalTokens.apiKeyId', 'tokenId', 'scopes', 'personalTokens.expiresAt', 'lastUsedAt'])
    .select(['apiKeys.workspaceId', 'members.accountId', 'members.memberId', 'members.role'])
    .select(['personalTokens.name as tokenName', 'isAssistant', 'accessEndsAt'])
    .select(['accounts.name', 'accounts.email'])
    .where('tokenHash', '=', hashToken(token))
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .where((eb) => eb.or([eb('accessEndsAt', 'is', null), eb('accessEndsAt', '>', now)]))
    .executeTakeFirst();
}

export async function noteTokenUse(
  db: Db,
  { apiKeyId, tokenId, lastUsedAt }: Pick<PersonalTokenRow, 'apiKeyId' | 'tokenId' | 'lastUsedAt'>,
): Promise<void> {
  const now = Date.now();
  if ((lastUsedAt ?? 0) >= now - NOTE_USE_MS) return;
  await db
    .updateTable('personalTokens')
    .set({ lastUsedAt: now })
    .where('apiKeyId', '=', apiKeyId)
    .where('tokenId', '=', tokenId)
    .execute();
}

export type ListedToken = PersonalTokenRow & { memberId: string; memberName: string };

/** One keyset page of an API key's tokens, the newest first: those of one account, or all. */
export function pagePersonalTokens(
  db: Db,
  { apiKeyId, workspaceId }: Scope,
  {
    accountId,
    after,
    limit,
  }: {
    accountId: string | undefined;
    after: { createdAt: number; tokenId: string } | undefined;
    limit: number;
  },
): Promise<ListedToken[]> {
  let query = db
    .selectFrom('personalTokens')
    .innerJoin('accounts', 'accounts.accountId', 'personalTokens.accountId')
    .innerJoin('members', 'members.accountId', 'personalTokens.accountId')
    .selectAll('personalTokens')
    .select(['members.memberId', 'accounts.name as memberName'])
    .where('personalTokens.apiKeyId', '=', apiKeyId)
    .where('members.workspaceId', '=', workspaceId)
    .orderBy('personalTokens.createdAt', 'desc')
    .orderBy('tokenId', 'desc')
    .limit(limit);
  if (accountId !== undefined) query = query.where('personalTokens.accountId', '=', accountId);
  if (after) {
    const { createdAt, tokenId } = after;
    query = query.where((eb) =>
      eb(eb.refTuple('personalTokens.createdAt', 'tokenId'), '<', eb.tuple(createdAt, tokenId)),
    );
  }
  return query.execute();
}

/** Deletes a token, of one account if it is named; false if there is none. */
export async function revokePersonalToken(
  tx: Tx,
  { apiKeyId }: Scope,
  tokenId: string,
  accountId: string | undefined,
): Promise<boolean> {
  let query = tx.deleteFrom('personalTokens').where('apiKeyId', '=', apiKeyId).where('tokenId', '=', tokenId);
  if (accountId !== undefined) query = query.where('accountId', '=', accountId);
  const { numDeletedRows } = await query.executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Deletes the tokens of an account with the codes that would give further ones, in one workspace if it is named. The codes are
 * first, since the use of a code locks it before it adds a token.
 */
export async function deleteTokensOf(tx: Tx, accountId: string, workspaceId?: string): Promise<void> {
  for (const table of ['oauthCodes', 'personalTokens'] as const) {
    let query = tx.deleteFrom(table).where('accountId', '=', accountId);
    if (workspaceId !== undefined) {
      query = query.where('apiKeyId', 'in', (keys) =>
        keys.selectFrom('apiKeys').select('apiKeys.apiKeyId').where('workspaceId', '=', workspaceId),
      );
    }
    await query.execute();
  }
}
