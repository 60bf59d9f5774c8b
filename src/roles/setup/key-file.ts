import { closeSync, fstatSync, openSync, readFileSync, realpathSync, type Stats } from 'node:fs';

/** More than any number of keys needs, so that a wrong path does not fill the memory. */
const MAX_BYTES = 65_536;
const GROUP_AND_OTHERS = 0o077;

type Owned = Pick<Stats, 'uid' | 'mode'>;

interface Place {
  /** The file itself, without symbolic links. */
  path: string;
  /** User of this process; undefined on Windows. */
  self: number | undefined;
  /** Content of `/proc/self/mountinfo`; empty on other systems than Linux. */
  mounts: string;
}

/**
 * The keys in a text, a line each in base64, the current one first. Throws an error that begins with `where` and repeats
 * nothing of the text.
 */
export function parseKeys(text: string, where: string): Buffer[] {
  const keys = text.split(/\r?\n/).flatMap((line, at) => {
    const trimmed = line.trim();
    if (trimmed === '') return [];
    const key = Buffer.from(trimmed, 'base64');
    if (key.length !== 32 || !/^[\w+/-]{43}=?$/.test(trimmed))
      throw new Error(`${where}: line ${at + 1} is not base64 of exactly 32 bytes.`);
    if (key.every((byte) => byte === 0))
      throw new Error(`${where}: the key in line ${at + 1} is not random.`);
    return [key];
  });
  if (keys.length === 0) throw new Error(`${where} contains no key: base64 of 32 bytes.`);
  return keys;
}

/** Reads the keys of a file of the operator. Throws if it cannot be read, contains none, or is open to others. */
export function readKeyFile(given: string, setting: string): Buffer[] {
  const file = attempt(setting, given, () => openSync(given, 'r'));
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error(`${setting}: ${given} is not a file.`);
    if (stat.size > MAX_BYTES) throw new Error(`${setting}: ${given} is too large for a file of keys.`);
    const path = realpathSync(given);
    const problem = judgeAccess(stat, { path, self: process.getuid?.(), mounts: readMounts() });
    if (problem !== undefined) throw new Error(`${setting}: ${problem}`);
    return parseKeys(
      attempt(setting, given, () => readFileSync(file, 'utf8')),
      `${setting} (${given})`,
    );
  } finally {
    closeSync(file);
  }
}

function attempt<T>(setting: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      code === 'ENOENT'
        ? `${setting}: there is no file ${path}.`
        : `${setting}: ${path} cannot be read (${code}). The user of the service must be able to.`,
      { cause: error },
    );
  }
}

function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}

/**
 * Says who else may read a file of keys, if that is too many. The rule is that of PostgreSQL for its TLS key: a file of the
 * service's user is private to it, and one of root may be readable by its group. In addition, a file of root may be
 * readable by all if it is a mount of its own, or in a read-only one: container runtimes mount secrets like that, where
 * no other user sees them.
 */
export function judgeAccess({ uid, mode }: Owned, { path, self, mounts }: Place): string | undefined {
  if (self === undefined || (mode & GROUP_AND_OTHERS) === 0) return undefined;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  if ((mode & 0o022) !== 0)
    return `${path} may be changed by other users (mode ${shown}): chmod 0600 ${path}`;
  if (uid !== 0) return `${path} may be read by other users (mode ${shown}): chmod 0600 ${path}`;
  if ((mode & 0o007) === 0) return undefined;
  return isMountedAlone(path, mounts)
    ? undefined
    : `${path} may be read by other users (mode ${shown}): chmod 0600 ${path}, or let the group of the service read it (0640). Only a secret that a container runtime mounts may be readable by all.`;
}

/** True if the file is a mount itself, or in a mount that is read-only and not the root of the file system. */
function isMountedAlone(path: string, mounts: string): boolean {
  const [nearest] = mounts
    .split('\n')
    .map((line) => {
      // Spaces in a path are written as octal numbers.
      const [, , , , point = '', options = ''] = line.split(' ');
      const at = point.replace(/\\(\d{3})/g, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 8)),
      );
      return { at, isReadOnly: options.split(',').includes('ro') };
    })
    .filter(({ at }) => at === path || (at !== '' && path.startsWith(at.endsWith('/') ? at : `${at}/`)))
    // The last of several mounts at one place covers the others.
    .reverse()
    .sort((a, b) => b.at.length - a.at.length);
  return nearest !== undefined && nearest.at !== '/' && (nearest.at === path || nearest.isReadOnly);
}
