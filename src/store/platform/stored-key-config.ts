import { json } from '../../db/json.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AiModelsConfig, AiProvider } from '../../shapes/api-key-config.ts';
import type { AccessType } from '../../shapes/document.ts';

/** A secret within a config, sealed with the API key and its path as binding. */
interface Sealed {
  sealed: string;
}

/** The `config` column of an API key; absent fields have their default. */
export interface StoredConfig {
  enablePrivateComments?: boolean;
  requireJwtToken?: boolean;
  requireAutoOrgUser?: boolean;
  defaultDocumentAccessType?: AccessType;
  aiModels?: Partial<Record<AiProvider, Sealed & { displayText: string }>>;
  [service: string]: unknown;
}

export interface ConfigRow {
  apiKeyId: string;
  ownerEmail: string;
  type: 'testing' | 'production';
  allowedDomains: string[];
  config: StoredConfig;
}

export const getConfig = async (db: Db, { apiKeyId }: Scope): Promise<ConfigRow> =>
  (await selectConfig(db, apiKeyId).executeTakeFirstOrThrow()) as ConfigRow;

/** Selects the config and locks it, so that no concurrent change is lost. */
export const lockConfig = async (tx: Tx, { apiKeyId }: Scope): Promise<ConfigRow> =>
  (await selectConfig(tx, apiKeyId).forUpdate().executeTakeFirstOrThrow()) as ConfigRow;

const selectConfig = (db: Db, apiKeyId: string) =>
  db
    .selectFrom('apiKeys')
    .select(['apiKeyId', 'ownerEmail', 'type', 'allowedDomains', 'config'])
    .where('apiKeyId', '=', apiKeyId);

export async function saveConfig(tx: Tx, { apiKeyId }: Scope, config: StoredConfig): Promise<void> {
  await tx
    .updateTable('apiKeys')
    .set({ config: json(config) })
    .where('apiKeyId', '=', apiKeyId)
    .execute();
}

export async function saveDomains(tx: Tx, { apiKeyId }: Scope, allowedDomains: string[]): Promise<void> {
  await tx
    .updateTable('apiKeys')
    .set({ allowedDomains: json(allowedDomains) })
    .where('apiKeyId', '=', apiKeyId)
    .execute();
}

export const sealInConfig = (keyring: Keyring, apiKeyId: string, place: string, secret: string): Sealed => ({
  sealed: keyring.seal(secret, bindingOf(apiKeyId, place)),
});

export const openFromConfig = (
  keyring: Keyring,
  apiKeyId: string,
  place: string,
  { sealed }: Sealed,
): string => keyring.open(sealed, bindingOf(apiKeyId, place));

const bindingOf = (apiKeyId: string, place: string): string[] => ['api_keys', apiKeyId, place];

/** Seals every secret of a config with the current master key. Paths are the dot-paths that secrets are bound to. */
export function resealConfig(keyring: Keyring, apiKeyId: string, config: StoredConfig): StoredConfig {
  const walk = (value: unknown, path: string[]): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (key !== 'sealed' || typeof inner !== 'string') return [key, walk(inner, [...path, key])];
        const binding = bindingOf(apiKeyId, path.join('.'));
        return [key, keyring.isCurrent(inner) ? inner : keyring.seal(keyring.open(inner, binding), binding)];
      }),
    );
  };
  return walk(config, []) as StoredConfig;
}

/** Masks a key so that its owner recognizes it. */
export function maskKey(secret: string): string {
  const characters = [...secret];
  if (characters.length < 16) return '****';
  return `${characters.slice(0, 3).join('')}****${characters.slice(-4).join('')}`;
}

/** The masked keys of model providers; undefined without any. */
export function showAiModels({ aiModels }: StoredConfig): AiModelsConfig | undefined {
  const entries = Object.entries(aiModels ?? {}).map(([provider, { displayText }]) => [
    provider,
    { displayText },
  ]);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as AiModelsConfig);
}
