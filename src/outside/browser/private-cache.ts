import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';

/**
 * The folder for files of Redpen that outlive a process and can be made anew, in the cache of the user. No other user
 * can write to it, since programs are run from it. Undefined if there is no such place.
 */
export async function findPrivateCache(): Promise<string | undefined> {
  for (const parent of [process.env.XDG_CACHE_HOME, join(homedir(), '.cache')]) {
    if (!parent?.startsWith('/')) continue;
    const place = join(parent, 'redpen');
    if (await isPrivate(place)) return place;
  }
  return undefined;
}

/** Creates a folder that only this user can write to; false if it cannot be one. */
export async function isPrivate(place: string): Promise<boolean> {
  try {
    await makeFolder(place, 0o700);
    const stat = await lstat(place);
    const isOurs = stat.isDirectory() && stat.uid === (process.getuid?.() ?? stat.uid);
    if (!isOurs || (stat.mode & 0o022) !== 0) return false;
    await access(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
