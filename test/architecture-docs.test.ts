import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

const filesIn = (folder: string, recursive: boolean) =>
  readdirSync(join(root, folder), { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const files = [
  ...filesIn('.', false),
  ...['src', 'test', 'examples', 'tools'].flatMap((folder) => filesIn(folder, true)),
  ...filesIn('bench', false),
  ...filesIn('compat', false),
  ...filesIn('packages', false),
];

/** A path may start at the root, at `src`, or at a folder that the text has just named. */
const pathExists = (path: string) => files.some((file) => file.endsWith(`/${path}`));

test('every file that docs/architecture.md names exists', () => {
  const named = [...page.matchAll(/(?<![\w./…-])[\w./-]+\.ts\b/g)].map(([path]) => path);
  expect(new Set(named).size).toBeGreaterThan(100);
  expect([...new Set(named)].filter((path) => !pathExists(path))).toEqual([]);
});

test('every folder that docs/architecture.md names exists', () => {
  const named = [...page.matchAll(/`((?:[\w-]+\/)+)`/g)].map(([, path]) => path!);
  expect(new Set(named).size).toBeGreaterThan(15);
  const isFolder = (path: string) => existsSync(join(root, 'src', path)) || existsSync(join(root, path));
  expect([...new Set(named)].filter((path) => !isFolder(path))).toEqual([]);
});
