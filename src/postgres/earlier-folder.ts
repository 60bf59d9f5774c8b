import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where earlier versions kept their database, of PGlite. */
export const EARLIER_FOLDER = 'pg';

/**
 * Throws where a data folder still holds the database of an earlier version, and names the command that carries it
 * over. That renames the folder at its end, so that a run that was broken off leads here again.
 */
export function refuseEarlierFolder(dataDir: string): void {
  if (!existsSync(join(dataDir, EARLIER_FOLDER, 'PG_VERSION'))) return;
  throw new Error(
    `${join(dataDir, EARLIER_FOLDER)} holds a database of an earlier version of Redpen. Carry it over once with: npm run redpen -- db carry-over`,
  );
}
