import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { WebApp, WebState } from '../../http/console/web-app.ts';
import { hashBuildInputs } from './build-inputs.ts';
import { readBuiltFiles } from './built-files.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Loads the built packages, and builds them before if they have changed. */
export function prepareWeb(log: Logger, root = ROOT): WebApp & { start(): void } {
  let state: WebState | Promise<WebState> = { state: 'building' };
  const prepare = async (): Promise<WebState> => {
    const folder = join(root, 'node_modules/.cache/redpen-web', await hashBuildInputs(root));
    if (!existsSync(folder)) {
      state = { state: 'building' };
      await build(root, folder);
    }
    return { state: 'ready', files: await readBuiltFiles(folder) };
  };
  return {
    state: () => state,
    start() {
      const prepared = prepare().catch((error: Error): WebState => {
        log.error({ err: error }, 'the console cannot be built');
        return { state: 'failed', reason: error.message };
      });
      state = prepared;
      void prepared.then((result) => {
        state = result;
      });
    },
  };
}

async function build(root: string, folder: string): Promise<void> {
  await mkdir(join(folder, '..'), { recursive: true });
  const child = spawn(process.execPath, [join(root, 'packages/build.ts'), folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`The build ended with exit code ${code}.`);
}
