import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type Lock, printNotice } from '../tools/notice.ts';

const root = resolve(import.meta.dirname, '..');
const json = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
const lock = json<Lock>('package-lock.json');

const withPackage = (path: string, entry: Lock['packages'][string]): Lock => ({
  packages: { ...lock.packages, [path]: entry },
});

// `npm run docs` updates the file.
test('NOTICE names every package that an installation contains, with its license', async () => {
  await expect(printNotice(lock)).toMatchFileSnapshot('../NOTICE');
});

test('a new package changes NOTICE, and one for development does not', () => {
  const path = 'node_modules/sharp/node_modules/new-package';
  expect(printNotice(withPackage(path, { license: 'MIT' }))).toContain('new-package');
  expect(printNotice(withPackage(path, { license: 'MIT', dev: true }))).not.toContain('new-package');
});

test.each([
  ['GPL-2.0-only', 'The license of new-package is not known to tools/notice.ts: GPL-2.0-only.'],
  ['SEE LICENSE IN LICENSE.md', 'The license of new-package is not known'],
  ['MIT AND GPL-2.0-only', 'The license of new-package is not known'],
  [undefined, 'new-package states no license'],
])('a package with the license %s needs a decision', (license, message) => {
  const entry = license === undefined ? {} : { license };
  expect(() => printNotice(withPackage('node_modules/new-package', entry))).toThrow(message);
});

test('a choice with a permissive license needs none', () => {
  const choice = withPackage('node_modules/new-package', { license: '(GPL-2.0-only OR MIT)' });
  expect(printNotice(choice)).toContain('GPL-2.0-only OR MIT (1)\n  new-package\n');
});

test('a remark on a package that is gone is reported', () => {
  const { 'node_modules/axe-core': _, ...packages } = lock.packages;
  expect(() => printNotice({ packages })).toThrow('a remark on axe-core, which is not installed');
});

test('the installed packages state the licenses of the lockfile', () => {
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) =>
      path.includes('node_modules/') && !dev && !link && existsSync(join(root, path, 'package.json')),
  );
  expect(installed.length).toBeGreaterThan(100);
  const stated = installed.map(([path]) => [
    path,
    json<{ license?: string }>(`${path}/package.json`).license,
  ]);
  expect(stated).toEqual(installed.map(([path, { license }]) => [path, license]));
});
