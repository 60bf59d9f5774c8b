import { pino } from 'pino';
import { expect, test } from 'vitest';
import { logFault } from './log-fault.ts';

test('an unreachable database is logged as one warning per minute, and every other error with its stack', () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) });
  const unreachable = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  for (let time = 0; time < 5; time++) logFault(log, unreachable, 'events cannot be relayed', { batch: 1 });
  for (let time = 0; time < 2; time++) logFault(log, new TypeError('boom'), 'events cannot be relayed');
  expect(lines).toEqual([
    {
      level: 40,
      msg: 'events cannot be relayed',
      batch: 1,
      code: 'ECONNREFUSED',
      reason: 'connect ECONNREFUSED 127.0.0.1:1',
      next: 'later ones are counted for a minute',
    },
    expect.objectContaining({ level: 50, err: expect.objectContaining({ type: 'TypeError' }) }),
    expect.objectContaining({ level: 50 }),
  ]);
});
