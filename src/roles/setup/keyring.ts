import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import { runKeyCommand } from './key-command.ts';
import { parseKeys, readKeyFile } from './key-file.ts';

export type KeySettings = Pick<
  Config,
  'REDPEN_MASTER_KEY' | 'REDPEN_MASTER_KEY_FILE' | 'REDPEN_MASTER_KEY_COMMAND' | 'REDPEN_MASTER_KEY_PREVIOUS'
>;

/** Where master keys come from. */
export interface KeySource {
  /** For the operator, such as `REDPEN_MASTER_KEY` or the path of a file. */
  name: string;
  /** The file, if it is one. */
  path: string | undefined;
  /** False if there is no current key yet, which is possible for the data folder only. */
  hasKey: boolean;
  /** The keys, the current one first. Throws if they cannot be read. */
  read(): Promise<Buffer[]>;
  /** Reads a file again, which takes no time; undefined for sources that are read at a start only. */
  readAgain: (() => Buffer[]) | undefined;
}

const fromBase64 = (key: string): Buffer => Buffer.from(key, 'base64');

export const keyPathOf = (dataDir: string): string => join(dataDir, 'master.key');

/** The source of the master keys by the settings: one of them, or the file of the data folder. */
export function keySourceOf(config: KeySettings, dataDir: string): KeySource {
  const previous = (config.REDPEN_MASTER_KEY_PREVIOUS ?? []).map(fromBase64);
  const { REDPEN_MASTER_KEY: key, REDPEN_MASTER_KEY_FILE: file, REDPEN_MASTER_KEY_COMMAND: command } = config;
  const source = { path: undefined, hasKey: true, readAgain: undefined };
  if (key !== undefined)
    return { ...source, name: 'REDPEN_MASTER_KEY', read: async () => [fromBase64(key), ...previous] };
  if (command !== undefined)
    return { ...source, name: 'REDPEN_MASTER_KEY_COMMAND', read: () => runKeyCommand(command) };
  const path = file ?? keyPathOf(dataDir);
  const hasKey = file !== undefined || existsSync(path);
  const readAgain = () => [
    ...(file === undefined
      ? parseKeys(readFileSync(path, 'utf8'), path)
      : readKeyFile(file, 'REDPEN_MASTER_KEY_FILE')),
    ...previous,
  ];
  return { name: path, path, hasKey, readAgain, read: async () => (hasKey ? readAgain() : previous) };
}

/** The same. Throws if there is no current key, as for a command that may not make one. */
export function requireKeySource(config: KeySettings, dataDir: string): KeySource {
  const source = keySourceOf(config, dataDir);
  if (source.hasKey) return source;
  throw failedPrecondition(
    `There is no master key in ${dataDir}: set REDPEN_MASTER_KEY, REDPEN_MASTER_KEY_FILE or REDPEN_MASTER_KEY_COMMAND as the service has it.`,
  );
}

/** Writes the key file of the data folder, readable only by its owner. Throws if there is one. */
export function writeMasterKey(dataDir: string, keys: readonly Uint8Array[]): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(keyPathOf(dataDir), keyLines(keys), { mode: 0o600, flag: 'wx' });
}

/**
 * Replaces a file of keys as a whole, with the same owner and mode: whenever the process or machine stops, the file has the
 * earlier or the new content.
 */
export function replaceKeys(given: string, keys: readonly Uint8Array[]): void {
  const path = realpathSync(given);
  writeAsOwnerOf(path, path, keys);
}

/**
 * Stores keys of a file beside it, under its name with an ending, closed to all but its owner. Returns the path. Throws if
 * there is such a file with other keys. The file itself may be gone.
 */
export function storeBeside(given: string, ending: string, keys: readonly Uint8Array[]): string {
  const isThere = existsSync(given);
  const path = isThere ? realpathSync(given) : given;
  const place = `${path}${ending}`;
  if (!existsSync(place)) writeAsOwnerOf(isThere ? path : dirname(path), place, keys, 0o600);
  else if (readFileSync(place, 'utf8') !== keyLines(keys))
    throw failedPrecondition(
      `${place} is there already and has other keys: move it elsewhere, and run the command again. Nothing is lost.`,
    );
  return place;
}

/** Writes a file as a whole, with the owner of another one or of a folder, and its mode unless one is given. */
function writeAsOwnerOf(other: string, path: string, keys: readonly Uint8Array[], givenMode?: number): void {
  const { uid, gid, mode } = statSync(other);
  const next = `${path}.next`;
  try {
    rmSync(next, { force: true });
    const file = openSync(next, 'wx', 0o600);
    try {
      writeFileSync(file, keyLines(keys));
      if (process.platform !== 'win32') {
        // Root may run the command, and another user the service; a group may come from the folder.
        const own = fstatSync(file);
        if (uid !== own.uid || gid !== own.gid) fchownSync(file, uid, gid);
        fchmodSync(file, givenMode ?? mode & 0o777);
      }
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** The content of a file of keys. */
export const keyLines = (keys: readonly Uint8Array[]): string =>
  keys.map((key) => `${Buffer.from(key).toString('base64')}\n`).join('');

interface Log {
  warn(context: { path: string }, message: string): void;
}

/** The source of the operator, or the data folder with a generated key that only the service's user can read. */
export function ensureKeySource(config: KeySettings, dataDir: string, log: Log): KeySource {
  const source = keySourceOf(config, dataDir);
  if (source.hasKey) return source;
  writeMasterKey(dataDir, [randomBytes(32)]);
  log.warn(
    { path: keyPathOf(dataDir) },
    'created a master key; keep a copy, because only this key opens sealed secrets',
  );
  return keySourceOf(config, dataDir);
}
