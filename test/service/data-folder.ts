import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODE_COMPILE_CACHE } from '../run/compile-cache.ts';
import { until } from '../run/until.ts';

const MAKER = join(import.meta.dirname, '../../src/roles/commands/review/make-template.ts');

/**
 * Copies a database with all tables and no rows into a data folder that is missing or empty: a first start that makes one
 * takes twice the processor time. Outside of a run of the tests, and for all other folders, does nothing.
 */
export async function fillDataFolder(dataDir: string): Promise<void> {
  const template = process.env.SUITE_DATA_TEMPLATE;
  if (template === undefined || (existsSync(dataDir) && readdirSync(dataDir).length > 0)) return;
  cpSync(await make(template), dataDir, { recursive: true });
}

/** Makes the template, or waits until the other process that has begun to make it has done so. */
async function make(template: string): Promise<string> {
  const draft = `${template}.draft`;
  if (existsSync(template)) return template;
  try {
    mkdirSync(draft);
  } catch {
    await until(() => existsSync(template) || !existsSync(draft));
    return await make(template);
  }
  try {
    // The other process may have finished after the first look.
    if (existsSync(template)) return template;
    await promisify(execFile)(process.execPath, [MAKER, draft], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE },
    });
    // With its settings, which give up durability, a killed server would lose what it has acknowledged.
    rmSync(join(draft, 'postgres', 'local.conf'));
    renameSync(draft, template);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return template;
}
