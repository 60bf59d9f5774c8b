import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DataDirInUse, lockDataDir } from './data-dir.ts';
import { identityOf } from './process-identity.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const write = (folder: string, lock: object) => writeFileSync(join(folder, 'lock'), JSON.stringify(lock));

test('only one process at a time can lock a data directory', () => {
  const folder = newFolder();
  const lock = lockDataDir(folder);
  expect(() => lockDataDir(folder)).toThrow(DataDirInUse);
  expect(() => lockDataDir(folder)).toThrow(`is in use by process ${process.pid}`);
  lock.release();
  lockDataDir(folder).release();
});

test.each([
  ['of a process that ended', { pid: 2 ** 22 + 1, startedAt: 'long ago' }],
  ['of another process with the same process id', { ...identityOf(process.pid), startedAt: 'before' }],
  ['without content', {}],
])('a lock %s is taken over', (_, lock) => {
  const folder = newFolder();
  write(folder, lock);
  lockDataDir(folder).release();
});

test('the lock of another container is respected while it is renewed, although its process is not visible', () => {
  const folder = newFolder();
  write(folder, { pid: 1, startedAt: 'there', namespace: 'pid:[1]' });
  expect(() => lockDataDir(folder)).toThrow(DataDirInUse);
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(join(folder, 'lock'), longAgo, longAgo);
  const lock = lockDataDir(folder);
  expect(JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')).pid).toBe(process.pid);
  lock.release();
});

test('a folder that cannot be created is reported with what to do', () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  expect(() => lockDataDir(join(file, 'data'))).toThrow(
    /^The data directory .*file\/data cannot be made \(ENOTDIR: .*\)\. Let Redpen .* or set REDPEN_DATA_DIR to another folder\.$/,
  );
});
