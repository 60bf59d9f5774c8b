import { z } from 'zod';
import { decoded } from '../../lib/text/decoded.ts';
import { judged, oneOf, url, wholeNumber } from './setting-rules.ts';

/** A name of an HTTP header or of an attribute. */
const KEY = /^[\w!#$%&'*+.^`|~/-]+$/;

/** Comma-separated `name=value` with percent-encoded values (W3C Baggage), as a record. */
const pairs = (example: string) =>
  z.string().transform((text, context) => {
    const entries = text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map((entry) => {
        const at = entry.indexOf('=');
        return [entry.slice(0, Math.max(at, 0)).trim(), decoded(entry.slice(at + 1).trim())] as const;
      });
    // The message leaves the entry out, since it may be secret.
    if (entries.some(([name, value]) => !KEY.test(name) || /[\r\n\0]/.test(value))) {
      context.addIssue({ code: 'custom', message: `must be comma-separated pairs such as ${example}` });
    }
    return Object.fromEntries(entries);
  });

const headers = pairs('api-key=secret');
const protocol = oneOf(['http/protobuf', 'http/json']);
const compression = oneOf(['none', 'gzip']);
const timeout = wholeNumber(1, 600_000);
const endpoint = url('http:', 'https:').refine((text) => !text.includes('#'), {
  error: 'must not contain a fragment',
});
const baseEndpoint = endpoint.refine((text) => !text.includes('?'), {
  error: 'must not contain a query, since /v1/traces and /v1/metrics are added to it',
});

const share = judged((text) =>
  /^\d*\.?\d+$/.test(text) && Number(text) <= 1 ? undefined : 'must be a number from 0 to 1',
).transform(Number);

/**
 * The standard settings of OpenTelemetry (Environment Variable Specification and OTLP Exporter Configuration), as far as
 * they mean something here.
 */
export const otelSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: baseEndpoint
    .optional()
    .describe(
      'Base address of an OpenTelemetry collector, such as http://127.0.0.1:4318, to which traces and metrics are sent over OTLP/HTTP. Without it, or an address for one of the two, nothing is sent.',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: headers
    .optional()
    .describe('Comma-separated headers of these requests, as name=value with percent-encoded values.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol
    .default('http/protobuf')
    .describe('Encoding: http/protobuf or http/json.'),
  OTEL_EXPORTER_OTLP_COMPRESSION: compression.default('none').describe('Compression: none or gzip.'),
  OTEL_EXPORTER_OTLP_TIMEOUT: timeout
    .default(10_000)
    .describe('Time for one export with its retries, in milliseconds.'),
  OTEL_EXPORTER_OTLP_CERTIFICATE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File of PEM certificates of authorities that the collector may have, besides those that Node knows.',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint
    .optional()
    .describe(
      'Whole address for traces, such as http://127.0.0.1:4318/v1/traces. By default that below OTEL_EXPORTER_OTLP_ENDPOINT.',
    ),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headers.optional().describe('Further headers for traces.'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol
    .optional()
    .describe('Encoding of traces. By default as for both.'),
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: compression
    .optional()
    .describe('Compression of traces. By default as for both.'),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: timeout
    .optional()
    .describe('Time for one export of traces. By default as for both.'),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint
    .optional()
    .describe(
      'Whole address for metrics, such as http://127.0.0.1:4318/v1/metrics. By default that below OTEL_EXPORTER_OTLP_ENDPOINT.',
    ),
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: headers.optional().describe('Further headers for metrics.'),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol
    .optional()
    .describe('Encoding of metrics. By default as for both.'),
  OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: compression
    .optional()
    .describe('Compression of metrics. By default as for both.'),
  OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: timeout
    .optional()
    .describe('Time for one export of metrics. By default as for both.'),
  OTEL_TRACES_EXPORTER: oneOf(['otlp', 'none'])
    .optional()
    .describe(
      'otlp or none. By default otlp if there is an address. With otlp and without an address, traces are sent to http://localhost:4318.',
    ),
  OTEL_METRICS_EXPORTER: oneOf(['otlp', 'none'])
    .optional()
    .describe('The same for metrics. By default otlp if there is an address.'),
  OTEL_TRACES_SAMPLER: oneOf([
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  ])
    .default('parentbased_always_on')
    .describe(
      'Which traces are recorded. A sampler that begins with parentbased_ does what the caller does whose traceparent a request has, and otherwise what its name says.',
    ),
  OTEL_TRACES_SAMPLER_ARG: share
    .optional()
    .describe('Share of traces that a sampler by ratio records, from 0 to 1. By default 1.'),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(100, 86_400_000)
    .default(60_000)
    .describe('Interval at which metrics are sent, in milliseconds.'),
  OTEL_SERVICE_NAME: z
    .string()
    .max(200)
    .optional()
    .describe('Name of this service in traces and metrics. By default redpen.'),
  OTEL_RESOURCE_ATTRIBUTES: pairs('deployment.environment.name=staging')
    .optional()
    .describe(
      'Comma-separated attributes of this process, as name=value with percent-encoded values, such as deployment.environment.name=staging.',
    ),
  OTEL_SDK_DISABLED: oneOf(['true', 'false'])
    .default('false')
    .describe('With true, neither traces nor metrics are sent.'),
};
