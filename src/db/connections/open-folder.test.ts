import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './connect.ts';

test('an open data folder is closed before the database opens in it, and the database works', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-open-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  chmodSync(dataDir, 0o755);
  const key = join(dataDir, 'master.key');
  writeFileSync(key, 'x');
  chmodSync(key, 0o666);
  const lines: string[] = [];
  const log = {
    debug: () => {},
    info: () => {},
    warn: (_: object, message: string) => void lines.push(message),
    error: () => {},
  };
  const database = await openDatabase({ dataDir, log, onError: () => {} });
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.db);
  await database.close();
  expect(rows).toEqual([{ one: 1 }]);
  expect([dataDir, key].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['700', '600']);
  expect(lines).toContain(
    'The data folder was open to other users of the machine and has been closed to them',
  );
});
