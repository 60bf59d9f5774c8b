import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { NAMES } from '../../packages/client/src/names.ts';
import { isThorough } from '../run/rounds.ts';
import { ownTenant } from '../service/own-tenant.ts';
import { sharedService } from '../service/worker-service.ts';
import { builtPackage, compile, repository } from './built-package.ts';
import { packageFolder } from './bundled.ts';
import { oddServer } from './odd-server.ts';

const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/<!-- (\S+) -->\n```ts\n([\s\S]*?)```/g)].map(
  ([, file = '', code = '']) => ({
    file,
    code,
  }),
);

/** The part of React's types that the readme uses. */
const REACT = `declare module 'react' {
  export function useSyncExternalStore<Snapshot>(
    subscribe: (onStoreChange: () => void) => () => void,
    getSnapshot: () => Snapshot,
    getServerSnapshot?: () => Snapshot,
  ): Snapshot;
}`;

/** A project that has installed the package, with the blocks of the readme as its files. */
async function newProject() {
  const built = await builtPackage();
  writeFileSync(join(built.user, 'package.json'), '{ "type": "module" }');
  for (const { file, code } of blocks) writeFileSync(join(built.user, file), code);
  writeFileSync(join(built.user, 'react.d.ts'), REACT);
  return built;
}

test('every block of code has a name', () => {
  expect(blocks).toHaveLength(readme.split('```ts').length - 1);
  expect(blocks.length).toBeGreaterThan(6);
});

test('the first program is that of the examples', () => {
  const { code } = blocks.find(({ file }) => file === 'first-program.ts')!;
  const example = readFileSync(join(repository, 'examples/first-program.ts'), 'utf8');
  const withPackage = example.replaceAll(/'\.\.\/packages\/client\/src\/(\w+)\.ts'/g, (_, name: string) =>
    name === 'index' ? "'@redpen/client'" : `'@redpen/client/${name}'`,
  );
  expect(code).toBe(withPackage);
});

test.each(isThorough ? ['node22', 'bundler'] : ['node22'])(
  'the blocks compile against the built package, for %s',
  async (kind) => {
    using project = await newProject();
    const modules =
      kind === 'bundler' ? { module: 'esnext', moduleResolution: 'bundler' } : { module: 'nodenext' };
    const compilerOptions = {
      ...modules,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    };
    writeFileSync(
      join(project.user, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    );
    await compile(['--project', project.user], project.user);
  },
);

test('the blocks for Node and edge runtimes work with a service', async () => {
  using project = await newProject();
  const site = await oddServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<a href="mailto:nowhere">Write to us</a>');
  });
  const service = await sharedService();
  const { apiKeyId, headers, must } = await ownTenant(() => service);
  const variables = {
    REDPEN_URL: service.url,
    REDPEN_API_KEY: apiKeyId,
    REDPEN_AUTH_TOKEN: headers['x-service-auth-token'],
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(project.user, 'review.ts'), `${site}/`],
    {
      env: { ...process.env, ...variables },
    },
  );
  expect(stdout).toContain('Started: Broken links');
  expect(stdout.split('\n')).toContain('failed');

  await must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  const { default: worker } = await import(pathToFileURL(join(project.user, 'worker.ts')).href);
  const request = new Request('https://edge.example.com/');
  expect(await (await worker.fetch(request, variables)).json()).toEqual({ documents: 1 });
  const refused = await worker.fetch(request, { ...variables, REDPEN_AUTH_TOKEN: 'wrong' });
  expect([refused.status, await refused.json()]).toEqual([401, { error: 'UNAUTHENTICATED' }]);
});

test('the readme names every group whose name is not that of its path', () => {
  const missing = NAMES.split('\n').flatMap((line) => {
    const [group, path = ''] = line.split(' ');
    const isNamed = readme
      .split('\n')
      .some((row) => row.includes(`\`${group}\``) && row.includes(`\`${path}\``));
    return path === '' || isNamed ? [] : [line];
  });
  expect(missing).toEqual([]);
});
