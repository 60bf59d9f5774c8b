import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

interface Lock {
  packages: Record<string, { name?: string; dependencies?: Record<string, string> }>;
}
interface Manifest {
  overrides?: Record<string, Record<string, string>>;
}

const root = resolve(import.meta.dirname, '..');
const json = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;

/** The dependencies that a lockfile states by a tag such as `latest`, without an exact version in `overrides`. */
function floating(path: string): string[] {
  const { overrides = {} } = json<Manifest>(join(dirname(path), 'package.json'));
  return Object.entries(json<Lock>(path).packages).flatMap(([folder, { dependencies = {} }]) => {
    const parent = folder.split('node_modules/').at(-1)!;
    return Object.entries(dependencies)
      .filter(([, range]) => /^[a-z]+$/i.test(range) && range !== 'x')
      .filter(([name]) => !/^\d+\.\d+\.\d+/.test(overrides[parent]?.[name] ?? ''))
      .map(([name, range]) => `${parent} depends on ${name}@${range}`);
  });
}

// Lockfiles that omit registry addresses do not hold such a version: after the next release of the dependency,
// npm ci refuses the lockfile as out of date.
test('every lockfile stays valid after a new release of any dependency', () => {
  const paths = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  expect(paths).toContain('package-lock.json');
  expect(paths.flatMap((path) => floating(path).map((found) => `${path}: ${found}`))).toEqual([]);
});
