import { AsyncLocalStorage } from 'node:async_hooks';

type AttributeValue = string | number | boolean;
/** Attributes of a span. Those that are undefined are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

export interface SpanStart {
  /** `server` and `consumer` are entered from elsewhere, `client` leaves the process. Default `internal`. */
  kind?: 'internal' | 'server' | 'client' | 'consumer';
  attributes?: Attributes;
  /** The W3C `traceparent` of another process, which precedes the current span as the parent. */
  traceparent?: string | undefined;
  /** Epoch milliseconds, for a span that is recorded at its end. Default now. */
  startedAt?: number;
}

/** A timed piece of work. It never holds secrets, texts of documents and pages, or queries of URLs. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** False if the sampler left the trace out, so that nothing of it is exported. */
  readonly isSampled: boolean;
  /** True until its end, if it is sampled. */
  readonly isRecording: boolean;
  set(attributes: Attributes): void;
  /** Marks the work as failed. The type is a word such as `timeout` or `500`, never a message. */
  fail(type: string): void;
  /** Ends the span at a time in epoch milliseconds, by default now. A second end has no effect. */
  end(endedAt?: number): void;
}

/** Creates spans. The roof installs one that exports them; without it, nothing is recorded. */
export interface Tracer {
  start(name: string, start: SpanStart, parent: Span | undefined): Span;
}

/** The work that runs on behalf of one request or job. */
interface Context {
  /** Path of an operation or name of a queue. */
  operation: string;
  span: Span | undefined;
}

const NO_SPAN: Span = {
  traceId: '',
  spanId: '',
  isSampled: false,
  isRecording: false,
  set() {},
  fail() {},
  end() {},
};

const contexts = new AsyncLocalStorage<Context | undefined>();
let tracer: Tracer | undefined;

/** Sends spans to a tracer from now on. Returns a function that ends this. */
export function installTracer(installed: Tracer): () => void {
  tracer = installed;
  return () => {
    if (tracer === installed) tracer = undefined;
  };
}

/** A request or job that has begun. */
export interface Operation {
  span: Span;
  /** Runs a part of its work, whose spans and log lines belong to it. */
  run<T>(work: () => T): T;
}

/**
 * Begins work of which others have to know to what it belongs. Its span has to be ended; without `span`, nothing is
 * recorded.
 */
export function beginOperation(operation: string, span?: SpanStart & { name: string }): Operation {
  const begun = span && startSpan(span.name, span);
  const context = { operation, span: begun };
  return { span: begun ?? NO_SPAN, run: (work) => contexts.run(context, work) };
}

/** Like `beginOperation`, for work that is one function, with whose end the span ends. */
export function inOperation<T>(
  operation: string,
  span: SpanStart & { name: string },
  work: () => Promise<T>,
): Promise<T> {
  const begun = beginOperation(operation, span);
  return begun.run(() => settle(begun.span, work));
}

/** Runs work in a span below the current one. Without a current span, it begins a trace of its own. */
export function inSpan<T>(name: string, start: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
  const context = contexts.getStore();
  const span = startSpan(name, start);
  if (span === undefined || span === context?.span) return work(NO_SPAN);
  return contexts.run({ operation: context?.operation ?? name, span }, () => settle(span, () => work(span)));
}

/** True if what is done now belongs to a span that is recorded. */
export const isTraced = (): boolean =>
  tracer !== undefined && contexts.getStore()?.span?.isRecording === true;

/** Records work of the current span that has ended just now. Without a recorded span, nothing is recorded. */
export function recordSpan(
  name: string,
  attributes: Attributes,
  { ms, error }: { ms: number; error?: unknown },
): void {
  const parent = contexts.getStore()?.span;
  if (tracer === undefined || !parent?.isRecording) return;
  // The clock of `Date` is too coarse for most statements.
  const endedAt = performance.timeOrigin + performance.now();
  const span = tracer.start(name, { kind: 'client', attributes, startedAt: endedAt - ms }, parent);
  if (error !== undefined) span.fail(failureType(error));
  span.end(endedAt);
}

/** The current span, unless it has ended: a loop that a request has started outlives it. */
function openSpan(): Span | undefined {
  const span = contexts.getStore()?.span;
  return span?.isSampled && !span.isRecording ? undefined : span;
}

/** The span of a new piece of work, or that of its parent if the trace is not sampled. */
function startSpan(name: string, start: SpanStart): Span | undefined {
  if (tracer === undefined) return undefined;
  const parent = openSpan();
  if (parent !== undefined && !parent.isSampled && start.traceparent === undefined) return parent;
  return tracer.start(name, start, parent);
}

async function settle<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.fail(failureType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The code or class of an error. Its message may contain what no span may. */
export function failureType(error: unknown): string {
  const { code, status, kind, name } = (error ?? {}) as Record<string, unknown>;
  return (
    ([code, status, kind, name].find((word) => typeof word === 'string') as string | undefined) ?? 'error'
  );
}

/** Runs work that serves more than the current request, such as a wake-up of the relay. */
export const detached = <T>(work: () => T): T => contexts.run(undefined, work);

/** Keeps the current request or job for work that is done later, together with that of others. */
export function keepContext(): <T>(work: () => T) => T {
  const context = contexts.getStore();
  return (work) => contexts.run(context, work);
}

/** The operation or queue on whose behalf the caller runs, if any. */
export const currentOperation = (): string | undefined => contexts.getStore()?.operation;

/** The current span as a W3C `traceparent`, with which another process continues the trace. */
export function currentTraceparent(): string | undefined {
  const span = openSpan();
  return span && `00-${span.traceId}-${span.spanId}-${span.isSampled ? '01' : '00'}`;
}

/** Fields of log lines: the ids of the current trace and span, if any are recorded. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = contexts.getStore()?.span;
  return !span?.isRecording ? {} : { trace_id: span.traceId, span_id: span.spanId };
}
