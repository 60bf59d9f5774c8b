import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as TypesChecker from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, test } from 'vitest';
import { version } from '../../src/lib/version.ts';
import { builtPackage, manifestOf, repository } from './built-package.ts';
import { packageFolder, sizesOf } from './bundled.ts';

// Vitest loads packages with the condition `development`, for which this one has TypeScript, which Node does not strip there.
const { checkPackage, Package } = (await import(
  pathToFileURL(join(repository, 'node_modules/@arethetypeswrong/core/dist/index.js')).href
)) as typeof TypesChecker;

const manifest = manifestOf(packageFolder);
const source = join(packageFolder, 'src');

test('the package has the version and the licence of the service, and no dependencies but optional peers', () => {
  expect(manifest).toMatchObject({ name: '@redpen/client', version, license: 'Apache-2.0' });
  expect(manifest.dependencies).toBeUndefined();
  // Whoever opens no editors needs none of them.
  const peers = Object.keys(manifest.peerDependencies ?? {});
  expect(peers).toEqual(['@hocuspocus/provider', 'yjs']);
  expect(manifest.peerDependenciesMeta).toEqual(
    Object.fromEntries(peers.map((name) => [name, { optional: true }])),
  );
  const [own, ours] = [packageFolder, repository].map((folder) =>
    readFileSync(join(folder, 'LICENSE'), 'utf8'),
  );
  expect(own).toBe(ours);
});

test('publint finds nothing wrong with the built package', async () => {
  using built = await builtPackage();
  const { messages, pkg } = await publint({ pkgDir: built.folder, strict: true, pack: false });
  expect(messages.map((message) => formatMessage(message, pkg as never))).toEqual([]);
});

test('the types of the built package are found wherever modules of this kind can be imported', async () => {
  using built = await builtPackage();
  const files = Object.fromEntries(
    readdirSync(built.folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => statSync(join(built.folder, file)).isFile())
      .map((file) => [
        `/node_modules/${manifest.name}/${file.replaceAll('\\', '/')}`,
        readFileSync(join(built.folder, file), 'utf8'),
      ]),
  );
  const result = await checkPackage(new Package(files, manifest.name, version));
  if (!result.types) throw new Error('The package has no types.');
  // Modules without a CommonJS form, found by `exports` alone: Node 22 can require them.
  const problems = result.problems.filter((problem) => {
    const { resolutionKind } = problem as { resolutionKind?: string };
    return (
      resolutionKind !== 'node10' && !(problem.kind === 'CJSResolvesToESM' && resolutionKind === 'node16-cjs')
    );
  });
  expect(problems).toEqual([]);
  expect(Object.keys(result.entrypoints)).toEqual(Object.keys(manifest.exports));
});

test('every export of the package exists', async () => {
  using built = await builtPackage();
  for (const target of Object.values(manifest.exports)) {
    for (const path of typeof target === 'string'
      ? [target]
      : Object.values(target as Record<string, string>)) {
      expect(statSync(join(built.folder, path)).isFile(), path).toBe(true);
    }
  }
});

const load = (names: string, file: string) => `import ${names} from ${JSON.stringify(join(source, file))};`;

test('a page loads at most 4 kB for the client, and 16 kB with everything', async () => {
  const page = load('{ createClient, isRedpenError }', 'index.ts');
  const { atOnce, all } = await sizesOf(`${page} globalThis.page = [createClient, isRedpenError];`);
  expect(atOnce).toBeLessThan(4_096);
  expect(all).toBeLessThan(15_360);
  const files = ['index.ts', 'raw.ts', 'events.ts', 'stores.ts', 'webhooks.ts'];
  const parts = files.map((_, index) => `part${index}`);
  const everything = files.map((file, index) => load(`* as ${parts[index]}`, file));
  const code = `${everything.join('\n')} globalThis.page = [${parts.join()}];`;
  expect((await sizesOf(code)).all).toBeLessThan(16_384);
});

test('a client without the names of operations takes about half of that', async () => {
  const page = `${load('{ createRawClient }', 'raw.ts')} globalThis.page = createRawClient;`;
  expect((await sizesOf(page)).all).toBeLessThan(2_300);
});

test('the types of the client are at most 260 kB', () => {
  const bytesOf = (file: string) => statSync(join(source, file)).size;
  expect(bytesOf('operations.ts')).toBeLessThan(260_000);
});

test('no module of the client imports anything but the modules of the client, except that of editors', () => {
  const imports = globSync('**/*.ts', { cwd: source }).flatMap((file) =>
    [
      ...readFileSync(join(source, file), 'utf8').matchAll(
        /(?:^|\n)(?:import|export)\b[^'`;]*?from '([^']+)'|\bimport\('([^']+)'\)/g,
      ),
    ].map(([, from, dynamic]) => ({ file, to: from ?? dynamic ?? '' })),
  );
  const outside = imports.filter(({ file, to }) => !existsSync(join(source, dirname(file), to)));
  expect(outside.map(({ file, to }) => `${file}: ${to}`)).toEqual([
    'editors.ts: @hocuspocus/provider',
    'editors.ts: yjs',
  ]);
  expect(imports.length).toBeGreaterThan(20);
});
