import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { WorkspaceTables } from '../../db/tables/workspace-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { equalDigests } from '../../lib/crypto.ts';
import { notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';

export type ApiKeyRow = WorkspaceTables['apiKeys'];
export type ApiKeyTokenRow = WorkspaceTables['apiKeyTokens'];

/** Who an API-key-level credential belongs to. */
export async function findByApiKeyToken(
  db: Db,
  apiKeyId: string,
  tokenHash: string,
): Promise<Scope | undefined> {
  const rows = await db
    .selectFrom('apiKeyTokens')
    .innerJoin('apiKeys', 'apiKeys.apiKeyId', 'apiKeyTokens.apiKeyId')
    .select(['apiKeys.workspaceId', 'apiKeyTokens.tokenHash'])
    .where('apiKeyTokens.apiKeyId', '=', apiKeyId)
    .execute();
  const match = rows.find((row) => equalDigests(row.tokenHash, tokenHash));
  return match && { workspaceId: match.workspaceId, apiKeyId };
}

/** What tokens an API key has, and from which domains browsers may use it; undefined for an unknown key. */
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

export async function insertApiKeyToken(tx: Tx, row: ApiKeyTokenRow): Promise<void> {
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

/** A key of any workspace. */
export const findApiKey = (db: Db, apiKeyId: string): Promise<ApiKeyRow | undefined> =>
  db.selectFrom('apiKeys').selectAll().where('apiKeyId', '=', apiKeyId).executeTakeFirst();

/** The keys of a workspace, or of all of them, each with how many tokens it has; the oldest first. */
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

/** One page of a workspace's keys, strictly after the given position where there is one. */
export function pageApiKeys(
  db: Db,
  workspaceId: string,
  { apiKeyIds, after, limit }: KeyFilter,
): Promise<ApiKeyRow[]> {
  let query = keysOf(db, workspaceId).limit(limit);
  if (apiKeyIds) query = query.where('apiKeyId', 'in', apiKeyIds);
  if (after) {
    query = query.where(
      sql<boolean>`(created_at, api_key_id) > (cast(${after.createdAt} as bigint), ${after.apiKeyId})`,
    );
  }
  return query.execute();
}

/** Throws NOT_FOUND, also for a key of another workspace. */
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

/** A key's tokens, the oldest first. */
export const listTokens = (db: Db, apiKeyId: string): Promise<ApiKeyTokenRow[]> =>
  db
    .selectFrom('apiKeyTokens')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .orderBy('createdAt')
    .orderBy('tokenHash')
    .execute();

/** Takes every token from a key, so that none of them opens anything any more; answers what they were. */
export async function deleteTokens(tx: Tx, workspaceId: string, apiKeyId: string): Promise<ApiKeyTokenRow[]> {
  // Two resets at once must leave one token, so the key itself is held.
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
