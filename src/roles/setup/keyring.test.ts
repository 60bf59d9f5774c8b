import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { keyLines, replaceKeys, storeBeside } from './keyring.ts';

const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const newFile = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'redpen-keyring-')));
  const path = join(folders.at(-1)!, 'keys');
  writeFileSync(path, keyLines(keys), { mode: 0o640 });
  return path;
};

const ownerOf = (path: string) => {
  const { uid, gid, mode } = statSync(path);
  return [uid, gid, mode & 0o777];
};

// Only root may give files to others.
test.runIf(process.getuid?.() === 0).each([
  ['another user', 1234, 1235],
  ['root, and a group that reads it', 0, 1235],
])('a replaced file still belongs to %s', (_who, uid, gid) => {
  const path = newFile();
  chownSync(path, uid, gid);
  replaceKeys(path, [keys[1]!]);
  expect([readFileSync(path, 'utf8'), ownerOf(path)]).toEqual([keyLines([keys[1]!]), [uid, gid, 0o640]]);
  const stored = storeBeside(path, '.earlier-1', [keys[0]!]);
  expect([readFileSync(stored, 'utf8'), ownerOf(stored)]).toEqual([keyLines([keys[0]!]), [uid, gid, 0o600]]);
});

test('keys are stored beside a file once, and never over other keys', () => {
  const path = newFile();
  const stored = storeBeside(path, '.earlier-1', [keys[0]!]);
  expect(storeBeside(path, '.earlier-1', [keys[0]!])).toBe(stored);
  expect(() => storeBeside(path, '.earlier-1', [keys[1]!])).toThrow('is there already and has other keys');
  expect(readFileSync(stored, 'utf8')).toBe(keyLines([keys[0]!]));
  expect(readdirSync(join(path, '..'))).toEqual(['keys', 'keys.earlier-1']);
});
