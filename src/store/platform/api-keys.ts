import type { Insertable } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { WorkspaceTables } from '../../db/tables/workspace-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { equalDigests } from '../../lib/crypto.ts';
import { notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';

export type ApiKeyRow = WorkspaceTables['apiKeys'];
export type ApiKeyTokenRow = WorkspaceTables['apiKeyTokens'];

/** The scope of an API key, if the token is one of its tokens. */
export async function findByApiKeyToken(
  db: Db,
  apiKeyId: string,
  tokenHash: string,
): Promise<(Scope & { expiresAt?: number }) | undefined> {
  const now = Date.now();
  const rows = await db
    .selectFrom('apiKeyTokens')
    .innerJoin('apiKeys', 'apiKeys.apiKeyId', 'apiKeyTokens.apiKeyId')
    .select([
      'apiKeys.workspaceId',
      'apiKeyTokens.tokenHash',
      'apiKeyTokens.expiresAt',
      'apiKeyTokens.usedAt',
    ])
    .where('apiKeyTokens.apiKeyId', '=', apiKeyId)
    .execute();
  const match = rows.find((row) => equalDigests(row.tokenHash, tokenHash));
  if (!match || (match.expiresAt !== null && match.expiresAt <= now)) return undefined;
  if (match.usedAt === null || match.usedAt < now - USE_STEP_MS) await noteUse(db, apiKeyId, tokenHash, now);
  return {
    workspaceId: match.workspaceId,
    apiKeyId,
    ...(match.expiresAt !== null && { expiresAt: match.expiresAt }),
  };
}

/** The last use is known to the hour, so that it costs each token a write an hour. */
const USE_STEP_MS = 3_600_000;

/** Notes the last use of a token. A database that cannot be written to keeps no request from being answered. */
async function noteUse(db: Db, apiKeyId: string, tokenHash: string, now: number): Promise<void> {
  await db
    .updateTable('apiKeyTokens')
    .set({ usedAt: now })
    .where('apiKeyId', '=', apiKeyId)
    .where('tokenHash', '=', tokenHash)
    .where((eb) => eb.or([eb('usedAt', 'is', null), eb('usedAt', '<', now - USE_STEP_MS)]))
    .execute()
    .catch(() => {});
}

/**
 * The token hashes and allowed domains of an API key; undefined for an unknown key. They include those of tokens that have
 * expired while user tokens that were made with them may be valid.
 */
export async function findTokensOf(
  db: Db,
  apiKeyId: string,
): Promise<{ workspaceId: string; allowedDomains: string[]; tokenHashes: string[] } | undefined> {
  const rows = await db
    .selectFrom('apiKeys')
    .leftJoin('apiKeyTokens', 'apiKeyTokens.apiKeyId', 'apiKeys.apiKeyId')
    .select(['apiKeys.workspaceId', 'apiKeys.allowedDomains', 'apiKeyTokens.tokenHash'])
    .where('apiKeys.apiKeyId', '=', apiKeyId)
    .execute();
  if (!rows[0]) return undefined;
  const { workspaceId, allowedDomains } = rows[0];
  return { workspaceId, allowedDomains, tokenHashes: rows.flatMap((row) => row.tokenHash ?? []) };
}

export async function insertApiKey(tx: Tx, row: ApiKeyRow): Promise<void> {
  await tx
    .insertInto('apiKeys')
    .values({ ...row, allowedDomains: json(row.allowedDomains), config: json(row.config) })
    .execute();
}

export async function insertApiKeyToken(tx: Tx, row: Insertable<ApiKeyTokenRow>): Promise<void> {
  await tx
    .insertInto('apiKeyTokens')
    .values({ ...row, domains: json(row.domains) })
    .execute();
}

export const listApiKeysOf = (db: Db, workspaceId: string): Promise<ApiKeyRow[]> =>
  keysOf(db, workspaceId).execute();

const keysOf = (db: Db, workspaceId: string) =>
  db
    .selectFrom('apiKeys')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .orderBy('createdAt')
    .orderBy('apiKeyId');

/** An API key of any workspace. */
export const findApiKey = (db: Db, apiKeyId: string): Promise<ApiKeyRow | undefined> =>
  db.selectFrom('apiKeys').selectAll().where('apiKeyId', '=', apiKeyId).executeTakeFirst();

/** The API keys of a workspace, or of all, with the number of their tokens; oldest first. */
export function listApiKeys(
  db: Db,
  workspaceId: string | undefined,
): Promise<
  (Pick<ApiKeyRow, 'apiKeyId' | 'workspaceId' | 'name' | 'type' | 'createdAt'> & { tokens: number })[]
> {
  let query = db
    .selectFrom('apiKeys')
    .select(['apiKeyId', 'workspaceId', 'name', 'type', 'createdAt'])
    .select((of) =>
      of
        .selectFrom('apiKeyTokens')
        .whereRef('apiKeyTokens.apiKeyId', '=', 'apiKeys.apiKeyId')
        .where((eb) =>
          eb.or([eb('apiKeyTokens.expiresAt', 'is', null), eb('apiKeyTokens.expiresAt', '>', Date.now())]),
        )
        .select((count) => count.fn.countAll<number>().as('tokens'))
        .$asScalar()
        .$notNull()
        .as('tokens'),
    );
  if (workspaceId !== undefined) query = query.where('workspaceId', '=', workspaceId);
  return query.orderBy('createdAt').orderBy('apiKeyId').execute();
}

interface KeyFilter {
  apiKeyIds?: string[] | undefined;
  after?: { createdAt: number; apiKeyId: string } | undefined;
  limit: number;
}

/** One keyset page of a workspace's API keys, oldest first. */
export function pageApiKeys(
  db: Db,
  workspaceId: string,
  { apiKeyIds, after, limit }: KeyFilter,
): Promise<ApiKeyRow[]> {
  let query = keysOf(db, workspaceId).limit(limit);
  if (apiKeyIds) query = query.where('apiKeyId', 'in', apiKeyIds);
  if (after) {
    const { createdAt, apiKeyId } = after;
    query = query.where((eb) => eb(eb.refTuple('createdAt', 'apiKeyId'), '>', eb.tuple(createdAt, apiKeyId)));
  }
  return query.execute();
}

/** Throws NOT_FOUND for an unknown API key, and alike for one of another workspace. */
export async function requireApiKey(db: Db, workspaceId: string, apiKeyId: string): Promise<ApiKeyRow> {
  const row = await keysOf(db, workspaceId).where('apiKeyId', '=', apiKeyId).executeTakeFirst();
  if (!row) throw notFound('API key not found.');
  return row;
}

export async function renameApiKey(
  tx: Tx,
  workspaceId: string,
  apiKeyId: string,
  name: string,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('apiKeys')
    .set({ name })
    .where('workspaceId', '=', workspaceId)
    .where('apiKeyId', '=', apiKeyId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound('API key not found.');
}

/** The valid tokens of an API key, oldest first. */
export const listTokens = (db: Db, apiKeyId: string): Promise<ApiKeyTokenRow[]> =>
  db
    .selectFrom('apiKeyTokens')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', Date.now())]))
    .orderBy('createdAt')
    .orderBy('tokenHash')
    .execute();

/** The token of an API key that others are made with or printed: the oldest one that does not expire. */
export async function lastingToken(db: Db, apiKeyId: string): Promise<ApiKeyTokenRow | undefined> {
  const tokens = await listTokens(db, apiKeyId);
  return tokens.find(({ expiresAt }) => expiresAt === null) ?? tokens[0];
}

/** Deletes all tokens of an API key and returns them, oldest first. */
export async function deleteTokens(tx: Tx, workspaceId: string, apiKeyId: string): Promise<ApiKeyTokenRow[]> {
  // The key is locked, so that concurrent resets leave one token.
  const key = await keysOf(tx, workspaceId).where('apiKeyId', '=', apiKeyId).forUpdate().executeTakeFirst();
  if (!key) throw notFound('API key not found.');
  const rows = await tx.deleteFrom('apiKeyTokens').where('apiKeyId', '=', apiKeyId).returningAll().execute();
  return rows.sort((a, b) => a.createdAt - b.createdAt);
}

export const tokenBinding = (apiKeyId: string, tokenHash: string): string[] => [
  'api_key_tokens',
  apiKeyId,
  tokenHash,
];
