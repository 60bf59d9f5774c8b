import { randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.ts';

const HEARTBEAT_MS = 5_000;
const HEARTBEAT_TIMEOUT_MS = 20_000;

/** Another process has locked the data directory. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse';
}

export interface DataDirLock {
  release(): void;
}

/**
 * Locks the data directory for this process, since only one service at a time may run on it. The lock of a dead owner
 * is taken over immediately; owners are identified by process id and start time, since ids are reused. Throws
 * `DataDirInUse`.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(
      `The data directory ${dataDir} cannot be made (${(error as Error).message}). Let Redpen write to the folder around it, or set REDPEN_DATA_DIR to another folder.`,
      { cause: error },
    );
  }
  const path = join(dataDir, 'lock');
  const mine = JSON.stringify({
    ...identityOf(process.pid),
    namespace: processNamespace(),
    nonce: randomBytes(8).toString('hex'),
  });

  for (let attempt = 0; attempt < 50; attempt++) {
    if (createExclusively(path, mine)) {
      const touching = setInterval(() => touch(path), HEARTBEAT_MS);
      touching.unref();
      return {
        release() {
          clearInterval(touching);
          releaseIfMine(path, mine);
        },
      };
    }
    const held = readLock(path);
    if (held === undefined) continue;
    if (isHeld(held)) {
      throw new DataDirInUse(
        `The data directory ${dataDir} is in use by process ${held.owner?.pid}. Stop that one first, or set REDPEN_DATA_DIR to another folder.`,
      );
    }
    removeStaleLock(path, held.text);
  }
  throw new DataDirInUse(`The lock of the data directory ${dataDir} cannot be taken.`);
}

function createExclusively(path: string, text: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, text);
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readLock(path: string): HeldLock | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    // The owner may be about to write it; an empty lock is stale only if it is old.
    if (text === '' && Date.now() - statSync(path).mtimeMs < 2_000) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      return undefined;
    }
    return { text, owner: parse(text), touchedAt: statSync(path).mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes a stale lock; restores the lock of another process that has replaced it in the meantime. */
function removeStaleLock(path: string, text: string): void {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(path, aside);
    const moved = readFileSync(aside, 'utf8');
    const owner = parse(moved);
    if (moved !== text && isHeld({ text: moved, owner, touchedAt: statSync(aside).mtimeMs })) {
      createExclusively(path, moved);
    }
    rmSync(aside, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function releaseIfMine(path: string, mine: string): void {
  try {
    if (readFileSync(path, 'utf8') === mine) rmSync(path, { force: true });
  } catch {
    // It was removed already.
  }
}

interface LockOwner extends ProcessIdentity {
  namespace?: string | undefined;
}

interface HeldLock {
  text: string;
  /** Undefined if the file is not readable as a lock. */
  owner: LockOwner | undefined;
  /** Epoch milliseconds. */
  touchedAt: number;
}

const parse = (text: string): LockOwner | undefined => {
  try {
    const owner = JSON.parse(text) as LockOwner;
    return Number.isInteger(owner.pid) ? owner : undefined;
  } catch {
    return undefined;
  }
};

/**
 * True while the owner is alive. A process in another container is not visible from here; its lock is valid as long as
 * its heartbeat, the modification time, is recent.
 */
function isHeld({ owner, touchedAt }: HeldLock): boolean {
  if (owner === undefined) return false;
  const namespace = processNamespace();
  const isVisible = owner.namespace === undefined || owner.namespace === namespace;
  return isVisible ? isAlive(owner) : Date.now() - touchedAt < HEARTBEAT_TIMEOUT_MS;
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // The folder was removed while the service runs.
  }
}

/** PID namespace of this process on Linux; undefined elsewhere. */
function processNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}
