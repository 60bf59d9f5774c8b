import { randomUUID } from 'node:crypto';
import type { Config } from '../../config.ts';
import { version } from '../../lib/version.ts';
import type { OtlpTarget, TelemetrySettings } from '../../outside/telemetry/telemetry.ts';

/** Address of a collector on the same machine, by the OTLP specification. */
const LOCAL_COLLECTOR = 'http://localhost:4318';

/** Where telemetry is sent, and how; undefined if none is. */
export function telemetrySettingsOf(config: Config): TelemetrySettings | undefined {
  const traces = targetOf(config, 'TRACES', config.OTEL_TRACES_EXPORTER);
  const metrics = targetOf(config, 'METRICS', config.OTEL_METRICS_EXPORTER);
  if (config.OTEL_SDK_DISABLED === 'true' || (traces === undefined && metrics === undefined))
    return undefined;
  return {
    traces,
    metrics,
    resource: {
      'service.version': version,
      'service.instance.id': randomUUID(),
      ...config.OTEL_RESOURCE_ATTRIBUTES,
      'service.name': nameOf(config),
    },
    sampler: config.OTEL_TRACES_SAMPLER,
    sampledShare: config.OTEL_TRACES_SAMPLER_ARG ?? 1,
    metricsEveryMs: config.OTEL_METRIC_EXPORT_INTERVAL,
    certificateFile: config.OTEL_EXPORTER_OTLP_CERTIFICATE,
  };
}

const nameOf = ({ OTEL_SERVICE_NAME: name, OTEL_RESOURCE_ATTRIBUTES: attributes }: Config): string =>
  name ?? attributes?.['service.name'] ?? 'redpen';

function targetOf(
  config: Config,
  signal: 'TRACES' | 'METRICS',
  exporter: 'otlp' | 'none' | undefined,
): OtlpTarget | undefined {
  const own = <Option extends 'ENDPOINT' | 'HEADERS' | 'PROTOCOL' | 'COMPRESSION' | 'TIMEOUT'>(
    option: Option,
  ) => config[`OTEL_EXPORTER_OTLP_${signal}_${option}`];
  const base = config.OTEL_EXPORTER_OTLP_ENDPOINT ?? (exporter === 'otlp' ? LOCAL_COLLECTOR : undefined);
  const url = own('ENDPOINT') ?? (base && `${base.replace(/\/$/, '')}/v1/${signal.toLowerCase()}`);
  if (exporter === 'none' || url === undefined) return undefined;
  return {
    url,
    headers: { ...config.OTEL_EXPORTER_OTLP_HEADERS, ...own('HEADERS') },
    protocol: own('PROTOCOL') ?? config.OTEL_EXPORTER_OTLP_PROTOCOL,
    compression: own('COMPRESSION') ?? config.OTEL_EXPORTER_OTLP_COMPRESSION,
    timeoutMs: own('TIMEOUT') ?? config.OTEL_EXPORTER_OTLP_TIMEOUT,
  };
}
