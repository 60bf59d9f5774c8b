import type { Logger } from 'pino';
import { expect, test } from 'vitest';
import { RenewalLog } from './renewal-log.ts';

test('a change of the model is logged at its start, each minute and at its end, and failures do not count as done', () => {
  let now = 1_000;
  const told: [object, string][] = [];
  const log = { info: (...line: [object, string]) => void told.push(line) } as unknown as Logger;
  const renewal = new RenewalLog(log, () => now);
  renewal.foundNone();
  renewal.ended(0, true);
  expect(told).toEqual([]);

  const work = (many: number, isDone: boolean) => {
    renewal.began(many, 'm');
    renewal.ended(many, isDone);
  };
  work(32, true);
  now += 59_000;
  work(32, true);
  expect(told).toEqual([[{ model: 'm' }, expect.any(String)]]);
  now += 1_000;
  work(32, true);
  work(32, true);
  expect(told.slice(1)).toEqual([[{ renewed: 96 }, expect.any(String)]]);

  work(8, false);
  renewal.foundNone();
  renewal.began(8, 'm');
  renewal.foundNone();
  expect(told).toHaveLength(2);
  renewal.ended(8, true);
  renewal.foundNone();
  renewal.foundNone();
  expect(told.slice(2)).toEqual([[{ renewed: 136 }, expect.any(String)]]);

  work(1, true);
  expect(told).toHaveLength(4);
});
