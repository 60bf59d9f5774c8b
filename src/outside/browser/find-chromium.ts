import { execFile } from 'node:child_process';
import {
  access,
  chmod,
  constants,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { LaunchFailure } from './launch-failure.ts';
import { findPrivateCache, isPrivate } from './private-cache.ts';

export interface Chromium {
  path: string;
  /** Environment variables that the process needs in addition. */
  env: Record<string, string>;
}

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'headless_shell',
];
const FIXED_PLACES = [
  '/usr/bin/chromium',
  '/usr/lib/chromium/chromium',
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Finds the configured Chromium, or an installed one, or unpacks the one of the npm package. */
export async function findChromium(
  options: { chromePath?: string; searchPath?: string; cacheDir?: string } = {},
): Promise<Chromium> {
  if (options.chromePath) {
    await requireProgram(options.chromePath);
    return { path: options.chromePath, env: {} };
  }
  const folders = (options.searchPath ?? process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const fixed = options.searchPath === undefined ? FIXED_PLACES : [];
  for (const path of [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...fixed]) {
    if (await isExecutable(path)) return { path, env: {} };
  }
  return unpackBundled(options.cacheDir);
}

/** A sentence if the Chromium that the operator names is missing. The bundled one is always there. */
export const missingChromium = async (chromePath: string | undefined): Promise<string | undefined> =>
  chromePath === undefined
    ? undefined
    : await requireProgram(chromePath).then(
        () => undefined,
        (error: unknown) => `There is no browser: ${error instanceof Error ? error.message : String(error)}`,
      );

async function requireProgram(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  const wrong =
    found instanceof Error
      ? found.code === 'ENOENT' || found.code === 'ENOTDIR'
        ? 'a file that does not exist'
        : `a file that cannot be looked at (${found.code})`
      : found.isDirectory()
        ? 'a folder in place of a program'
        : (await isExecutable(path))
          ? undefined
          : 'a file that may not be executed';
  if (wrong === undefined) return;
  throw new LaunchFailure(`CHROME_PATH names ${wrong}: ${path}.`, `CHROME_PATH names ${wrong}`);
}

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

const isExecutable = (path: string) => succeeds(access(path, constants.X_OK));

const packageEntry = createRequire(import.meta.url).resolve('@sparticuz/chromium');

/**
 * Unpacks into a private folder and renames it into place, so that two processes may start at the same time, and one
 * that is killed leaves nothing incomplete under the final name.
 */
async function unpackBundled(cacheDir: string | undefined): Promise<Chromium> {
  const { version } = JSON.parse(await readFile(join(packageEntry, '../../package.json'), 'utf8'));
  const parent = cacheDir ?? (await privateCache());
  const home = join(parent, `chromium-${version}-with-libraries`);
  const found = { path: join(home, 'chromium'), env: { FONTCONFIG_FILE: join(home, 'fonts.conf') } };
  if (await isExecutable(found.path)) return withLibraries(found, home);

  await mkdir(parent, { recursive: true });
  await removeLeftovers(parent);
  const work = await mkdtemp(join(parent, 'unpacking-'));
  try {
    // The package unpacks into the temporary folder, so it runs in a process that has one of its own.
    await promisify(execFile)(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        UNPACK,
        pathToFileURL(packageEntry).href,
        join(packageEntry, '../../bin/al2023.tar.br'),
      ],
      { env: { PATH: process.env.PATH, HOME: work, TMPDIR: work }, timeout: 120_000 },
    );
    await chmod(join(work, 'chromium'), 0o700);
    await writeFile(join(work, 'fonts.conf'), fontsConf(home));
    await rename(work, home);
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    // Another process may have finished first.
    if (!(await isExecutable(found.path))) throw error;
  }
  return withLibraries(found, home);
}

const UNPACK = `
  const { default: chromium, inflate } = await import(process.argv[1]);
  await Promise.all([chromium.executablePath(), inflate(process.argv[2])]);`;

/** Adds the package's libraries (NSS) if the system lacks them; the system's own get security updates. */
async function withLibraries(found: Chromium, home: string): Promise<Chromium> {
  const version = promisify(execFile)(found.path, ['--version'], { timeout: 10_000 });
  if (await succeeds(version)) return found;
  const folders = [join(home, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH];
  return { ...found, env: { ...found.env, LD_LIBRARY_PATH: folders.filter(Boolean).join(delimiter) } };
}

/** Chooses a folder that no other user can write to, since a program is run from it. */
async function privateCache(): Promise<string> {
  const found = await findPrivateCache();
  if (found !== undefined) return found;
  const place = join(tmpdir(), `redpen-${process.getuid?.()}`);
  return (await isPrivate(place)) ? place : mkdtemp(join(tmpdir(), 'redpen-'));
}

const LEFTOVER_AGE_MS = 600_000;

async function removeLeftovers(parent: string) {
  for (const name of await readdir(parent)) {
    if (!name.startsWith('unpacking-')) continue;
    const path = join(parent, name);
    const stat = await lstat(path).catch(() => undefined);
    if (stat && Date.now() - stat.mtimeMs > LEFTOVER_AGE_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Uses the system's fonts and the package's own, so that text is drawn on a system without fonts. */
const fontsConf = (home: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${home}/fonts/fonts</dir>
  <cachedir>${home}/fonts-cache</cachedir>
</fontconfig>
`;
