import type { Db, Tx } from '../../db/tables.ts';
import { hashToken, type Keyring, newSecret } from '../../lib/crypto.ts';
import { failedPrecondition, invalidArgument, notFound } from '../../lib/errors.ts';
import { type ApiKeyTokenRow, insertApiKeyToken, listTokens, tokenBinding } from '../platform/api-keys.ts';
import { newWorkspaceToken, requireWorkspace } from '../platform/workspaces.ts';

interface ReplacedToken {
  apiKeyId: string;
  /** Name of the token; without name and hash, the only one that has not been replaced yet. */
  name?: string | undefined;
  tokenHash?: string | undefined;
  /** Until then, in epoch milliseconds, the earlier token is valid. */
  until: number;
  /** Hash of the token that the settings restore at each start, which cannot be replaced. */
  fixedHash?: string | undefined;
}

/**
 * Adds a token of the same name and domains to an API key, and lets the earlier one expire. Throws if it is not clear which
 * token is meant. Returns the new row.
 */
export async function replaceApiKeyToken(
  tx: Tx,
  keyring: Keyring,
  { apiKeyId, name, tokenHash: wantedHash, until, fixedHash }: ReplacedToken,
): Promise<ApiKeyTokenRow> {
  // Locked, so that concurrent rotations replace one token after the other.
  await tx.selectFrom('apiKeys').select('apiKeyId').where('apiKeyId', '=', apiKeyId).forUpdate().execute();
  const lasting = (await listTokens(tx, apiKeyId)).filter(({ expiresAt }) => expiresAt === null);
  const fitting = lasting.filter(
    (token) =>
      (name === undefined || token.name === name) &&
      (wantedHash === undefined || token.tokenHash === wantedHash),
  );
  const [earlier, ...more] = fitting;
  const names = lasting.map((token) => token.name).join(', ');
  if (earlier === undefined && wantedHash !== undefined)
    throw notFound(`The API key ${apiKeyId} has had this token, but does not have it any more.`);
  if (earlier === undefined)
    throw notFound(
      names === ''
        ? `The API key ${apiKeyId} has no token; make one with: redpen key reset ${apiKeyId}`
        : `The API key ${apiKeyId} has no token of the name ${name}, but ${names}.`,
    );
  if (more.length > 0)
    throw invalidArgument(
      `The API key ${apiKeyId} has ${fitting.length} tokens (${names}): choose one with --token-name.`,
    );
  if (earlier.tokenHash === fixedHash)
    throw failedPrecondition(
      'REDPEN_INIT_AUTH_TOKEN sets this token: change the setting and restart instead.',
    );
  const token = newSecret('akt');
  const tokenHash = hashToken(token);
  const row = {
    apiKeyId,
    tokenHash,
    tokenSealed: keyring.seal(token, tokenBinding(apiKeyId, tokenHash)),
    name: earlier.name,
    domains: earlier.domains,
    createdAt: Date.now(),
    expiresAt: null,
    usedAt: null,
  };
  await insertApiKeyToken(tx, row);
  await tx
    .updateTable('apiKeyTokens')
    .set({ expiresAt: until })
    .where('apiKeyId', '=', apiKeyId)
    .where('tokenHash', '=', earlier.tokenHash)
    .execute();
  return row;
}

/**
 * Gives a workspace a new token, and lets the earlier one be valid until a time. A token that was replaced before stops at
 * once: at most two are valid. Returns the new one.
 */
export async function replaceWorkspaceToken(
  tx: Tx,
  keyring: Keyring,
  workspaceId: string,
  until: number,
): Promise<string> {
  // Locked, so that concurrent rotations replace one token after the other.
  await tx
    .selectFrom('workspaces')
    .select('workspaceId')
    .where('workspaceId', '=', workspaceId)
    .forUpdate()
    .execute();
  const { tokenHash } = await requireWorkspace(tx, workspaceId);
  const { token, columns } = newWorkspaceToken(keyring, workspaceId);
  await tx
    .updateTable('workspaces')
    .set({ ...columns, previousTokenHash: tokenHash, previousTokenUntil: until })
    .where('workspaceId', '=', workspaceId)
    .execute();
  return token;
}

/** Time for which an expired token stays stored: as long as user tokens that were made with it may be valid. */
export const EXPIRED_TOKEN_KEPT_MS = 49 * 3_600_000;

/** Deletes tokens that expired before the last user token that was made with them. */
export async function pruneTokens(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('apiKeyTokens')
    .where('expiresAt', '<', now - EXPIRED_TOKEN_KEPT_MS)
    .execute();
  await db
    .updateTable('workspaces')
    .set({ previousTokenHash: null, previousTokenUntil: null })
    .where('previousTokenUntil', '<', now)
    .execute();
}
