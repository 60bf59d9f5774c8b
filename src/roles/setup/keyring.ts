import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { createKeyring, type Keyring } from '../../lib/crypto.ts';

type Keys = Pick<Config, 'REDPEN_MASTER_KEY' | 'REDPEN_MASTER_KEY_PREVIOUS'>;

interface Log {
  warn(context: { path: string }, message: string): void;
}

const pathOf = (dataDir: string): string => join(dataDir, 'master.key');

/** The keys that are configured or in the data folder, current one first; none if there is none yet. */
export function masterKeysOf(config: Keys, dataDir: string): Buffer[] {
  const previous = (config.REDPEN_MASTER_KEY_PREVIOUS ?? []).map((key) => Buffer.from(key, 'base64'));
  if (config.REDPEN_MASTER_KEY) return [Buffer.from(config.REDPEN_MASTER_KEY, 'base64'), ...previous];
  const path = pathOf(dataDir);
  if (!existsSync(path)) return previous;
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  if (key.length !== 32) throw new Error(`${path} does not contain base64 of 32 bytes.`);
  return [key, ...previous];
}

/** True if a current key is configured or in the data folder. */
export const hasMasterKey = (config: Keys, dataDir: string): boolean =>
  config.REDPEN_MASTER_KEY !== undefined || existsSync(pathOf(dataDir));

/** Writes the key file, readable only by its owner. Throws if there is one. */
export function writeMasterKey(dataDir: string, key: Uint8Array): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(pathOf(dataDir), `${Buffer.from(key).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
}

/** Opens the keyring with the operator's master key, or with a generated one that only the service's user can read. */
export function openKeyring(config: Keys, dataDir: string, log: Log): Keyring {
  if (!hasMasterKey(config, dataDir)) {
    writeMasterKey(dataDir, randomBytes(32));
    log.warn(
      { path: pathOf(dataDir) },
      'created a master key; keep a copy, because sealed secrets cannot be read without it',
    );
  }
  return createKeyring(masterKeysOf(config, dataDir));
}
