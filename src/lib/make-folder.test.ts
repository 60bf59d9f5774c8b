import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'make-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('creates a folder and its parents, even for many concurrent calls, and keeps the mode of an existing folder', async () => {
  const path = join(newFolder(), 'a', 'b', 'c');
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(path, 0o700)));
  expect(statSync(path).mode & 0o777).toBe(0o700);
  chmodSync(path, 0o500);
  await makeFolder(path, 0o700);
  expect(statSync(path).mode & 0o777).toBe(0o500);
});

test('fails with the code of a file in the way', async () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  await expect(makeFolder(file, 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(file, 'a', 'b'), 0o700)).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test.runIf(process.platform === 'linux')(
  'fails if the system denies a folder in an existing parent',
  async () => {
    await expect(makeFolder('/proc/not-there/a/b', 0o700)).rejects.toMatchObject({ code: 'ENOENT' });
  },
);
