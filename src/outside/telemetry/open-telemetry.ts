import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { LogThrottle } from '../../lib/log-throttle.ts';
import { within } from '../../lib/time.ts';
import { createMetricExporter, createTraceExporter, type OnExport } from './otlp-exporters.ts';
import { createOtlpTracer } from './otlp-tracer.ts';
import { createPrometheusProducer } from './prometheus-producer.ts';
import type { Telemetry, TelemetrySettings } from './telemetry.ts';

interface TelemetryLog {
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
}

/** Time for the last export. What the collector has not taken by then is lost. */
const CLOSE_WITHIN_MS = 1_500;

/** Connects to an OpenTelemetry collector. Nothing else imports packages of OpenTelemetry. */
export function openTelemetry(settings: TelemetrySettings, log: TelemetryLog): Telemetry {
  const resource = defaultResource().merge(resourceFromAttributes(settings.resource));
  const ca =
    settings.certificateFile === undefined
      ? undefined
      : [...getCACertificates('default'), readFileSync(settings.certificateFile, 'utf8')];
  const note = noteExports(log);
  const tracer =
    settings.traces &&
    createOtlpTracer(settings, resource, createTraceExporter(settings.traces, ca, note('traces')));
  let meters: MeterProvider | undefined;
  return {
    tracer,
    sendMetrics(read) {
      if (settings.metrics === undefined) return;
      const reader = new PeriodicExportingMetricReader({
        exporter: createMetricExporter(settings.metrics, ca, note('metrics')),
        exportIntervalMillis: settings.metricsEveryMs,
        metricProducers: [createPrometheusProducer(read, resource)],
      });
      meters = new MeterProvider({ resource, readers: [reader] });
    },
    async close() {
      const closed = Promise.allSettled([tracer?.close(), meters?.shutdown()]);
      await within(CLOSE_WITHIN_MS, closed, undefined);
    },
  };
}

/** Logs the first failure of a minute and the recovery, for each signal. */
function noteExports(log: TelemetryLog): (signal: string) => OnExport {
  const lines = new LogThrottle(1);
  return (signal) => {
    let isFailing = false;
    return (failure) => {
      if (failure === undefined) {
        if (isFailing) log.info({ signal }, 'telemetry is sent again');
        isFailing = false;
        return;
      }
      isFailing = true;
      const more = lines.take(signal);
      const { code } = failure as NodeJS.ErrnoException;
      const reason = failure.message || String(code ?? 'The collector does not answer.');
      if (more)
        log.warn(
          { signal, ...(code !== undefined && { code }), reason, ...more },
          'telemetry cannot be sent',
        );
    };
  };
}
