import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { lowerPriority } from '../../lib/threads/low-priority.ts';

const WITHIN_MS = 300_000;
const MAX_OUTPUT = 8_000;

/** Why there is no console: a sentence, and what the build printed. */
export class BuildFailed extends Error {
  readonly output: string | undefined;

  constructor(message: string, { output, ...options }: ErrorOptions & { output?: string } = {}) {
    super(message, options);
    this.name = 'BuildFailed';
    this.output = output;
  }
}

/** Builds the packages into a folder, in a process of low priority. */
export async function runBuild(root: string, folder: string, signal: AbortSignal): Promise<void> {
  if (!existsSync(join(root, 'node_modules/vite/package.json'))) {
    throw new BuildFailed('The packages that build the console are not installed. Run npm ci in the folder.');
  }
  const child = spawn(process.execPath, [join(root, 'packages/build.ts'), folder], {
    cwd: root,
    // The settings of the service are none of its business.
    env: { NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: WITHIN_MS,
    signal,
  });
  lowerPriority(child.pid);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-MAX_OUTPUT);
    });
  }
  const [code, end] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...ended) => resolve(ended));
  });
  if (code === 0) return;
  // The page that shows the output is public.
  const shown = stripVTControlCharacters(output).replaceAll(root.replace(/\/$/, ''), '').trim();
  throw new BuildFailed(`The build of the console ended with ${end ?? `exit code ${code}`}.`, {
    output: shown,
  });
}
