import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDatabase } from '../new-database.ts';

/**
 * Creates a database with no rows and a folder for the files of a service. Adds their removal to `cleanUp`, which the
 * caller runs in reverse order.
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
