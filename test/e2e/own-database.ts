import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDatabase } from '../new-database.ts';

/**
 * A database of its own with no row in it, and a folder for what a service keeps in files. What is to be done in the
 * end is added to `cleanUp`, the last first.
 */
export async function ownDatabase(cleanUp: (() => Promise<unknown> | unknown)[]): Promise<{
  env: Record<string, string>;
  databaseUrl: string;
}> {
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-kill-'));
  cleanUp.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const { url, drop } = await newDatabase();
  cleanUp.push(drop);
  return { env: { REDPEN_DATA_DIR: dataDir, DATABASE_URL: url }, databaseUrl: url };
}
