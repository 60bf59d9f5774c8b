import type { LogEvent } from '@redpen/client';
import { expect, test } from 'vitest';
import { followLogs, type RunLogLine, withLines } from './run-log.ts';

const event = (id: string, at: number): LogEvent => ({
  id,
  at,
  level: 'info',
  kind: 'note',
  message: id,
  data: {},
});

/** Logs that grow by a line with each request, and a service that is away at some requests. */
function logsOf(lengths: Record<string, number>, awayAt: readonly number[]) {
  let requests = 0;
  return async (executionId: string, after: string | null) => {
    if (awayAt.includes(++requests)) throw new Error('away');
    const known = after === null ? 0 : Number(after);
    const next = known + 1;
    return {
      events: [event(`${executionId}${next}`, next)],
      next: `${next}`,
      done: next === lengths[executionId],
    };
  };
}

test('the lines of all runs arrive once each and in order, although the service is away now and then', async () => {
  const signal = new AbortController().signal;
  let lines: readonly RunLogLine[] = [];
  await followLogs(
    [
      { executionId: 'a', agentName: 'A' },
      { executionId: 'b', agentName: 'B' },
    ],
    {
      read: logsOf({ a: 3, b: 5 }, [1, 4, 5, 8]),
      isAway: () => true,
      pause: async () => {},
      onLines: (more) => {
        lines = withLines(lines, more);
      },
    },
    signal,
  );
  expect(lines.map(({ id }) => id).toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'b4', 'b5']);
  expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).toSorted((one, other) => one - other));
});

test('a refusal ends the log with its error', async () => {
  const refused = followLogs(
    [{ executionId: 'a', agentName: 'A' }],
    {
      read: async () => {
        throw new Error('refused');
      },
      isAway: () => false,
      pause: async () => {},
      onLines: () => {},
    },
    new AbortController().signal,
  );
  await expect(refused).rejects.toThrow('refused');
});
