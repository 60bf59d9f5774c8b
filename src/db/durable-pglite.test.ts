import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DataDirInUse, lockDataDir } from './data-dir.ts';
import { openPglite } from './durable-pglite.ts';

test('every commit of the embedded database syncs its files', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'redpen-pg-'));
  let syncs = 0;
  const pglite = await openPglite(dir, () => {
    syncs += 1;
  });
  try {
    await pglite.exec('create table t (n int)');
    const before = syncs;
    for (let n = 0; n < 20; n++) await pglite.query('insert into t values ($1)', [n]);
    expect(syncs - before).toBeGreaterThanOrEqual(20);
  } finally {
    await pglite.close();
    rmSync(dir, { recursive: true });
  }
});

test('a data directory is held by one process, and by the next once that let go', () => {
  const dir = mkdtempSync(join(tmpdir(), 'redpen-lock-'));
  const lock = lockDataDir(dir);
  expect(() => lockDataDir(dir)).toThrow(DataDirInUse);
  lock.release();
  lockDataDir(dir).release();
  rmSync(dir, { recursive: true });
});
