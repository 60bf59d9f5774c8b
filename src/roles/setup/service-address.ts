import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { identityOf, isAlive, type ProcessIdentity } from '../../postgres/process-identity.ts';

const fileOf = ({ REDPEN_DATA_DIR }: Config): string => join(resolve(REDPEN_DATA_DIR), 'address');

/**
 * Writes the address of this process to the data folder, for commands that run with other settings. Returns a function
 * that removes it. Does nothing if the folder is missing or read-only, which DATABASE_URL allows.
 */
export function noteAddress(config: Config, url: string): () => void {
  const path = fileOf(config);
  const note = JSON.stringify({ url: config.REDPEN_PUBLIC_URL ?? url, ...identityOf(process.pid) });
  try {
    writeFileSync(path, note, { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => {
    if (readNote(path)?.pid === process.pid) rmSync(path, { force: true });
  };
}

/** Id of the process that last ran on this data folder, if it ended without stopping; to be asked before `noteAddress`. */
export function lostProcess(config: Config): number | undefined {
  const note = readNote(fileOf(config));
  return note && !isAlive(note) ? note.pid : undefined;
}

/**
 * Base URL of the service: of the process that runs on this data folder, otherwise according to the settings. Undefined
 * if the settings ask for any free port.
 */
export function urlOfService(config: Config): string | undefined {
  const { HOST, PORT, REDPEN_PUBLIC_URL } = config;
  if (REDPEN_PUBLIC_URL !== undefined) return withoutSlash(REDPEN_PUBLIC_URL);
  const note = readNote(fileOf(config));
  if (note && isAlive(note)) return withoutSlash(reachable(note.url));
  if (PORT === 0) return undefined;
  return withoutSlash(reachable(`http://${isIP(HOST) === 6 ? `[${HOST}]` : HOST}:${PORT}`));
}

/** False if no service can be running: none runs on the data folder and no database server is set. */
export function mayServe(config: Config): boolean {
  const note = readNote(fileOf(config));
  return config.DATABASE_URL !== undefined || (note !== undefined && isAlive(note));
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Replaces the wildcard address of a listening service by loopback. */
export const reachable = (url: string): string =>
  url.replace(/^http:\/\/0\.0\.0\.0:/, 'http://127.0.0.1:').replace(/^http:\/\/\[::\]:/, 'http://[::1]:');

/** Undefined if the note is missing or unreadable. */
function readNote(path: string): (ProcessIdentity & { url: string }) | undefined {
  try {
    const note = JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity & { url: string };
    return Number.isInteger(note.pid) && URL.canParse(note.url) ? note : undefined;
  } catch {
    return undefined;
  }
}
