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

/** What users other than the owner may do. */
const OTHERS = 0o077;
/** The group may pass through, and neither list nor write. */
const PASSABLE = 0o010;
const MOST_NAMED = 10;

export interface FolderLog {
  warn(data: object, message: string): void;
}

interface PrivateFolderOptions {
  /** What the folder is, for the log and for errors. */
  name: string;
  /** The setting that chooses it. */
  setting: string;
  log: FolderLog;
  /** What the service uses inside of it. Beside that, entries of other users are left alone where they must be. */
  needed?: readonly string[];
  /** Folders inside of it whose entries others may reach and not change, and which hold nothing secret. */
  readable?: readonly string[];
  changeMode?: (path: string, mode: number) => void;
}

export const DATA_FOLDER = {
  name: 'The data folder',
  setting: 'REDPEN_DATA_DIR',
  needed: ['blobs', 'lock', 'master.key', 'pg', 'pglite-reader', 'postgres', 'postgres-lib', 'postgres.json'],
  // The user of the database reads links to its libraries.
  readable: ['postgres-lib'],
};

interface Change {
  path: string;
  from: string;
  to: string;
}

/**
 * Closes a folder and what is in it to other users of the machine, and logs what it changed. A closed folder protects
 * what lies deeper, so that a large one is gone through only where it, or a folder directly in it, stood open. Throws
 * an error that says what to do where the modes cannot be changed, but for what another user keeps there, such as
 * `lost+found`. Does nothing where there is no folder yet.
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

  const isOpen = close(folder, root, true, keptBy(root));
  closeEntries(folder, root, true, isOpen);
  if (changes.length > 0) {
    log.warn(
      { folder, count: changes.length, changed: changes.slice(0, MOST_NAMED) },
      `${name} was open to other users of the machine and has been closed to them`,
    );
  }
}

/** What a folder grants others on purpose. */
function keptBy({ uid, gid, mode }: Stats): number {
  const self = process.getuid?.();
  // See `chooseChildUser`.
  if (self === 0) return uid === 0 && gid === NOBODY ? PASSABLE : 0;
  // Where a volume belongs to root, its group is what lets the service in.
  return uid !== self && (mode & 0o007) === 0 && process.getgroups?.().includes(gid) ? 0o070 : 0;
}

/** Undefined where it is gone, as temporary files of a running server may be. */
const statOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

/** Follows no link: root must not change what a user who owns a folder put in its place. */
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
