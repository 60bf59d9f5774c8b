import type { Tx } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { DEFAULT_TOKEN_NAME } from '../../shapes/workspace.ts';
import { insertApiKey } from './api-keys.ts';
import { insertNewToken, localName } from './create-workspace.ts';
import { requireWorkspace } from './workspaces.ts';

interface NewApiKey {
  /** Generated if left out. */
  apiKeyId?: string | undefined;
  ownerEmail: string;
  type: 'testing' | 'production';
  apiKeyName?: string | undefined;
  createAuthToken: boolean;
  allowedDomains?: string[] | undefined;
  addLocalHostToAllowedDomains?: boolean | undefined;
  /** Stored as sent. */
  [setting: string]: unknown;
}

/** Creates an API key and returns its id. Throws FAILED_PRECONDITION for a production key without a paid plan. */
export async function createApiKey(
  tx: Tx,
  keyring: Keyring,
  { workspaceId }: { workspaceId: string },
  {
    apiKeyId = newId('key'),
    ownerEmail,
    type,
    apiKeyName,
    createAuthToken,
    allowedDomains,
    addLocalHostToAllowedDomains,
    ...settings
  }: NewApiKey,
): Promise<string> {
  const { plan } = await requireWorkspace(tx, workspaceId);
  if (type === 'production' && plan !== 'paid') {
    throw failedPrecondition('A production API key requires a workspace on a paid plan.');
  }
  const localHosts = addLocalHostToAllowedDomains ? ['localhost', '127.0.0.1'] : [];
  await insertApiKey(tx, {
    apiKeyId,
    workspaceId,
    name: apiKeyName ?? `${localName(ownerEmail)} ${type === 'testing' ? 'Test ' : ''}API Key`,
    type,
    ownerEmail,
    allowedDomains: [...new Set([...(allowedDomains ?? []), ...localHosts])],
    config: settings,
    createdAt: Date.now(),
  });
  if (createAuthToken) await insertNewToken(tx, keyring, apiKeyId, { name: DEFAULT_TOKEN_NAME, domains: [] });
  return apiKeyId;
}
