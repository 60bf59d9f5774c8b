import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetrics } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { USER_AGENT } from '../../lib/version.ts';
import type { OtlpTarget } from './telemetry.ts';

/** Called after each export, with the error if the collector did not take it. */
export type OnExport = (failure: Error | undefined) => void;

type ExporterOptions = NonNullable<ConstructorParameters<typeof ProtobufTraces>[0]>;

/**
 * All options are given, because the exporters would otherwise read the environment. No certificate of the environment
 * is read, since the options of the agent are given, too.
 */
const optionsOf = (
  { url, headers, compression, timeoutMs }: OtlpTarget,
  ca: string[] | undefined,
): ExporterOptions => ({
  url,
  headers,
  compression: compression as NonNullable<ExporterOptions['compression']>,
  timeoutMillis: timeoutMs,
  userAgent: USER_AGENT,
  httpAgentOptions: { keepAlive: true, ...(ca && { ca }) },
});

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/** Reports the outcome of each export of an exporter. */
function reporting<Items, E extends Exporter<Items>>(exporter: E, onExport: OnExport): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (items: Items, done: (result: ExportResult) => void) =>
    send(items, (result) => {
      const isTaken = result.code === ExportResultCode.SUCCESS;
      onExport(isTaken ? undefined : (result.error ?? new Error('The collector does not answer.')));
      done(result);
    });
  return exporter;
}

/** Sends spans over OTLP/HTTP. */
export function createTraceExporter(target: OtlpTarget, ca: string[] | undefined, onExport: OnExport) {
  const options = optionsOf(target, ca);
  const exporter: SpanExporter =
    target.protocol === 'http/json' ? new JsonTraces(options) : new ProtobufTraces(options);
  return reporting(exporter, onExport);
}

/** Sends metrics over OTLP/HTTP. */
export function createMetricExporter(target: OtlpTarget, ca: string[] | undefined, onExport: OnExport) {
  const options = optionsOf(target, ca);
  const exporter: PushMetricExporter =
    target.protocol === 'http/json' ? new JsonMetrics(options) : new ProtobufMetrics(options);
  return reporting(exporter, onExport);
}
