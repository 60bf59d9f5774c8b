import { pino } from 'pino';
import { expect, test } from 'vitest';
import { inSpan } from '../../src/lib/tracing/tracing.ts';
import { until } from '../run/until.ts';
import { newWorkspace, testApp } from '../service/harness.ts';
import { traced } from './traced.ts';

type Line = Record<string, unknown>;

function listen() {
  const lines: Line[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) });
  return { log, saying: (msg: string) => lines.filter((line) => line.msg === msg) };
}

test('a collector that hangs delays neither requests nor the stop', async () => {
  const collector = await traced({ OTEL_EXPORTER_OTLP_TIMEOUT: '600000' });
  collector.answer('hangs');
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/get');
  await collector.flush();
  // The export that waits for an answer may take ten minutes.
  expect(collector.requests).toHaveLength(1);
});

test('refused exports are logged once, and so is the recovery', async () => {
  const { log, saying } = listen();
  const collector = await traced({ OTEL_TRACES_EXPORTER: 'none', OTEL_METRIC_EXPORT_INTERVAL: '100' }, log);
  collector.answer(401);
  const { app } = await testApp();
  collector.sendMetrics(app.metrics.read);
  await until(() => collector.requests.length >= 3, 'three exports');
  collector.answer(200);
  await until(() => saying('telemetry is sent again').length > 0, 'the recovery');
  expect(saying('telemetry cannot be sent')).toEqual([
    expect.objectContaining({ signal: 'metrics', code: 401, next: expect.any(String) }),
  ]);
});

test('spans beyond the queue are dropped', async () => {
  const collector = await traced();
  collector.answer('hangs');
  for (let count = 0; count < 12_000; count++) await inSpan('work', {}, async () => {});
  collector.answer(200);
  await collector.flush();
  expect(collector.spans.length).toBeLessThan(6_000);
});
