import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { installReaderPackages, provideReaderPackages, READER_FOLDER } from './reader-packages.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-reader-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test('without a working npm, the operator gets instructions for installing by hand', async () => {
  const folder = join(newFolder(), 'reader');
  const lines: string[] = [];
  const install = (env: NodeJS.ProcessEnv) => installReaderPackages(folder, env, (line) => lines.push(line));
  await expect(install({ PATH: '' })).rejects.toThrow(
    `cannot be installed: there is no npm on the PATH. Run \`npm ci\` in ${folder} by hand`,
  );
  expect(lines).toEqual([expect.stringContaining(`in ${folder}: npm ci`)]);
  expect(readFileSync(join(folder, 'package.json'))).toEqual(
    readFileSync(join(READER_FOLDER, 'package.json')),
  );

  const bin = newFolder();
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho "npm error network $*" >&2\nexit 7\n');
  chmodSync(join(bin, 'npm'), 0o755);
  await expect(install({ PATH: bin })).rejects.toThrow('npm exited with code 7: npm error network ci.');
  const options = { folder, env: {}, onProgress: () => {} };
  await expect(provideReaderPackages({ ...options, operatorFolder: bin })).rejects.toThrow(
    'run `npm ci` in a copy of',
  );
  expect(await provideReaderPackages({ ...options, operatorFolder: ROOT })).toBe(ROOT);
});
