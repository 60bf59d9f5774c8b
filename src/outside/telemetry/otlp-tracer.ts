import {
  type Context,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Attributes, Span, SpanStart, Tracer } from '../../lib/tracing/tracing.ts';
import type { TelemetrySettings } from './telemetry.ts';

/** Spans that wait for an export; further ones are dropped. */
const MAX_QUEUED = 4_096;
const BATCH = 512;
const EXPORT_EVERY_MS = 2_000;

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

interface OtlpTracer extends Tracer {
  close(): Promise<void>;
}

/** A tracer that hands its spans to an exporter in batches. */
export function createOtlpTracer(
  { sampler, sampledShare }: Pick<TelemetrySettings, 'sampler' | 'sampledShare'>,
  resource: Resource,
  exporter: SpanExporter,
): OtlpTracer {
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: MAX_QUEUED,
    maxExportBatchSize: BATCH,
    scheduledDelayMillis: EXPORT_EVERY_MS,
  });
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(sampler, sampledShare),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('redpen');
  return {
    start(name, { kind = 'internal', attributes = {}, traceparent, startedAt }: SpanStart, parent) {
      const options = {
        kind: KINDS[kind],
        attributes: { ...attributes },
        ...(startedAt !== undefined && { startTime: startedAt }),
      };
      return new ExportedSpan(tracer.startSpan(name, options, contextOf(traceparent, parent)));
    },
    close: () => provider.shutdown(),
  };
}

function samplerOf(name: TelemetrySettings['sampler'], share: number): Sampler {
  const [, isParentBased, own = ''] = /^(parentbased_)?(.*)$/.exec(name) ?? [];
  const root =
    own === 'always_off'
      ? new AlwaysOffSampler()
      : own === 'traceidratio'
        ? new TraceIdRatioBasedSampler(share)
        : new AlwaysOnSampler();
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

/** The context of a new span. A malformed `traceparent` counts as none (W3C Trace Context 4.3). */
function contextOf(traceparent: string | undefined, parent: Span | undefined): Context {
  const remote = traceparent === undefined ? null : parseTraceParent(traceparent);
  if (remote) return trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
  return parent instanceof ExportedSpan ? parent.context : ROOT_CONTEXT;
}

class ExportedSpan implements Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  readonly #span: OtelSpan;

  constructor(span: OtelSpan) {
    this.#span = span;
    this.isSampled = span.isRecording();
    ({ traceId: this.traceId, spanId: this.spanId } = span.spanContext());
  }

  get isRecording(): boolean {
    return this.#span.isRecording();
  }

  get context(): Context {
    return trace.setSpan(ROOT_CONTEXT, this.#span);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes({ ...attributes });
  }

  fail(type: string): void {
    if (this.isRecording)
      this.#span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(endedAt?: number): void {
    if (this.isRecording) this.#span.end(endedAt);
  }
}
