import type { Config } from '../../../config.ts';
import { openForCommand } from '../../../db/connections/connect.ts';
import type { Db } from '../../../db/tables.ts';
import { failedPrecondition } from '../../../lib/errors.ts';
import { lastingToken, listApiKeys, tokenBinding } from '../../../store/platform/api-keys.ts';
import { openLog } from '../../log/create-log.ts';
import { databaseOptions } from '../../setup/database-options.ts';
import { openKeysOfCommand } from '../../setup/hold-keys.ts';
import { requireKeySource } from '../../setup/keyring.ts';
import { asKey, type Credentials } from './plan-mcp.ts';

type Keys = Awaited<ReturnType<typeof listApiKeys>>;

/**
 * Reads the credentials of an API key from the database of a data folder, as `redpen key token` does: they stay in the
 * memory of this process. Throws FAILED_PRECONDITION with the choice if it is not clear which API key is meant.
 */
export async function readFolderKey(config: Config, keyId: string | undefined): Promise<Credentials> {
  const log = openLog(process.stderr, { level: 'warn', format: 'pretty' });
  const database = await openForCommand(
    databaseOptions(config, log, (error) => log.warn({ err: error }, 'background work fails')),
  );
  if (database === undefined) throw failedPrecondition(`${config.REDPEN_DATA_DIR} has been removed.`);
  try {
    const apiKeyId = chooseKey(await listApiKeys(database.db, undefined), keyId);
    return asKey(apiKeyId, await openToken(database.db, config, apiKeyId));
  } finally {
    await database.close();
  }
}

function chooseKey(keys: Keys, keyId: string | undefined): string {
  const usable = keys.filter(({ tokens }) => tokens > 0);
  const listed = usable
    .map((key) => `${key.apiKeyId} (${key.name}, workspace ${key.workspaceId})`)
    .join(', ');
  if (keyId !== undefined) {
    if (usable.some(({ apiKeyId }) => apiKeyId === keyId)) return keyId;
    throw failedPrecondition(
      keys.some(({ apiKeyId }) => apiKeyId === keyId)
        ? `The API key ${keyId} has no token: npm run redpen -- key reset ${keyId}`
        : `There is no API key ${keyId}, which --key names. There are: ${listed || 'none'}.`,
    );
  }
  const [first, ...more] = usable;
  if (first === undefined)
    throw failedPrecondition(
      'The data folder has no API key with a token yet: npm run redpen -- workspace create you@example.com',
    );
  if (more.length > 0)
    throw failedPrecondition(`The data folder has several API keys: name one with --key. ${listed}.`);
  return first.apiKeyId;
}

async function openToken(db: Db, config: Config, apiKeyId: string): Promise<string> {
  const keyring = await openKeysOfCommand(db, requireKeySource(config, config.REDPEN_DATA_DIR));
  const token = await lastingToken(db, apiKeyId);
  if (token === undefined) throw failedPrecondition(`The API key ${apiKeyId} has no token any more.`);
  return keyring.open(token.tokenSealed, tokenBinding(apiKeyId, token.tokenHash));
}
