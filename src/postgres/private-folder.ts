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
  log: FolderLog;
  /** Folders inside of it whose entries others may reach and not change, and which hold nothing secret. */
  readable?: readonly string[];
  changeMode?: (path: string, mode: number) => void;
}

/** The user of the database reads links to its libraries. */
export const DATA_FOLDER = { name: 'The data folder', readable: ['postgres-lib'] };

interface Change {
  path: string;
  from: string;
  to: string;
}

/**
 * Closes a folder and what is in it to other users of the machine, and logs what it changed. A closed folder protects
 * what lies deeper, so that a large one is gone through only where it, or a folder directly in it, stood open. Throws
 * an error that says what to do where the modes cannot be changed. Does nothing where there is no folder yet.
 */
export function closeToOthers(
  given: string,
  { name, log, readable = [], changeMode = changeModeOf }: PrivateFolderOptions,
): void {
  if (process.platform === 'win32' || !existsSync(given)) return;
  const folder = realpathSync(given);
  const root = lstatSync(folder);
  const changes: Change[] = [];

  const close = (path: string, stat: Stats, keeps = 0): boolean => {
    const extra = stat.mode & OTHERS & ~keeps;
    if (extra === 0) return false;
    const to = stat.mode & 0o7777 & ~extra;
    try {
      changeMode(path, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw refusal(name, folder, path, stat, error as Error);
    }
    const after = statOf(path);
    if (after !== undefined && (after.mode & extra) !== 0) {
      throw refusal(name, folder, path, stat, new Error('the file system keeps the mode as it is'));
    }
    changes.push({ path, from: octal(stat.mode), to: octal(to) });
    return true;
  };

  const closeEntries = (parent: string, wasOpen: boolean, isRoot: boolean): void => {
    for (const { name: entry } of readdirSync(parent, { withFileTypes: true })) {
      const path = join(parent, entry);
      const stat = statOf(path);
      if (stat === undefined || !(stat.isFile() || stat.isDirectory())) continue;
      if (isRoot && readable.includes(entry)) {
        close(path, stat, 0o055);
        continue;
      }
      const isOpen = close(path, stat);
      if (stat.isDirectory() && (wasOpen || isOpen)) closeEntries(path, true, false);
    }
  };

  const isOpen = close(folder, root, keptBy(root));
  closeEntries(folder, isOpen, true);
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

function refusal(name: string, folder: string, path: string, stat: Stats, cause: Error): Error {
  const self = process.getuid?.();
  const owner = stat.uid === self ? '' : ` It belongs to user ${stat.uid}, and Redpen runs as user ${self}.`;
  return new Error(
    `${name} is open to other users of the machine, and that cannot be changed: ${path} has the mode ${octal(stat.mode)} (${cause.message}).${owner} ` +
      `Close it with: chmod -R go= ${folder}, as its owner, or choose a folder that Redpen may make by itself.`,
    { cause },
  );
}
