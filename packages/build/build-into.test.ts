import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashBuildInputs } from '../../src/roles/web/build-inputs.ts';
import { consoleSettings, repository, SCRIPTS } from './settings.ts';

let work: string;
let folder: string;

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'redpen-build-'));
  folder = join(work, 'built');
  const child = spawn(process.execPath, [join(repository, 'packages/build.ts'), folder], {
    cwd: work,
    env: { NO_COLOR: '1', NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  // A warning of the bundler is a fault that waits for its users.
  expect({ code, output }).toEqual({ code: 0, output: '' });
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const textOf = (path: string) => readFileSync(join(folder, path), 'utf8');
const built = () => globSync('**/*.*', { cwd: folder }).sort();

test('a build has a page, hashed files and scripts with fixed names, and says what it was made from', async () => {
  expect(built().filter((path) => /^[^/]+\/[^/]+\.(?:html|js)$/.test(path))).toEqual([
    ...[...SCRIPTS.keys()].map((name) => `client/${name}.js`).sort(),
    'console/index.html',
  ]);
  for (const path of built().filter((path) => path.includes('/assets/')))
    expect(path).toMatch(/-[\w-]{8}\.(?:js|css|svg|webp|woff2)(?:\.br|\.gz)?$/);
  expect(textOf('inputs').trim()).toBe(await hashBuildInputs(repository));
  // Nothing of the build itself is left beside the folder.
  expect(globSync('*', { cwd: work })).toEqual(['built']);
});

test('the page has no script or style in it, and a place for the nonce', () => {
  const html = textOf('console/index.html');
  expect(html).toMatch(/<script type="module" async [^>]*early-session/);
  expect(html).toContain('<meta property="csp-nonce" nonce="redpen-nonce">');
  expect(html).toMatch(/<script type="module" crossorigin src="\/console\/assets\/[\w-]+\.js"><\/script>/);
  expect(html).not.toMatch(/<script[^>]*>[^<]|<style|style=|\son\w+=|https?:/);
});

test('React is built for production, and no address of this machine is in a file', () => {
  for (const path of built().filter((path) => /\.(?:js|css)$/.test(path))) {
    const text = textOf(path);
    expect(text).not.toContain(repository);
    expect(text).not.toMatch(/sourceMappingURL|jsxDEV/);
    expect(text).not.toContain('react-dom-client.development.js');
  }
});

test('every text has copies for the encodings of browsers, which contain the same', () => {
  const texts = built().filter((path) => /\.(?:js|css|txt)$/.test(path) && textOf(path).length > 1_000);
  expect(texts.length).toBeGreaterThan(1);
  for (const path of texts) {
    const bytes = readFileSync(join(folder, path));
    expect(brotliDecompressSync(readFileSync(join(folder, `${path}.br`)))).toEqual(bytes);
    expect(gunzipSync(readFileSync(join(folder, `${path}.gz`)))).toEqual(bytes);
  }
});

test('the licenses of all libraries come with the files', () => {
  const text = textOf('console/licenses.txt');
  for (const name of ['react', 'react-dom', 'scheduler'])
    expect(text).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)\\n\\nMIT License\\n\\nCopyright`, 'm'));
  expect(text).not.toContain('@redpen/');
  const withoutText = text.split('-'.repeat(80)).filter((part) => part.trim().split('\n').length < 3);
  expect(withoutText.length).toBeLessThanOrEqual(1);
});

test('the files of each page are listed, and are few', () => {
  const pages = Object.entries(JSON.parse(textOf('console/pages.json')) as Record<string, string[]>);
  const first = new Set(scriptsOfPage());
  expect(pages.map(([path]) => path)).toEqual(
    expect.arrayContaining(['/', '/reviews/$reviewId', '/settings']),
  );
  for (const [path, names] of pages) {
    const files = names.map((name) => `console/${name}`);
    for (const file of files) expect(existsSync(join(folder, file)), file).toBe(true);
    expect(files.filter((file) => first.has(file))).toEqual([]);
    // A browser asks for six at a time.
    expect([path, files.filter((file) => file.endsWith('.js')).length <= 12]).toEqual([path, true]);
  }
});

const scriptsOfPage = () =>
  [...textOf('console/index.html').matchAll(/src="\/(console\/assets\/[\w-]+\.js)"/g)].map(
    ([, path]) => path!,
  );

const STATIC = /(?:from|import)\s*["'`](\.[^"'`]+)["'`]/g;
const STATIC_OR_LAZY = /(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)["'`]/g;

/** The files that a script imports, itself included. */
function loadedFiles(entry: string, imports: RegExp, files = new Set<string>()): Set<string> {
  if (files.has(entry)) return files;
  files.add(entry);
  for (const [, name] of textOf(entry).matchAll(imports))
    loadedFiles(join(entry, '..', name!), imports, files);
  return files;
}

/** Bytes of files over the network. */
const bytesOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, path) => {
    const gzipped = join(folder, `${path}.gz`);
    return sum + readFileSync(existsSync(gzipped) ? gzipped : join(folder, path)).length;
  }, 0);

test('the first page of the console and the overlay stay small', () => {
  const scripts = scriptsOfPage();
  expect(scripts.length).toBeGreaterThan(1);
  const files = new Set<string>();
  for (const script of scripts) loadedFiles(script, STATIC, files);
  expect(bytesOf(files)).toBeLessThan(150_000);
  expect(bytesOf(loadedFiles('client/overlay.js', STATIC))).toBeLessThan(24_000);
});

test('the overlay stays small with all that it may load later, and loads no elements', () => {
  const files = [...loadedFiles('client/overlay.js', STATIC_OR_LAZY)];
  const locales = files.filter((path) => /assets\/(?:ar|de|es|fr|ja)-/.test(path));
  expect(locales).toHaveLength(5);
  const others = files.filter((path) => !locales.includes(path));
  const largest = Math.max(...locales.map((path) => bytesOf([path])));
  expect(bytesOf(others) + largest).toBeLessThan(55_000);
  expect(others.map(textOf).join('')).not.toContain('customElements.define');
});

test('a module of Node in a page is refused, and not replaced by an empty one', async () => {
  const root = join(work, 'page');
  rmSync(root, { recursive: true, force: true });
  const { mkdirSync } = await import('node:fs');
  mkdirSync(root);
  writeFileSync(join(root, 'index.html'), '<script type="module" src="/main.ts"></script>');
  writeFileSync(join(root, 'main.ts'), "import { readFile } from 'node:fs';\nreadFile('x', () => {});\n");
  const building = build({ ...consoleSettings(join(root, 'built')), root, logLevel: 'silent' });
  await expect(building).rejects.toThrow('main.ts imports node:fs, which browsers do not have.');
});
