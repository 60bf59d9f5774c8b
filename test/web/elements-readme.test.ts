import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import * as elements from '../../packages/elements/src/elements.ts';
import { COLORS, MEASURES } from '../../packages/elements/src/theme/tokens.ts';
import { isThorough } from '../run/rounds.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'packages/elements');
const readme = readFileSync(join(source, 'README.md'), 'utf8');

/** The sections of the elements by their names. */
const sections = new Map(
  readme
    .split(/^### /m)
    .map((section) => [section.slice(0, section.indexOf('\n')), section.split(/^## /m)[0]!]),
);

const OF_ALL = ['client', 'user', 'organizationId', 'documentId', 'headingLevel'];

const tagOf = (className: string) =>
  className.replaceAll(/(?<=[a-z])[A-Z]|^[A-Z]/g, (letter, at) => (at > 0 ? '-' : '') + letter.toLowerCase());

test.each(Object.entries(elements))(
  'the readme has the properties and attributes of %s',
  (className, element) => {
    const section = sections.get(tagOf(className)) ?? '';
    const properties: [string, { state?: boolean; attribute?: string | boolean }][] = Object.entries(
      element.properties,
    );
    for (const [name, { state, attribute }] of properties) {
      if (state || (OF_ALL.includes(name) && className !== 'RpProvider')) continue;
      expect(section, name).toContain(`\`${name}\``);
      if (typeof attribute === 'string') expect(section, attribute).toContain(`\`${attribute}\``);
    }
  },
);

const texts = readdirSync(join(source, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
  .filter((entry) => !/\/(overlay|anchor)(\/|$)/.test(entry.parentPath) && entry.name !== 'overlay.ts')
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

test('the readme lists the parts that there are', () => {
  const used = new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/\bpart="([^"$]+)"/g)].flatMap(([, names]) => names!.split(' ')),
    ),
  );
  // Both sides of a difference have a computed name.
  for (const name of ['before', 'after']) used.add(name);
  const listed = [...readme.matchAll(/Parts: ([^.]+)\./g)].flatMap(([, names]) =>
    [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );
  expect([...new Set([...listed, 'root'])].sort()).toEqual([...used].sort());
});

test('the readme lists the events and variables', () => {
  const events = texts.flatMap((text) =>
    [...text.matchAll(/emit\(\s*'(rp-[a-z-]+)'/g)].map(([, name]) => name!),
  );
  expect(events.length).toBeGreaterThan(10);
  for (const name of events) expect(readme).toContain(`| \`${name}\` |`);
  for (const name of [...Object.keys(COLORS), ...Object.keys(MEASURES)]) {
    const [, stem, end] = /^(.*?)(-fill|-tint)?$/.exec(name)!;
    const isListed = readme.includes(`\`--rp-${name}\``) || (end && readme.includes(`\`--rp-${stem}\``));
    expect(isListed, name).toBe(true);
  }
});

test.runIf(isThorough)('the programs of the readme compile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const blocks = [...readme.matchAll(/<!-- (\S+\.ts) -->\n```ts\n([\s\S]*?)```/g)];
  expect(blocks).toHaveLength(readme.split('```ts').length - 1);
  for (const [, file, code] of blocks) writeFileSync(join(folder, file!), code!);
  const settings = JSON.parse(readFileSync(join(source, 'tsconfig.json'), 'utf8'));
  const paths = {
    '@redpen/client': [join(root, 'packages/client/src/index.ts')],
    '@redpen/elements': [join(source, 'src/elements.ts')],
    '@redpen/elements/*': [join(source, 'src/*.ts')],
    react: [join(root, 'node_modules/@types/react/index.d.ts')],
  };
  const config = { compilerOptions: { ...settings.compilerOptions, paths }, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/.bin/tsc');
  const said = await promisify(execFile)(tsc, ['--project', folder]).catch(
    (error: { stdout: string }) => error,
  );
  expect(said.stdout).toBe('');
});
