import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync, readFileSync } from 'node:fs';
import { cp, readdir, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { failedPrecondition } from '../../lib/errors.ts';
import { READER_FOLDER } from './reader-packages.ts';

/** PostgreSQL release of PGlite and of its files. */
const OLD_VERSION = '18';

/** The earlier embedded database, read from a copy of its folder. */
export interface OldDatabase {
  /** The only connection of PGlite. */
  pool: pg.Pool;
  /** Ends the process that has the copy open. */
  close(): Promise<void>;
}

export function requireOldFolder(folder: string): void {
  const path = join(folder, 'PG_VERSION');
  if (!existsSync(path)) throw failedPrecondition(`There is no earlier database to carry over in ${folder}.`);
  const version = readFileSync(path, 'utf8').trim();
  if (version !== OLD_VERSION) {
    throw failedPrecondition(
      `The database in ${folder} is of PostgreSQL ${version}; ${OLD_VERSION} can be read.`,
    );
  }
}

export async function bytesOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

/** Copies a folder, by copy-on-write if the file system supports it. */
export const copyFolder = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });

/**
 * Starts a process in which PGlite opens a folder, and connects to it over a pipe. It writes to the folder, at least for
 * crash recovery, and turns an empty folder into a new database.
 */
export async function openOldDatabase(
  folder: string,
  packages: string,
  settings: Pick<pg.PoolConfig, 'onConnect'>,
): Promise<OldDatabase> {
  const child = spawn(process.execPath, [join(READER_FOLDER, 'read.mjs'), folder, packages], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let said = '';
  child.stderr!.on('data', (text: Buffer) => {
    said = `${said}${text}`.slice(-2_000);
  });
  const pipe = child.stdio[3] as Socket;
  const pool = new pg.Pool({
    ...settings,
    user: 'postgres',
    database: 'postgres',
    password: '',
    ssl: false,
    max: 1,
    idleTimeoutMillis: 0,
    stream: () => connected(pipe),
  });
  pool.on('error', () => {});
  const close = async () => {
    await pool.end();
    pipe.destroy();
    await ended;
  };
  try {
    await pool.query('select 1');
  } catch (error) {
    await close();
    throw new Error(`PGlite cannot open ${folder}: ${said.trim() || (error as Error).message}`, {
      cause: error,
    });
  }
  return { pool, close };
}

/** The pipe in the form of a socket that the driver can connect. */
function connected(pipe: Socket): Socket {
  pipe.connect = () => {
    process.nextTick(() => pipe.emit('connect'));
    return pipe;
  };
  return pipe;
}
