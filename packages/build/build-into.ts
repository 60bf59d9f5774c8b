import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { hashBuildInputs } from '../../src/roles/web/build-inputs.ts';
import { compressFiles } from './compress-files.ts';
import { consoleSettings, repository, SCRIPTS, scriptSettings } from './settings.ts';

/** Builds everything into a folder, which appears when it is whole and replaces an earlier one. */
export async function buildInto(folder: string): Promise<void> {
  const unfinished = `${folder}.${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    const inputs = await hashBuildInputs(repository);
    await build(consoleSettings(join(unfinished, 'console')));
    if (SCRIPTS.size > 0) await build(scriptSettings(join(unfinished, 'client')));
    await compressFiles(unfinished);
    await writeFile(join(unfinished, 'inputs'), `${inputs}\n`);
    await replaceFolder(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function replaceFolder(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  try {
    await rename(from, to);
  } catch (error) {
    // Another process has built the same in the meantime.
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
