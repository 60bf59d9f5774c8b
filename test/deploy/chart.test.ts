import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from './settings.ts';

const CHART = resolve(import.meta.dirname, '../../deploy/helm/redpen');
const textOf = (path: string): string => readFileSync(join(CHART, path), 'utf8');

type Tree = { [name: string]: unknown };
type Parsed = ReturnType<typeof parse>;
const values = parse(textOf('values.yaml')) as Tree & {
  settings: Record<string, string>;
  worker: { settings: Record<string, string> };
};
const schema = JSON.parse(textOf('values.schema.json')) as Tree;
const templates = globSync('templates/*', { cwd: CHART }).map((path) => ({ path, text: textOf(path) }));
const ajv = new Ajv({ strict: false });
ajv.removeSchema('https://json-schema.org/draft-07/schema#');
const check = ajv.compile({ ...schema, $schema: undefined });

/** Settings that every installation needs. */
const needed = {
  DATABASE_URL: 'postgres://redpen:secret@db.internal/redpen',
  REDPEN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
};

const pathsOf = (tree: unknown, path: string[] = []): string[][] =>
  typeof tree === 'object' && tree !== null && !Array.isArray(tree) && Object.keys(tree).length > 0
    ? Object.entries(tree).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))
    : [path];

const serviceOf = (name: string) => ({ name, port: { name: 'http' } });

const at = (tree: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Tree | undefined)?.[name], tree);

test('the version of the chart and of what it installs is that of the source', () => {
  const { version } = JSON.parse(readFileSync(resolve(CHART, '../../../package.json'), 'utf8'));
  expect(parse(textOf('Chart.yaml'))).toMatchObject({ version, appVersion: version });
});

test('the values of the chart match their schema, and a misspelled or wrong one does not', () => {
  expect(check(values) || check.errors).toBe(true);
  const wrong = [
    { ...values, replica: 2 },
    { ...values, settings: { 'redpen-signup': 'open' } },
    // The chart sets these itself.
    { ...values, settings: { REDPEN_ROLES: 'api' } },
    { ...values, service: { type: 'ClusterIP', port: '80' } },
    { ...values, podMonitor: { enabled: 'yes' } },
    // It would admit requests from everywhere.
    { ...values, networkPolicy: { enabled: true, fromNamespaces: [] } },
  ];
  expect(wrong.map((one) => check(one))).toEqual(wrong.map(() => false));
});

test('every setting in the values, also in comments, exists and is accepted', () => {
  const commented = [...textOf('values.yaml').matchAll(/^ *# ([A-Z][A-Z_]+): (.*)$/gm)].map(
    ([, name, value]) => [name, value],
  );
  expect(commented.length).toBeGreaterThan(2);
  const fixed = [
    ...templates
      .find(({ path }) => path.endsWith('_deployment.tpl'))!
      .text.matchAll(/- name: (REDPEN_\w+)\n\s+value: (\/\S+)/g),
  ].map(([, name, value]) => [name, value]);
  expect(fixed).toEqual([['REDPEN_DATA_DIR', '/data/redpen']]);
  const shared = { ...needed, ...values.settings, ...Object.fromEntries([...commented, ...fixed]) };
  expect(readSettings({ ...shared, REDPEN_ROLES: 'api,realtime' })).toMatchObject({
    REDPEN_SIGNUP: 'closed',
  });
  readSettings({ ...shared, ...values.worker.settings, REDPEN_ROLES: 'worker' });
});

test('templates use each value, and no value that does not exist', () => {
  const everything = templates.map(({ text }) => text).join('\n');
  const used = [...everything.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, path = '']) => path.split('.'));
  // Settings that an operator may add.
  const missing = used.filter((path) => path[0] !== 'settings' && at(values, path) === undefined);
  expect(missing).toEqual([]);
  // The deployments take the values of their part by another name, and a block of YAML as a whole.
  const unused = pathsOf(values).filter((path) => {
    const [part, ...rest] = path;
    const names = part === 'api' || part === 'worker' ? rest : path;
    return !names.some((_, index) => everything.includes(`.${names.slice(0, index + 1).join('.')}`));
  });
  expect(unused.map((path) => path.join('.'))).toEqual([]);
});

/** The documents of a template, with its expressions as texts. */
const documentsOf = (path: string): Parsed[] =>
  textOf(`templates/${path}`)
    .replaceAll(/^\s*\{\{.*\}\}\n/gm, '')
    .replaceAll(/\{\{-? include "redpen.name" \. -?\}\}/g, 'NAME')
    .replaceAll(/\{\{.*?\}\}/g, 'EXPRESSION')
    .split(/^---$/m)
    .map((text) => parse(text));

test('the ingress leads to the processes, but for metrics', () => {
  const [ingress, closed, ...more] = documentsOf('ingress.yaml');
  const paths = ingress.spec.rules[0].http.paths;
  expect(paths).toEqual([
    { path: '/metrics', pathType: 'Exact', backend: { service: serviceOf('NAME-closed') } },
    { path: '/', pathType: 'Prefix', backend: { service: serviceOf('NAME') } },
  ]);
  expect(more).toEqual([]);
  expect(closed).toMatchObject({ kind: 'Service', metadata: { name: 'NAME-closed' } });
  expect(closed.spec).not.toHaveProperty('selector');
  // The way of Prometheus goes to the processes themselves.
  expect(textOf('templates/podmonitor.yaml')).toContain('path: /metrics');
});

test('settings are written as texts, and never with an exponent', () => {
  for (const { path, text } of templates)
    expect({ path, quoted: text.match(/\$value \| quote/) }).toEqual({ path, quoted: null });
  for (const path of ['_deployment.tpl', 'secret.yaml'])
    expect(textOf(`templates/${path}`)).toContain('{{ include "redpen.value" $value }}');
});

test('every container is confined, and is probed on paths that the service has', () => {
  const deployment = templates.find(({ path }) => path.endsWith('_deployment.tpl'))!.text;
  for (const line of [
    'runAsNonRoot: true',
    'allowPrivilegeEscalation: false',
    'readOnlyRootFilesystem: true',
    'drop: [ALL]',
    'enableServiceLinks: false',
    'httpGet: { path: /live, port: http }',
    'httpGet: { path: /health, port: http }',
    'httpGet: { path: /ready, port: http }',
  ]) {
    expect(deployment).toContain(line);
  }
});
