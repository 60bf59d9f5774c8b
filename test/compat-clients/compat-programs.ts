import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compatFolder } from '../client/contract-stage.ts';

const modules = join(compatFolder, 'node_modules');
const isArm = process.arch === 'arm64';

/** The programs of the packages in `compat`, which are not installed by `npm test`. */
const PROGRAMS = {
  node22: `node-linux-${isArm ? 'arm64' : 'x64'}/bin/node`,
  deno: `@deno/linux-${isArm ? 'arm64' : 'x64'}-glibc/deno`,
  bun: `@oven/bun-linux-${isArm ? 'aarch64' : 'x64'}/bin/bun`,
  workerd: `@cloudflare/workerd-linux-${isArm ? 'arm64' : '64'}/bin/workerd`,
  tsc: 'typescript/bin/tsc',
  openapiTypescript: 'openapi-typescript/bin/cli.js',
  openapiTs: '@hey-api/openapi-ts/bin/run.js',
};

/** The path of a program. */
export function programOf(name: keyof typeof PROGRAMS): string {
  const path = join(modules, PROGRAMS[name]);
  if (!existsSync(path)) throw new Error(`${path} is missing: run "npm ci" in the folder compat.`);
  return path;
}

/** Runs a program and returns its output. */
export async function run(
  file: string,
  args: string[],
  options: { cwd: string; env?: Record<string, string> },
): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', ...options.env };
  const { stdout } = await promisify(execFile)(file, args, {
    cwd: options.cwd,
    env,
    maxBuffer: 2 ** 26,
    // A program that hangs fails with what it has written.
    timeout: 300_000,
  }).catch((error: { stdout: string; stderr: string; message: string }) => {
    throw new Error(`${error.message}\n${error.stdout}${error.stderr}`);
  });
  return stdout;
}
