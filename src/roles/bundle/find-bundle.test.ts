import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { bundlesOf, findBundled, hashInputs } from './find-bundle.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A project of two files, whose bundler is a script that a test writes. */
function makeProject(bundler?: string) {
  const root = mkdtempSync(join(tmpdir(), 'redpen-bundle-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('src/run-service.ts', 'service');
  write('src/part.ts', 'part');
  if (bundler !== undefined) {
    write('node_modules/rolldown/package.json', '{}');
    write('tools/build-bundle.ts', bundler);
  }
  const inputs = ['src/part.ts', 'src/run-service.ts'];
  const record = () => {
    const hash = hashInputs(root, inputs);
    write(join('node_modules/.cache/redpen-bundle', hash, 'run-service.mjs'), '');
    write('node_modules/.cache/redpen-bundle/current.json', JSON.stringify({ root, inputs, hash }));
    return pathToFileURL(join(bundlesOf(root), hash, 'run-service.mjs')).href;
  };
  const warnings: string[] = [];
  const find = () => findBundled('run-service', root, (reason) => void warnings.push(reason));
  return { root, write, record, find, warnings };
}

test('a bundle serves until one of its sources changes, and again once the change is undone', async () => {
  const { find, record, write, warnings } = makeProject();
  expect(await find()).toBeUndefined();
  const address = record();
  expect(await find()).toBe(address);
  write('src/part.ts', 'other');
  expect(await find()).toBeUndefined();
  write('src/part.ts', 'part');
  expect(await find()).toBe(address);
  expect(warnings).toEqual([]);
});

test('a bundle of another folder is not used', async () => {
  const { root, find, record } = makeProject();
  record();
  const file = join(bundlesOf(root), 'current.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(root, '/elsewhere'));
  expect(await find()).toBeUndefined();
});

test('a bundle that cannot be built is named, and the program runs from its sources', async () => {
  const { find, warnings } = makeProject("throw new Error('The bundler is broken.');");
  expect(await find()).toBeUndefined();
  expect(warnings).toEqual([
    expect.stringMatching(
      /^Redpen runs from its sources, .* cannot be bundled: [\s\S]*The bundler is broken\./,
    ),
  ]);
});

test('a changed project is bundled before its program starts', async () => {
  const { root, find } = makeProject(`
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { hashInputs } from ${JSON.stringify(join(import.meta.dirname, 'find-bundle.ts'))};
    const root = import.meta.dirname.slice(0, -'/tools'.length);
    const inputs = ['src/part.ts'];
    const hash = hashInputs(root, inputs);
    mkdirSync(root + '/node_modules/.cache/redpen-bundle/' + hash, { recursive: true });
    writeFileSync(root + '/node_modules/.cache/redpen-bundle/current.json', JSON.stringify({ root, inputs, hash }));
  `);
  const folder = join(bundlesOf(root), hashInputs(root, ['src/part.ts']));
  expect(await find()).toBe(pathToFileURL(join(folder, 'run-service.mjs')).href);
});

test('the bundle of this project holds all of its modules, and prints what the sources print', async () => {
  const address = await findBundled('run-command');
  const record = JSON.parse(readFileSync(join(bundlesOf(ROOT), 'current.json'), 'utf8'));
  expect(record.inputs).toEqual(expect.arrayContaining(['src/boot.ts', 'src/http/server/server.ts']));
  expect(record.inputs.filter((input: string) => /\.test\.ts$|^test\//.test(input))).toEqual([]);
  const print = (file: string) =>
    execFileSync(process.execPath, [file, 'keys', '--help'], { encoding: 'utf8' });
  expect(print(fileURLToPath(address!))).toBe(print(join(ROOT, 'src/run-command.ts')));
});
