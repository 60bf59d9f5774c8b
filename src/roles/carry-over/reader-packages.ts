import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failedPrecondition } from '../../lib/errors.ts';

/** Folder with the program that reads the earlier database, and with its package.json. */
export const READER_FOLDER = fileURLToPath(new URL('../../../tools/pglite-reader/', import.meta.url));

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;

/** True if `node_modules` of a folder has the reader's packages in the exact versions from a finished installation. */
function hasPackages(folder: string): boolean {
  const modules = join(folder, 'node_modules');
  const wanted = readJson(join(READER_FOLDER, 'package.json')).dependencies as Record<string, string>;
  if (!existsSync(join(modules, '.package-lock.json'))) return false;
  return Object.entries(wanted).every(([name, version]) => {
    const path = join(modules, name, 'package.json');
    return existsSync(path) && readJson(path).version === version;
  });
}

interface Options {
  /** Folder of the operator whose `node_modules` contains the packages. */
  operatorFolder: string | undefined;
  /** Folder for an installation if no folder has the packages. */
  folder: string;
  env: NodeJS.ProcessEnv;
  onProgress: (line: string) => void;
}

/** Finds or installs the packages of the reader. Returns the folder whose `node_modules` has them. */
export async function provideReaderPackages({
  operatorFolder,
  folder,
  env,
  onProgress,
}: Options): Promise<string> {
  if (operatorFolder !== undefined) {
    if (hasPackages(operatorFolder)) return operatorFolder;
    throw failedPrecondition(
      `The packages that read the earlier database are not in ${join(operatorFolder, 'node_modules')}: run \`npm ci\` in a copy of ${READER_FOLDER} and name that folder.`,
    );
  }
  const found = [READER_FOLDER, folder].find(hasPackages);
  if (found !== undefined) return found;
  await installReaderPackages(folder, env, onProgress);
  return folder;
}

/** Installs the reader's lockfile. Throws with manual instructions if that fails. */
export async function installReaderPackages(
  folder: string,
  env: NodeJS.ProcessEnv,
  onProgress: (line: string) => void,
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    cpSync(join(READER_FOLDER, file), join(folder, file));
  }
  onProgress(`Installing PGlite, which reads the earlier database, in ${folder}: npm ci`);
  const failure = await npmCi(folder, env);
  if (failure !== undefined) {
    throw failedPrecondition(
      `PGlite, which reads the earlier database, cannot be installed: ${failure}. ` +
        `Run \`npm ci\` in ${folder} by hand, or run it in a copy of ${READER_FOLDER} on a machine with network access and copy its node_modules here, then try again.`,
    );
  }
}

/** Runs `npm ci` in a folder. Returns the reason of a failure. */
async function npmCi(folder: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { npm_node_execpath: node, npm_execpath: script, PATH = '' } = env;
  // If npm started this process, npm runs on its own Node, because the project's `node` may be incompatible.
  const isScript = node !== undefined && script !== undefined && /\.[cm]?js$/.test(script);
  const path = PATH.split(delimiter).filter((part) => !part.includes('node_modules'));
  const [program, ...args] = isScript ? [node, script, 'ci'] : ['npm', 'ci'];
  const child = spawn(program!, args, {
    cwd: folder,
    shell: !isScript && process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, PATH: path.join(delimiter) },
  });
  let output = '';
  const collect = (text: Buffer) => {
    output = `${output}${text}`.slice(-2_000);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return await new Promise((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ENOENT' ? 'there is no npm on the PATH' : error.message),
    );
    child.on('close', (code) =>
      resolve(
        code === 0 ? undefined : `npm exited with code ${code}: ${output.trim().replace(/\s*\n\s*/g, ' ')}`,
      ),
    );
  });
}
