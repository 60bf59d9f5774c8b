import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { randomId } from '../../src/lib/ids.ts';

/**
 * An empty database of its own: of the server that the suite runs on, or embedded. What is to be done in the end
 * is added to `cleanUp`, the last first.
 */
export async function ownDatabase(cleanUp: (() => Promise<unknown> | unknown)[]): Promise<{
  env: Record<string, string>;
  dataDir: string;
  databaseUrl: string | undefined;
}> {
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-kill-'));
  cleanUp.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const suiteUrl = process.env.DATABASE_URL;
  if (!suiteUrl) return { env: { REDPEN_DATA_DIR: dataDir }, dataDir, databaseUrl: undefined };
  const name = `redpen_kill_${randomId(10).toLowerCase()}`;
  const admin = new pg.Client({ connectionString: suiteUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  cleanUp.push(
    () => admin.end(),
    () => admin.query(`drop database ${name} with (force)`),
  );
  const url = new URL(suiteUrl);
  url.pathname = `/${name}`;
  return { env: { REDPEN_DATA_DIR: dataDir, DATABASE_URL: url.href }, dataDir, databaseUrl: url.href };
}
