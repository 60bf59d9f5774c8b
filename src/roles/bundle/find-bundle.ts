import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** The programs that are bundled: a start of 3,000 modules takes three times the processor time of one of a few files. */
export const BUNDLED = ['run-service', 'run-command'] as const;
export type Bundled = (typeof BUNDLED)[number];

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const BUILD_MS = 60_000;

/** The inputs of the latest bundle, in `current.json` beside the folders of bundles. */
export interface BundleRecord {
  /** Folder of the project: a bundle refers to files in it by their absolute paths. */
  root: string;
  /** Paths from the folder of the project. */
  inputs: readonly string[];
  /** Hash of the inputs, which is also the name of the folder of the bundle. */
  hash: string;
}

/** The folder of bundles of a project. */
export const bundlesOf = (root: string): string => join(root, 'node_modules/.cache/redpen-bundle');

/** Throws if a file is missing. */
export function hashInputs(root: string, inputs: readonly string[]): string {
  const hash = createHash('sha256').update(root);
  for (const input of inputs) hash.update(`\n${input}\n`).update(readFileSync(join(root, input)));
  return hash.digest('hex').slice(0, 32);
}

/**
 * The address of a program in a bundle of the sources as they are now, which is built first if it is missing or older.
 * Undefined if the program has to run from its sources: a debugger is attached, or the bundle cannot be built, for which
 * `warn` is called unless the installation is not made to.
 */
export async function findBundled(
  program: Bundled,
  root = ROOT,
  warn = (reason: string) => void process.stderr.write(`${reason}\n`),
): Promise<string | undefined> {
  if (process.execArgv.some((flag) => flag.startsWith('--inspect'))) return undefined;
  const found = current(root);
  if (found !== undefined) return addressIn(found, program);
  if (!canBuild(root)) return undefined;
  try {
    // A process of its own, because the bundler takes memory that the service does not need.
    await promisify(execFile)(process.execPath, [join(root, 'tools/build-bundle.ts')], {
      env: {},
      timeout: BUILD_MS,
    });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    warn(
      `Redpen runs from its sources, which starts slower, because they cannot be bundled: ${stderr || message}`,
    );
    return undefined;
  }
  const built = current(root);
  return built && addressIn(built, program);
}

const addressIn = (folder: string, program: Bundled): string =>
  pathToFileURL(join(folder, `${program}.mjs`)).href;

/** The folder of a bundle of the sources as they are now. */
function current(root: string): string | undefined {
  const bundles = bundlesOf(root);
  try {
    const record = JSON.parse(readFileSync(join(bundles, 'current.json'), 'utf8')) as BundleRecord;
    const isCurrent = record.root === root && hashInputs(root, record.inputs) === record.hash;
    const folder = join(bundles, record.hash);
    return isCurrent && existsSync(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** The bundler is installed, and this user may write what it makes. */
function canBuild(root: string): boolean {
  if (!existsSync(join(root, 'node_modules/rolldown/package.json'))) return false;
  for (
    let folder = bundlesOf(root);
    folder.startsWith(join(root, 'node_modules'));
    folder = dirname(folder)
  ) {
    if (!existsSync(folder)) continue;
    try {
      accessSync(folder, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  }
  return false;
}
