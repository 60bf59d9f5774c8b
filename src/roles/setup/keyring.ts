import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { createKeyring, type Keyring } from '../../lib/crypto.ts';

type Keys = Pick<Config, 'REDPEN_MASTER_KEY' | 'REDPEN_MASTER_KEY_PREVIOUS'>;

interface Log {
  warn(context: { path: string }, message: string): void;
}

/** Opens the keyring with the operator's master key, or with a generated one that only the service's user can read. */
export function openKeyring(config: Keys, dataDir: string, log: Log): Keyring {
  const previous = (config.REDPEN_MASTER_KEY_PREVIOUS ?? []).map((key) => Buffer.from(key, 'base64'));
  if (config.REDPEN_MASTER_KEY)
    return createKeyring([Buffer.from(config.REDPEN_MASTER_KEY, 'base64'), ...previous]);
  const path = join(dataDir, 'master.key');
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    log.warn({ path }, 'created a master key; keep a copy, because sealed secrets cannot be read without it');
  }
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  if (key.length !== 32) throw new Error(`${path} does not contain base64 of 32 bytes.`);
  return createKeyring([key, ...previous]);
}
