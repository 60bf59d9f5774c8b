import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Tracer } from '../../lib/tracing/tracing.ts';

/** Where and how one signal is sent. */
export interface OtlpTarget {
  /** Full address, such as `http://127.0.0.1:4318/v1/traces`. */
  url: string;
  headers: Record<string, string>;
  protocol: 'http/protobuf' | 'http/json';
  compression: 'none' | 'gzip';
  /** Time for one export with its retries. */
  timeoutMs: number;
}

export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';

export interface TelemetrySettings {
  /** Undefined if traces are not sent. */
  traces: OtlpTarget | undefined;
  /** Undefined if metrics are not sent. */
  metrics: OtlpTarget | undefined;
  /** Attributes of the process, such as `service.name`. */
  resource: Record<string, string>;
  sampler: SamplerName;
  /** Share of traces that the samplers by ratio record, from 0 to 1. */
  sampledShare: number;
  metricsEveryMs: number;
  /** File of PEM certificates that are trusted in addition to those of Node. */
  certificateFile: string | undefined;
}

/** Metrics in the form of prom-client. */
export type ReadMetrics = () => Promise<MetricObjectWithValues<MetricValue<string>>[]>;

/** The connection to an OpenTelemetry collector. */
export interface Telemetry {
  /** Undefined if traces are not sent. */
  tracer: Tracer | undefined;
  /** Sends metrics in intervals from now on, if they are to be sent. */
  sendMetrics(read: ReadMetrics): void;
  /** Sends what is left, within a bounded time. */
  close(): Promise<void>;
}
