import { rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { clientBuild, consoleBuild } from './build/settings.ts';

/**
 * Builds the console and the scripts for pages of others: `node packages/build.ts [folder]`. The folder appears when
 * it is whole, and replaces an earlier one.
 */
async function buildInto(folder: string): Promise<void> {
  const unfinished = `${folder}.${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    await build(consoleBuild(join(unfinished, 'console')));
    const client = clientBuild(join(unfinished, 'client'));
    if (client) await build(client);
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

const { positionals } = parseArgs({ allowPositionals: true });
await buildInto(resolve(positionals[0] ?? join(dirname(import.meta.filename), 'dist')));
