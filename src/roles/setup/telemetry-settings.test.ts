import { expect, test } from 'vitest';
import { listWarnings, readConfig } from '../../config.ts';
import { telemetrySettingsOf } from './telemetry-settings.ts';

const of = (env: Record<string, string>) => telemetrySettingsOf(readConfig(env));

test('telemetry is off by default, and can be turned off', () => {
  expect(of({})).toBeUndefined();
  expect(of({ OTEL_SERVICE_NAME: 'a', OTEL_TRACES_SAMPLER: 'always_on' })).toBeUndefined();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  expect(of({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  const none = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' };
  expect(of({ ...endpoint, ...none })).toBeUndefined();
});

test.each([
  ['http://127.0.0.1:4318', 'http://127.0.0.1:4318'],
  ['https://otel.example/base/', 'https://otel.example/base'],
])('%s is a base address of both signals', (base, expected) => {
  expect(of({ OTEL_EXPORTER_OTLP_ENDPOINT: base })).toMatchObject({
    traces: {
      url: `${expected}/v1/traces`,
      protocol: 'http/protobuf',
      compression: 'none',
      timeoutMs: 10_000,
    },
    metrics: { url: `${expected}/v1/metrics` },
    sampler: 'parentbased_always_on',
    sampledShare: 1,
    metricsEveryMs: 60_000,
    resource: { 'service.name': 'redpen', 'service.version': expect.any(String) },
  });
});

test('settings of one signal precede those of both', () => {
  const settings = of({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/own?key=1',
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b=2%3D',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=3',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '500',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,service.instance.id=one',
  });
  expect(settings).toMatchObject({
    traces: {
      url: 'http://127.0.0.1:1/own?key=1',
      headers: { a: '1', b: '3' },
      protocol: 'http/json',
      timeoutMs: 500,
    },
    metrics: undefined,
    resource: { 'service.name': 'other', 'service.instance.id': 'one' },
  });
  const metrics = of({ OTEL_METRICS_EXPORTER: 'otlp' });
  expect(metrics).toMatchObject({ traces: undefined, metrics: { url: 'http://localhost:4318/v1/metrics' } });
});

test('variables of OpenTelemetry that mean nothing to the service are passed over', () => {
  const env = {
    OTEL_PROPAGATORS: 'b3',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_BSP_SCHEDULE_DELAY: '1',
    OTEL_EXPORTER_OTLP_INSECURE: 'true',
  };
  expect(of(env)).toBeUndefined();
  expect(listWarnings(env)).toEqual([]);
});
