import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Everything that a build reads: the packages, what they may import of the source, and the versions of the libraries. */
const FOLDERS = [
  'packages/build',
  'packages/client/src',
  'packages/elements',
  'packages/console',
  'src/lib',
  'src/report',
  'src/shapes',
];
const FILES = ['packages/build.ts', 'package-lock.json'];
const IS_TEST = /\.test\.tsx?$/;

/** A hash of all inputs of a build, which is the same on all machines. */
export async function hashBuildInputs(root: string): Promise<string> {
  const listed = await Promise.all(FOLDERS.map((folder) => filesIn(root, folder)));
  const paths = [...FILES, ...listed.flat()].sort();
  const hash = createHash('sha256');
  const contents = await Promise.all(paths.map((path) => readFile(join(root, path))));
  for (const [index, path] of paths.entries()) {
    const content = contents[index]!;
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
}

async function filesIn(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !IS_TEST.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/[\\/](?:node_modules|dist)[\\/]/.test(path));
}
