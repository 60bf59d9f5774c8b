import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the PGlite database of earlier versions. */
export const PGLITE_FOLDER = 'pg';

/**
 * Throws if a data folder still has the database of an earlier version, with the command that carries it over. That
 * command renames the folder at its end, so an interrupted run leads here again.
 */
export function refusePgliteFolder(dataDir: string): void {
  if (!existsSync(join(dataDir, PGLITE_FOLDER, 'PG_VERSION'))) return;
  throw new Error(
    `${join(dataDir, PGLITE_FOLDER)} contains a database of an earlier version of Redpen. Carry it over once with: npm run redpen -- db carry-over`,
  );
}
