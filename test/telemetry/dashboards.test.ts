import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { expect, test } from 'vitest';
import { readAlerts } from '../house/alert-rules.ts';
import { testApp } from '../service/harness.ts';

const root = join(import.meta.dirname, '../..');

interface Panel {
  title: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const board: { panels: Panel[]; templating: { list: { name: string; type: string }[] } } = JSON.parse(
  readFileSync(join(root, 'integrations/grafana/redpen.json'), 'utf8'),
);
const alerts = readAlerts();
const ofBoard = board.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr]));
const queries = [...ofBoard, ...alerts.map(({ alert, expr }) => [alert, expr])] as [string, string][];

/** Labels that Prometheus adds, and the bound of a bucket. */
const ADDED = ['job', 'instance', 'le'];

/** Labels of the metrics of prom-client that are used. */
const LABELS_OF_NODE = ['kind'];

interface Query {
  metrics: string[];
  labels: string[];
  isValid: boolean;
}

function readQuery(text: string): Query {
  const query = text.replaceAll('$__rate_interval', '5m');
  const found: Query = { metrics: [], labels: [], isValid: true };
  const labels = new Set<string>();
  parser.parse(query).iterate({
    enter({ type, from, to, node }) {
      const words = query.slice(from, to);
      if (type.isError) found.isValid = false;
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') found.metrics.push(words);
      if (type.name === 'LabelName') labels.add(words);
    },
  });
  return { ...found, labels: [...labels] };
}

/** Names of series with the labels that they may have. */
async function listSeries(): Promise<Map<string, readonly string[]>> {
  const { app } = await testApp();
  const declared = new Map(app.metrics.list().map(({ name, labels }) => [name, labels]));
  return new Map(
    (await app.metrics.read()).flatMap(({ name, type }) => {
      const labels = declared.get(name) ?? LABELS_OF_NODE;
      const suffixes = String(type) === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      return suffixes.map((suffix) => [name + suffix, labels] as const);
    }),
  );
}

test('each query of the dashboard and of the alerts is valid, and its metrics and labels exist', async () => {
  const series = await listSeries();
  expect(queries.length).toBeGreaterThan(70);
  for (const [title, text] of queries) {
    const { metrics, labels, isValid } = readQuery(text);
    expect(isValid, `${title}: ${text}`).toBe(true);
    expect(metrics.length, `${title}: ${text}`).toBeGreaterThan(0);
    for (const metric of metrics) expect(series.has(metric), `${title}: ${metric}`).toBe(true);
    const known = [...ADDED, ...metrics.flatMap((metric) => series.get(metric) ?? [])];
    for (const label of labels) expect(known, `${title}: ${label}`).toContain(label);
  }
});

test('the checks of queries find a wrong name, a wrong label and a wrong syntax', () => {
  expect(readQuery('sum by (queue) (rate(redpen_nothing{a="b"}[5m])) > 3')).toEqual({
    metrics: ['redpen_nothing'],
    labels: ['queue', 'a'],
    isValid: true,
  });
  expect(readQuery('sum(rate(redpen_nothing[5m])').isValid).toBe(false);
});

test('panels of the dashboard choose their data by its variables and do not overlap', () => {
  expect(board.templating.list).toMatchObject([
    { name: 'datasource', type: 'datasource' },
    { name: 'job', type: 'query' },
    { name: 'instance', type: 'query' },
  ]);
  for (const [title, expr] of ofBoard) expect(expr, title).toContain('job=~"$job", instance=~"$instance"');
  const taken = new Map<string, string>();
  for (const { title, gridPos } of board.panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(taken.get(`${x} ${y}`), title).toBeUndefined();
        expect(x, title).toBeLessThan(24);
        taken.set(`${x} ${y}`, title!);
      }
});

test('each alert says what to do, in log lines and settings that exist', () => {
  const source = globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  for (const { alert, labels, annotations } of alerts) {
    expect(['info', 'warning', 'critical'], alert).toContain(labels.severity);
    expect(annotations.summary, alert).toMatch(/\.$/);
    const quoted = [...annotations.description.matchAll(/`([^`/]+)`/g)].map(([, words]) => words!);
    for (const words of quoted.filter((one) => !one.startsWith('redpen ')))
      expect(source.includes(`'${words}'`), `${alert}: ${words}`).toBe(true);
    const settings = annotations.description.match(/\bREDPEN_\w+/g) ?? [];
    for (const setting of settings)
      expect(source.includes(`  ${setting}: `), `${alert}: ${setting}`).toBe(true);
  }
});
