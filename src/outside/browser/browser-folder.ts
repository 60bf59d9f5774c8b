import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PREFIX = 'redpen-browser-';
const PROFILE = /^playwright_chromiumdev_profile-\w+$/;
const MAX_START_MS = 60_000;

/** Makes a temporary folder for one browser, and first removes those of browsers whose service was killed. */
export async function makeBrowserFolder(): Promise<string> {
  const parent = tmpdir();
  const names = await readdir(parent);
  const stale = names.filter((name) => name.startsWith(PREFIX)).map((name) => join(parent, name));
  await Promise.all(stale.map((folder) => removeIfDead(folder).catch(() => {})));
  return mkdtemp(join(parent, PREFIX));
}

/** Retries, since child processes of a browser continue to write until they notice that it has ended. */
export const removeFolder = (folder: string) =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {});

async function removeIfDead(folder: string) {
  const { mtimeMs, uid } = await stat(folder);
  if (uid !== process.getuid?.()) return;
  const note = await readFile(join(folder, 'runner'), 'utf8').catch(() => undefined);
  if (note === undefined) {
    if (Date.now() - mtimeMs > MAX_START_MS) await removeFolder(folder);
    return;
  }
  const [pid, profile = ''] = note.split('\n');
  if (isAlive(Number(pid))) return;
  // Defense in depth: only a profile beside the folder is removed, whatever the note says.
  const name = profile.slice(dirname(folder).length + 1);
  if (join(dirname(folder), name) === profile && PROFILE.test(name)) await removeFolder(profile);
  await removeFolder(folder);
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
