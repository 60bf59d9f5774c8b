import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../service/harness.ts';
import { traced } from './traced.ts';

test('a collector gets the metrics of /metrics, with the same names, labels and figures', async () => {
  const { app } = await testApp();
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/get');
  const collector = await traced({ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'a=b' });
  collector.sendMetrics(app.metrics.read);
  await collector.flush();
  const named = new Map(collector.metrics.map((metric) => [metric.name, metric]));
  for (const { name, type, help } of app.metrics.list())
    expect(named.get(name), name).toMatchObject({ type, description: help });
  expect([...named.keys()]).toEqual(
    expect.arrayContaining([
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_gc_duration_seconds',
    ]),
  );
  const printed = await app.metrics.print();
  const route = '/v2/organizations/get';
  const [requests] = named
    .get('http_request_duration_seconds')!
    .points.filter(({ attributes }) => attributes.route === route && attributes.status === 200);
  const { bounds, counts, count, sum } = requests!.histogram!;
  const labels = `method="POST",route="${route}",status="200"`;
  expect(printed).toContain(`http_request_duration_seconds_count{${labels}} ${count}\n`);
  expect(printed).toContain(`http_request_duration_seconds_sum{${labels}} ${sum}\n`);
  let below = 0;
  for (const [index, bound] of bounds.entries()) {
    below += counts[index]!;
    expect(printed).toContain(`http_request_duration_seconds_bucket{le="${bound}",${labels}} ${below}\n`);
  }
  expect(below + counts.at(-1)!).toBe(count);
  expect(collector.requests[0]).toMatchObject({ path: '/v1/metrics', headers: { a: 'b' } });
});
