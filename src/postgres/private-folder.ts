import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { NOBODY } from './child-user.ts';

/** Permission bits of users other than the owner. */
const OTHERS = 0o077;
/** The group may traverse the folder, but neither list nor write it. */
const PASSABLE = 0o010;
const MAX_LOGGED_CHANGES = 10;

export interface FolderLog {
  warn(data: object, message: string): void;
}

interface PrivateFolderOptions {
  /** Name of the folder, for the log and errors. */
  name: string;
  /** Setting that chooses the folder. */
  setting: string;
  log: FolderLog;
  /** Entries that the service uses. Other entries are skipped if they belong to another user and cannot be changed. */
  needed?: readonly string[];
  /** Subfolders without secrets, which others may read and not change. */
  readable?: readonly string[];
  changeMode?: (path: string, mode: number) => void;
}

export const DATA_FOLDER = {
  name: 'The data folder',
  setting: 'REDPEN_DATA_DIR',
  needed: ['blobs', 'lock', 'master.key', 'pg', 'pglite-reader', 'postgres', 'postgres-lib', 'postgres.json'],
  // The database's user reads links to libraries in it.
  readable: ['postgres-lib'],
};

interface Change {
  path: string;
  from: string;
  to: string;
}

/**
 * Closes a folder and its content to other users of the machine, and logs the changes. A closed folder protects its
 * content, so folders are traversed only if they, or folders directly in them, were open. Throws an error with advice
 * if modes cannot be changed, except for entries of other users, such as `lost+found`. Does nothing if the folder does
 * not exist yet.
 */
export function closeToOthers(
  given: string,
  { name, setting, log, needed = [], readable = [], changeMode = changeModeOf }: PrivateFolderOptions,
): void {
  if (process.platform === 'win32' || !existsSync(given)) return;
  const folder = realpathSync(given);
  const root = lstatSync(folder);
  const changes: Change[] = [];

  const tryTo = <T>(path: string, stat: Stats, isNeeded: boolean, work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      if (!isNeeded && stat.uid !== process.getuid?.()) return undefined;
      throw refusal({ name, setting, folder, path, stat, cause: error as Error });
    }
  };

  const close = (path: string, stat: Stats, isNeeded: boolean, keeps = 0): boolean => {
    const extra = stat.mode & OTHERS & ~keeps;
    if (extra === 0) return false;
    const to = stat.mode & 0o7777 & ~extra;
    const isClosed = tryTo(path, stat, isNeeded, () => {
      changeMode(path, to);
      const after = statOf(path);
      if (after !== undefined && (after.mode & extra) !== 0)
        throw new Error('the file system keeps the mode as it is');
      return true;
    });
    if (isClosed) changes.push({ path, from: octal(stat.mode), to: octal(to) });
    return isClosed ?? false;
  };

  const entriesOf = (parent: string) =>
    readdirSync(parent).map((entry) => ({
      entry,
      path: join(parent, entry),
      stat: statOf(join(parent, entry)),
    }));

  const closeEntries = (
    parent: string,
    parentStat: Stats,
    isParentNeeded: boolean,
    wasOpen: boolean,
  ): void => {
    const isRoot = parent === folder;
    const entries = tryTo(parent, parentStat, isParentNeeded, () => entriesOf(parent)) ?? [];
    for (const { entry, path, stat } of entries) {
      if (stat === undefined || !(stat.isFile() || stat.isDirectory())) continue;
      const isNeeded = isRoot ? needed.includes(entry) : isParentNeeded;
      if (isRoot && readable.includes(entry)) {
        close(path, stat, isNeeded, 0o055);
        continue;
      }
      const isOpen = close(path, stat, isNeeded);
      if (stat.isDirectory() && (wasOpen || isOpen)) closeEntries(path, stat, isNeeded, true);
    }
  };

  const isOpen = close(folder, root, true, intendedPermissions(root));
  closeEntries(folder, root, true, isOpen);
  if (changes.length > 0) {
    log.warn(
      { folder, count: changes.length, changed: changes.slice(0, MAX_LOGGED_CHANGES) },
      `${name} was open to other users of the machine and has been closed to them`,
    );
  }
}

/** Permissions that a folder grants to others on purpose. */
function intendedPermissions({ uid, gid, mode }: Stats): number {
  const self = process.getuid?.();
  // See `chooseChildUser`.
  if (self === 0) return uid === 0 && gid === NOBODY ? PASSABLE : 0;
  // The group may be the service's only access to a volume that belongs to root.
  return uid !== self && (mode & 0o007) === 0 && process.getgroups?.().includes(gid) ? 0o070 : 0;
}

/** Undefined for a file that was removed, such as a temporary file of a running server. */
const statOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

/** Follows no link, since the owner of a folder could make root change another file by one. */
function changeModeOf(path: string, mode: number): void {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    fchmodSync(file, mode);
  } finally {
    closeSync(file);
  }
}

const octal = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0');

interface Refused {
  name: string;
  setting: string;
  folder: string;
  path: string;
  stat: Stats;
  cause: Error;
}

function refusal({ name, setting, folder, path, stat, cause }: Refused): Error {
  const self = process.getuid?.();
  const owner = `It belongs to user ${stat.uid}, and Redpen runs as user ${self}.`;
  const elsewhere = `Set ${setting} to a folder in it that Redpen makes itself, such as ${join(folder, 'redpen')}, and move there what Redpen keeps in ${folder}`;
  let advice = `Close it with: chmod -R u+rwX,go= ${folder}, or set ${setting} to a folder that Redpen makes itself.`;
  if (stat.uid !== self && path === folder)
    advice = `${owner} ${elsewhere}; or, as root, let Redpen own it: chown ${self} ${folder}.`;
  else if (stat.uid !== self) advice = `${owner} As root, let Redpen own it: chown -R ${self} ${path}.`;
  return new Error(
    `${name} cannot be closed to other users of the machine: ${path} has the mode ${octal(stat.mode)} (${cause.message}). ${advice}`,
    { cause },
  );
}
