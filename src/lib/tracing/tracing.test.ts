import { expect, onTestFinished, test } from 'vitest';
import {
  beginOperation,
  currentOperation,
  currentTraceparent,
  detached,
  failureType,
  inSpan,
  installTracer,
  keepContext,
  recordSpan,
  type Span,
  traceFields,
} from './tracing.ts';

interface Recorded {
  name: string;
  parent: string | undefined;
  failure?: string;
}

/** Installs a tracer whose spans have their name as id. Those named `unsampled` are not sampled. */
function record(): Recorded[] {
  const spans: Recorded[] = [];
  const start = (name: string, _start: object, parent: Span | undefined): Span => {
    const span: Recorded = { name, parent: parent?.spanId };
    const isSampled = name !== 'unsampled';
    let isOpen = true;
    return {
      traceId: 'trace',
      spanId: name,
      isSampled,
      get isRecording() {
        return isSampled && isOpen;
      },
      set() {},
      fail(type) {
        span.failure = type;
      },
      end() {
        if (isOpen && isSampled) spans.push(span);
        isOpen = false;
      },
    };
  };
  onTestFinished(installTracer({ start }));
  return spans;
}

test('without a tracer, work runs without a span, and still knows its operation', async () => {
  const { run } = beginOperation('/v2/a', { name: 'POST /v2/a' });
  const seen = await run(() => inSpan('b', {}, async (span) => [currentOperation(), span.isRecording]));
  expect(seen).toEqual(['/v2/a', false]);
  expect(run(() => [traceFields(), currentTraceparent()])).toEqual([{}, undefined]);
  expect(currentOperation()).toBeUndefined();
});

test('spans find their parent across awaits, and a failure has its type', async () => {
  const spans = record();
  const { span, run } = beginOperation('/v2/a', { name: 'request' });
  const work = run(() =>
    inSpan('page', {}, async () => {
      await new Promise(setImmediate);
      recordSpan('SELECT a', {}, { ms: 1, error: { code: '23505' } });
      expect(traceFields()).toEqual({ trace_id: 'trace', span_id: 'page' });
      throw new TypeError('a secret');
    }),
  );
  await expect(work).rejects.toThrow('a secret');
  span.end();
  expect(spans).toEqual([
    { name: 'SELECT a', parent: 'page', failure: '23505' },
    { name: 'page', parent: 'request', failure: 'TypeError' },
    { name: 'request', parent: undefined },
  ]);
});

test('nothing is recorded below a trace that is not sampled, and jobs learn of it', async () => {
  const spans = record();
  const { run } = beginOperation('/v2/a', { name: 'unsampled' });
  await run(() => inSpan('page', {}, async () => recordSpan('SELECT a', {}, { ms: 1 })));
  expect(run(currentTraceparent)).toBe('00-trace-unsampled-00');
  expect(run(traceFields)).toEqual({});
  expect(spans).toEqual([]);
});

test('what goes on after the end of a request, or is detached from it, is no part of it', async () => {
  const spans = record();
  const { span, run } = beginOperation('/v2/a', { name: 'request' });
  const keep = run(keepContext);
  expect(keep(currentTraceparent)).toBe('00-trace-request-01');
  expect(run(() => detached(currentTraceparent))).toBeUndefined();
  span.end();
  await keep(() => inSpan('loop', {}, async () => {}));
  keep(() => recordSpan('SELECT a', {}, { ms: 1 }));
  expect(keep(() => [currentTraceparent(), traceFields()])).toEqual([undefined, {}]);
  expect(spans).toEqual([
    { name: 'request', parent: undefined },
    { name: 'loop', parent: undefined },
  ]);
});

test.each([
  [{ code: 'ECONNRESET', name: 'Error' }, 'ECONNRESET'],
  [{ code: 401, kind: 'rejected' }, 'rejected'],
  [new RangeError('x'), 'RangeError'],
  [undefined, 'error'],
  ['a text', 'error'],
])('%o has the type %s', (error, type) => {
  expect(failureType(error)).toBe(type);
});
