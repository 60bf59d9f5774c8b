import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDatabase } from '../database/new-database.ts';
import { atEnd } from '../run/at-end.ts';

/**
 * Creates a database with no rows and a folder for the files of a service. They are removed at the end of the test, or of its
 * file; or with `cleanUp`, which the caller runs in reverse order.
 */
export async function ownDatabase(cleanUp?: (() => Promise<unknown> | unknown)[]): Promise<{
  env: Record<string, string>;
  databaseUrl: string;
}> {
  const end = (step: () => Promise<unknown> | unknown) => (cleanUp ? void cleanUp.push(step) : atEnd(step));
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-kill-'));
  end(() => rmSync(dataDir, { recursive: true, force: true }));
  const { url, drop } = await newDatabase();
  end(drop);
  return { env: { REDPEN_DATA_DIR: dataDir, DATABASE_URL: url }, databaseUrl: url };
}
