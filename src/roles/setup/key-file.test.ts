import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { judgeAccess, parseKeys, readKeyFile } from './key-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'redpen-key-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SETTING = 'REDPEN_MASTER_KEY_FILE';
const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const lines = (...keys: Buffer[]) => keys.map((key) => `${key.toString('base64')}\n`).join('');

test('a file has the current key in its first line and earlier ones below', () => {
  expect(parseKeys(`\n ${first.toString('base64')} \r\n\n${second.toString('base64url')}`, 'F')).toEqual([
    first,
    second,
  ]);
});

test.each([
  ['', 'F contains no key'],
  ['hunter2', 'F: line 1 is not base64 of exactly 32 bytes.'],
  [`${lines(first)}${first.toString('base64')}x`, 'F: line 2 is not base64 of exactly 32 bytes.'],
  [lines(Buffer.alloc(33, 1)), 'F: line 1 is not base64 of exactly 32 bytes.'],
  [lines(Buffer.alloc(32)), 'F: the key in line 1 is not random.'],
])('the text %j is refused, and not repeated', (text, message) => {
  let said = '';
  try {
    parseKeys(text, 'F');
  } catch (error) {
    said = (error as Error).message;
  }
  expect(said).toContain(message);
  expect(said).not.toMatch(/hunter2|AQEB/);
});

test('a private file is read, also through links as Kubernetes makes them', () => {
  const versions = join(folder, '..2026');
  mkdirSync(versions);
  writeFileSync(join(versions, 'key'), lines(first, second), { mode: 0o400 });
  symlinkSync('..2026', join(folder, '..data'));
  symlinkSync('..data/key', join(folder, 'key'));
  expect(readKeyFile(join(folder, 'key'), SETTING)).toEqual([first, second]);
});

test('a file that is missing, a folder, or open to others is refused with its reason', () => {
  const open = join(folder, 'open');
  writeFileSync(open, lines(first));
  chmodSync(open, 0o644);
  expect(() => readKeyFile(join(folder, 'none'), SETTING)).toThrow(`${SETTING}: there is no file`);
  expect(() => readKeyFile(folder, SETTING)).toThrow('is not a file');
  expect(() => readKeyFile(open, SETTING)).toThrow('may be read by other users (mode 0644)');
});

const root = '21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw';
const kubernetes = `${root}\n90 21 0:60 / /run/my\\040keys ro,relatime - tmpfs tmpfs rw,size=4k`;
const docker = `${root}\n91 21 8:1 /srv/key /run/secrets/key rw,relatime - ext4 /dev/sda1 rw`;
const readOnlyImage = '21 1 8:1 / / ro,relatime shared:1 - overlay overlay rw';
const memory = `${root}\n30 21 0:25 / /run rw,nosuid - tmpfs tmpfs rw`;

const REFUSED = /may be (read|changed) by other users/;

test.each([
  // owner, mode, path, mounts, refused
  [1000, 0o600, '/etc/key', root, false],
  [1000, 0o400, '/etc/key', root, false],
  [1000, 0o640, '/etc/key', root, true],
  [1000, 0o444, '/run/my keys/key', kubernetes, true],
  [0, 0o640, '/etc/key', root, false],
  [0, 0o660, '/etc/key', root, true],
  [0, 0o444, '/etc/key', root, true],
  [0, 0o444, '/run/my keys/key', kubernetes, false],
  [0, 0o644, '/run/my keys/..2026/key', kubernetes, false],
  [0, 0o646, '/run/my keys/key', kubernetes, true],
  [0, 0o444, '/run/secrets/key', docker, false],
  [0, 0o444, '/run/secrets/key2', docker, true],
  [0, 0o444, '/etc/key', readOnlyImage, true],
  [0, 0o444, '/run/key', memory, true],
  [0, 0o444, '/run/secrets/key', '', true],
])('a file of user %i with mode %o at %s', (uid, mode, path, mounts, isRefused) => {
  const found = judgeAccess({ uid, mode: 0o100_000 | mode }, { path, self: 1000, mounts });
  if (isRefused) expect(found).toMatch(REFUSED);
  else expect(found).toBeUndefined();
  expect(judgeAccess({ uid, mode }, { path, self: undefined, mounts })).toBeUndefined();
});
