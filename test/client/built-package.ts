import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { atWorkerEnd } from '../run/at-end.ts';
import { packageFolder } from './bundled.ts';

export const repository = resolve(import.meta.dirname, '../..');

/** Runs a program of the installed packages, and returns its output. */
export async function runBin(script: string, args: string[], cwd: string): Promise<string> {
  const file = join(repository, 'node_modules', script);
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], {
    cwd,
    maxBuffer: 2 ** 26,
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${script} failed:\n${error.stdout}${error.stderr}`);
  });
  return stdout;
}

export const compile = (args: string[], cwd: string) => runBin('typescript/bin/tsc', args, cwd);

export interface BuiltPackage extends Disposable {
  /** The package, as it is published. */
  folder: string;
  /** A folder whose code finds the package by its name. */
  user: string;
}

let dist: Promise<string> | undefined;

async function build(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-client-dist-'));
  atWorkerEnd(() => rmSync(folder, { recursive: true, force: true }));
  await compile(['--project', join(packageFolder, 'tsconfig.build.json'), '--outDir', folder], repository);
  return folder;
}

/** Builds the package, once for all tests of a worker, and installs it for one test. */
export async function builtPackage(): Promise<BuiltPackage> {
  dist ??= build();
  const built = await dist;
  const user = mkdtempSync(join(tmpdir(), 'redpen-client-user-'));
  const folder = join(user, 'node_modules/@redpen/client');
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'README.md', 'LICENSE'])
    cpSync(join(packageFolder, file), join(folder, file));
  cpSync(built, join(folder, 'dist'), { recursive: true });
  mkdirSync(join(user, 'node_modules/@types'));
  symlinkSync(join(repository, 'node_modules/@types/node'), join(user, 'node_modules/@types/node'));
  // The last ones are the peers, and what these need.
  const installed = ['undici-types', '@hocuspocus', 'yjs', 'y-protocols', 'lib0', '@lifeomic'];
  for (const name of installed)
    symlinkSync(join(repository, 'node_modules', name), join(user, 'node_modules', name));
  return { folder, user, [Symbol.dispose]: () => rmSync(user, { recursive: true, force: true }) };
}

export const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license: string;
    dependencies?: object;
    peerDependencies?: object;
    peerDependenciesMeta?: object;
    exports: Record<string, unknown>;
  };
