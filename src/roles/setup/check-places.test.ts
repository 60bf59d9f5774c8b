import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { checkPlaces } from './check-places.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'redpen-places-'));
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'made'));
  symlinkSync('/nowhere-at-all', join(folder, 'link'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const check = (env: Record<string, string>) =>
  checkPlaces(readConfig({ REDPEN_DATA_DIR: join(folder, 'made'), ...env }));

test('folders that exist or can be created are accepted, and the check leaves nothing behind', () => {
  const before = readdirSync(folder, { recursive: true });
  const blobs = pathToFileURL(join(folder, 'a/b c')).href;
  expect(check({ REDPEN_DATA_DIR: join(folder, 'deep/er'), REDPEN_BLOB_URL: blobs })).toEqual([]);
  expect(check({ CHROME_PATH: process.execPath })).toEqual([]);
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});

test.each([
  ['file', 'must be a folder, and there is a file'],
  ['file/below', /^must be a folder that can be made, and .*\/file is a file$/],
  ['link', 'must be a folder, and there is a file'],
])('a data folder at %s is refused', (path, rule) => {
  const value = join(folder, path);
  expect(check({ REDPEN_DATA_DIR: value })).toEqual([
    {
      setting: 'REDPEN_DATA_DIR',
      value,
      rule: typeof rule === 'string' ? rule : expect.stringMatching(rule),
    },
  ]);
});

test.runIf(process.platform === 'linux')(
  'folders that cannot be created or written to are refused (using /proc)',
  () => {
    expect(check({ REDPEN_BLOB_URL: 'file:///proc/nope' })).toEqual([
      {
        setting: 'REDPEN_BLOB_URL',
        value: 'file:///proc/nope',
        rule: expect.stringMatching(
          /^must be a folder that can be made, and nothing can be made in \/proc \(E\w+\)$/,
        ),
      },
    ]);
    expect(check({ REDPEN_DATA_DIR: '/proc/self' })).toEqual([
      {
        setting: 'REDPEN_DATA_DIR',
        value: '/proc/self',
        rule: expect.stringMatching(/^must be a folder that Redpen can write to, and it may not \(E\w+\)$/),
      },
    ]);
  },
);

test('a program that is missing, a folder or not executable is refused', () => {
  const plain = join(folder, 'file');
  chmodSync(plain, 0o600);
  const rules = [join(folder, 'nochrome'), folder, plain].map(
    (path) => check({ CHROME_PATH: path })[0]?.rule,
  );
  expect(rules).toEqual([
    'must be the path of a program, and there is nothing',
    'must be the path of a program, and it is a folder',
    'must be the path of a program, and this file may not be run',
  ]);
});

test('the data folder is not checked if it is not used', () => {
  const env = {
    REDPEN_DATA_DIR: join(folder, 'file'),
    DATABASE_URL: 'postgres://127.0.0.1/x',
    REDPEN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    REDPEN_BLOB_URL: 's3://bucket',
  };
  expect(check(env)).toEqual([]);
  expect(check({ ...env, REDPEN_MASTER_KEY: '' })).toHaveLength(1);
});
