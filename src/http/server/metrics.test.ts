import { expect, test } from 'vitest';
import { links, run, siteOf, small } from '../../../test/reviews/runs.ts';
import { newWorkspace, send, testApp } from '../../../test/service/harness.ts';

const printed = async (): Promise<string> => {
  const { app } = await testApp();
  return (await app.inject('/metrics')).body;
};

const SAMPLE = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i;
/** The values of a label over all samples of a metric. */
const valuesOf = (text: string, metric: string, label: string): Set<string> =>
  new Set(
    text.split('\n').flatMap((line) => {
      const [, name = '', labels = ''] = SAMPLE.exec(line) ?? [];
      const value = new RegExp(`(?:^|,)${label}="([^"]*)"`).exec(labels)?.[1];
      return name.startsWith(metric) && value !== undefined ? [value] : [];
    }),
  );

test('names, types and help texts follow the conventions of Prometheus', async () => {
  const { app } = await testApp();
  const all = app.metrics.list();
  expect(all.length).toBeGreaterThan(50);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { name, type, help, labels } of all) {
    expect(name).toMatch(/^(redpen|http)(_[a-z]+)+$/);
    // The suffix names the unit, which is a base unit.
    expect([name, type === 'counter']).toEqual([name, name.endsWith('_total')]);
    if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
    // The conventional name of this metric has this suffix.
    if (name !== 'redpen_build_info')
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|mb|count|sum|bucket|info)(_total)?$/);
    expect([name, help]).toEqual([name, expect.stringMatching(/^[A-Z].{10,}\.$/)]);
    for (const label of labels) expect([name, label]).toEqual([name, expect.stringMatching(/^[a-z_]+$/)]);
    for (const label of labels) expect(['le', 'quantile', 'job', 'instance']).not.toContain(label);
  }
});

test('each metric is exported once, and those of Node under their usual names', async () => {
  const text = await printed();
  const declared = text.split('\n').flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);
  expect(new Set(declared).size).toBe(declared.length);
  expect(declared).toEqual(
    expect.arrayContaining(['process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds']),
  );
  expect(text).not.toMatch(/redpen_(process|nodejs)_/);
  for (const line of text.split('\n')) if (line !== '' && !line.startsWith('#')) expect(line).toMatch(SAMPLE);
});

test('label values do not grow with the names and paths that callers choose', async () => {
  const w = await newWorkspace();
  const site = await siteOf(small);
  for (const name of ['One', 'Another']) await run(w, { ...links, name }, { url: site.url });
  for (const path of ['/v2/none/1', '/v2/none/2?x=3']) await send(path, {});
  await send('/v2/agents/get?x=4', { data: {} }, w.keyHeaders);
  const text = await printed();
  // That metric names the keys that store most, a bounded number.
  const others = text.split('\n').filter((line) => !line.startsWith('redpen_stored_bytes'));
  expect(others.join('\n')).not.toContain(w.apiKeyId);
  const agents = valuesOf(text, 'redpen_execution', 'agent');
  expect(agents).toContain('custom');
  const { builtinAgents } = await import('../../review/agents/builtin/index.ts');
  const known = new Set(['custom', ...builtinAgents.map(({ agentId }) => agentId)]);
  expect([...agents].filter((agent) => !known.has(agent))).toEqual([]);
  const routes = valuesOf(text, 'http_request_duration_seconds', 'route');
  expect(routes).toContain('/v2/agents/get');
  expect(routes).toContain('unknown');
  expect([...routes].filter((route) => /none|\?|=/.test(route))).toEqual([]);
});

test('metrics of the database pool, the browser and jobs are exported', async () => {
  const text = await printed();
  for (const name of [
    'redpen_database_connections{state="in_use"}',
    'redpen_database_waiting',
    'redpen_browser_pages_open',
    'redpen_jobs_waiting{queue="agent.run"}',
  ])
    expect(text).toContain(`\n${name} `);
});
