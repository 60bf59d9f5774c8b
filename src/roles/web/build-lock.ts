import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { BuildFailed } from './run-build.ts';

const TOUCH_MS = 1_000;
const STALE_MS = 10_000;

/**
 * Takes the right to build into a folder, beside which the lock is another folder. Returns a function that gives it back;
 * undefined while another process has it.
 */
export async function takeBuildLock(folder: string): Promise<(() => Promise<void>) | undefined> {
  const lock = `${folder}.lock`;
  try {
    await mkdir(dirname(lock), { recursive: true });
    await mkdir(lock);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw unwritable(error, code, dirname(lock));
    await removeIfStale(lock);
    return undefined;
  }
  const touch = setInterval(() => {
    const now = new Date();
    utimes(lock, now, now).catch(() => {});
  }, TOUCH_MS);
  touch.unref();
  return async () => {
    clearInterval(touch);
    await rm(lock, { recursive: true, force: true });
  };
}

/** Removes the lock of a process that was killed. */
async function removeIfStale(lock: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(lock);
    if (Date.now() - mtimeMs < STALE_MS) return;
    // A rename succeeds for only one of several waiters.
    await rename(lock, `${lock}-${process.pid}`);
    await rm(`${lock}-${process.pid}`, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The sentence is public, so it names no folder of the machine. */
const unwritable = (cause: unknown, code: string | undefined, folder: string): unknown =>
  code !== undefined && ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR'].includes(code)
    ? new BuildFailed(
        `The console is not built yet, and the service cannot write to its folder ${basename(folder)} (${code}). Run node packages/build.ts as the owner of the folder, and start the service again.`,
        { cause },
      )
    : cause;
