import { expect, onTestFinished, test } from 'vitest';
import { beginOperation, installTracer } from '../../lib/tracing/tracing.ts';
import { createLog, type LogOptions } from './create-log.ts';

/** The output that `work` logs. */
function written(options: Partial<LogOptions>, work: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  work(createLog({ level: 'debug', format: 'pretty', ...options }, { write: (line) => lines.push(line) }));
  return lines.join('');
}

const TIME = /^\d\d:\d\d:\d\d\.\d{3} /;

test('a JSON entry has the level as a word, the time in ISO 8601 and the service', () => {
  const entry = JSON.parse(written({ format: 'json' }, (log) => log.info({ pages: 3 }, 'a run ends')));
  expect(entry).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    service: 'redpen',
    pages: 3,
    msg: 'a run ends',
  });
});

test('a pretty entry is one line of time, level, message and fields', () => {
  const line = written({}, (log) =>
    log.warn(
      { url: 'https://a.test/b', code: 'TIMEOUT', why: 'It took long.', roles: ['api', 'worker'] },
      'it is late',
    ),
  );
  expect(line).toMatch(TIME);
  expect(line.replace(TIME, '')).toBe(
    'WARN:  it is late url=https://a.test/b code=TIMEOUT why="It took long." roles=api,worker\n',
  );
});

test('colors are written only if they are enabled', () => {
  const work = (log: ReturnType<typeof createLog>) => log.info({ a: 1 }, 'x');
  expect(written({ hasColors: true }, work)).toContain('\u001b[');
  expect(written({ hasColors: false }, work)).not.toContain('\u001b');
});

test('values and messages cannot forge a line or control the terminal', () => {
  const forged = 'x\r\n12:00:00.000 INFO: forged\u2028\u001b[2J\u009b\u202e';
  const line = written({}, (log) =>
    log.info({ value: forged, [forged]: 1, list: [forged], deep: { value: forged } }, forged),
  );
  expect(line.trimEnd().split(/[\n\r\u2028]/)).toHaveLength(1);
  expect(line.trimEnd()).not.toMatch(/[\p{Cc}\u202e]/u);
  const json = written({ format: 'json' }, (log) => log.info({ value: forged }, forged));
  expect(json.trimEnd().split(/[\n\r]/)).toHaveLength(1);
});

test('only errors have a stack, which is indented, and their message cannot start a line', () => {
  const error = new Error('boom\n12:00:00.000 INFO: forged', { cause: new TypeError('within') });
  const [first, ...stack] = written({}, (log) => log.error({ err: error }, 'a chore fails'))
    .trimEnd()
    .split('\n');
  expect(first!.replace(TIME, '')).toBe('ERROR: a chore fails');
  expect(stack.length).toBeGreaterThan(3);
  expect(stack.filter((line) => !line.startsWith('    '))).toEqual([]);
  expect(stack.join('\n')).toContain('caused by: TypeError: within');
  const warned = written({}, (log) => log.warn({ err: new Error('it is full') }, 'a chore waits'));
  expect(warned.replace(TIME, '')).toBe('WARN:  a chore waits error="it is full"\n');
});

test.each(['pretty', 'json'] as const)('secrets are left out of %s lines', (format) => {
  const text = written({ format }, (log) =>
    log.info(
      {
        token: 'SECRET',
        authorization: 'SECRET',
        headers: { cookie: 'SECRET' },
        key: { authToken: 'SECRET', password: 'SECRET' },
        err: Object.assign(new Error('refused by https://ada:SECRET@a.test/b?key=SECRET.'), {
          body: 'SECRET',
        }),
      },
      'x',
    ),
  );
  expect(text).not.toContain('SECRET');
  expect(text).toContain('https://a.test/b.');
});

test('lines within a trace end with its ids, and other lines have none', () => {
  const span = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    isSampled: true,
    isRecording: true,
    set() {},
    fail() {},
    end() {},
  };
  onTestFinished(installTracer({ start: () => span }));
  const { run } = beginOperation('/v2/a', { name: 'POST /v2/a' });
  const work = (log: ReturnType<typeof createLog>) => {
    log.info({ ms: 1 }, 'outside');
    run(() => log.child({ id: 'c' }).info({ ms: 2 }, 'inside'));
  };
  const [outside, inside] = written({}, work).trimEnd().split('\n');
  expect(outside?.replace(TIME, '')).toBe('INFO:  outside ms=1');
  expect(inside?.replace(TIME, '')).toBe(
    `INFO:  inside id=c ms=2 trace_id=${span.traceId} span_id=${span.spanId}`,
  );
});
