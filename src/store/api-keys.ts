import type { Db, Tx } from '../db/tables.ts';
import { json } from '../db/json.ts';
import type { WorkspaceTables } from '../db/tables/workspaces.ts';
import { equalDigests } from '../lib/crypto.ts';
import type { Scope } from '../lib/scope.ts';

export type ApiKeyRow = WorkspaceTables['apiKeys'];
export type ApiKeyTokenRow = WorkspaceTables['apiKeyTokens'];

/** Who an API-key-level credential belongs to. */
export async function findByApiKeyToken(db: Db, apiKeyId: string, tokenHash: string): Promise<Scope | undefined> {
  const rows = await db
    .selectFrom('apiKeyTokens')
    .innerJoin('apiKeys', 'apiKeys.apiKeyId', 'apiKeyTokens.apiKeyId')
    .select(['apiKeys.workspaceId', 'apiKeyTokens.tokenHash'])
    .where('apiKeyTokens.apiKeyId', '=', apiKeyId)
    .execute();
  const match = rows.find((row) => equalDigests(row.tokenHash, tokenHash));
  return match && { workspaceId: match.workspaceId, apiKeyId };
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
  db
    .selectFrom('apiKeys')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .orderBy('createdAt')
    .orderBy('apiKeyId')
    .execute();
