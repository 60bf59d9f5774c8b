import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';

/** The unprivileged user that every Linux has. */
export const NOBODY = 65534;

/** User under which programs of PostgreSQL run, since they refuse to run as root. */
export interface ChildUser {
  /** Owner of the cluster's files; undefined if PostgreSQL runs as the service's own user. */
  owner: { uid: number; gid: number } | undefined;
  /** Options for `spawn`. */
  spawnOptions: { uid?: number; gid?: number };
  /** Command line in front of the program. */
  prefix: string[];
}

const ownUser: ChildUser = { owner: undefined, spawnOptions: {}, prefix: [] };

/**
 * Chooses the user that PostgreSQL runs as. If the service is not root, it is the service's own user. Otherwise it is
 * the owner of the data folder, or 65534 if root owns that, in the first way that works: a plain change of user;
 * `setpriv` with the capability to bypass file permissions; a data folder that the user's group may traverse. Throws
 * an error with advice if none works.
 *
 * @param paths folders that PostgreSQL must be able to enter, besides those of its programs
 */
export function chooseChildUser(dataDir: string, binaries: Binaries, paths: string[]): ChildUser {
  if (process.getuid?.() !== 0) return ownUser;
  const { uid, gid } = statSync(dataDir);
  const owner = uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid, gid };
  const plain: ChildUser = { owner, spawnOptions: owner, prefix: [] };
  const findPlainFault = () =>
    findBlocked(owner, [
      { path: binaries.postgres, mode: 0o1 },
      { path: join(binaries.root, 'share', 'postgresql', 'postgres.bki'), mode: 0o4 },
      ...paths.map((path) => ({ path, mode: 0o1 })),
    ]) ?? findFault(plain, binaries);
  const plainFault = findPlainFault();
  if (plainFault === undefined) return plain;
  const withCapability: ChildUser = {
    owner,
    spawnOptions: {},
    // Without the securebit, access(2) ignores the capability of a user other than root.
    prefix: [
      'setpriv',
      `--reuid=${owner.uid}`,
      `--regid=${owner.gid}`,
      '--clear-groups',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      '--securebits=+no_setuid_fixup',
    ],
  };
  const fault = findFault(withCapability, binaries);
  if (fault === undefined) return withCapability;
  if (!grants(owner, dataDir, 0o1)) {
    chownSync(dataDir, uid, owner.gid);
    chmodSync(dataDir, 0o710);
    if (findPlainFault() === undefined) return plain;
    chownSync(dataDir, uid, gid);
    chmodSync(dataDir, 0o700);
  }
  throw new Error(
    `PostgreSQL does not run as root, and as user ${owner.uid} it cannot be started: ${plainFault}; with setpriv: ${fault}. ` +
      'Run Redpen as an ordinary user that owns the data folder, or let that user enter these folders, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/** Describes the first path that a user cannot use. ACLs are ignored; setpriv is the fallback there. */
function findBlocked(
  user: { uid: number; gid: number },
  wanted: { path: string; mode: number }[],
): string | undefined {
  for (const { path, mode } of wanted) {
    if (!grants(user, path, mode)) return `${path} is closed to it`;
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      if (!grants(user, folder, 0o1)) return `it cannot enter ${folder}`;
      if (folder === dirname(folder)) break;
    }
  }
  return undefined;
}

function grants({ uid, gid }: { uid: number; gid: number }, path: string, mode: number): boolean {
  const stat = statSync(path);
  const shift = stat.uid === uid ? 6 : stat.gid === gid ? 3 : 0;
  return ((stat.mode >> shift) & mode) === mode;
}

/** Describes why PostgreSQL does not run as a user; undefined if it does. */
function findFault(
  { spawnOptions, prefix }: ChildUser,
  { postgres, libraryPath }: Binaries,
): string | undefined {
  const [program, ...args] = [...prefix, postgres, '--version'];
  const { error, status, stderr } = spawnSync(program!, args, {
    ...spawnOptions,
    cwd: '/',
    env: childEnvironment(libraryPath),
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (error)
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? `${program} is not there` : error.message;
  return status === 0 ? undefined : stderr.trim().split('\n')[0] || `it ends with code ${status}`;
}

/** Environment of PostgreSQL, without settings of the operator's own PostgreSQL and locale. */
export function childEnvironment(libraryPath: string | undefined): Record<string, string> {
  const { PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', SystemRoot } = process.env;
  return {
    PATH,
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(SystemRoot !== undefined && { SystemRoot }),
    ...(libraryPath !== undefined && { LD_LIBRARY_PATH: libraryPath }),
  };
}
