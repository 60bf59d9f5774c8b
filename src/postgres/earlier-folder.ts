import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasDatabase } from './engine.ts';

/** Where earlier versions kept their database, of PGlite. */
export const EARLIER_FOLDER = 'pg';

/** Throws where a data folder holds the database of an earlier version alone, and names the command that carries it over. */
export function refuseEarlierFolder(dataDir: string): void {
  if (hasDatabase(dataDir) || !existsSync(join(dataDir, EARLIER_FOLDER, 'PG_VERSION'))) return;
  throw new Error(
    `${join(dataDir, EARLIER_FOLDER)} holds a database of an earlier version of Redpen. Carry it over once with: npm run redpen -- db carry-over`,
  );
}
