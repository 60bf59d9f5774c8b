import type { Logger } from 'pino';
import { expect, test } from 'vitest';
import { RenewalLog } from './renewal-log.ts';

test('a change of the model is logged at its start, each minute and at its end, and failures do not count as done', () => {
  let now = 1_000;
  const lines: [object, string][] = [];
  const log = { info: (...line: [object, string]) => void lines.push(line) } as unknown as Logger;
  const renewal = new RenewalLog(log, () => now);
  renewal.foundNone();
  renewal.ended(0, true);
  expect(lines).toEqual([]);

  const renew = (many: number, isDone: boolean) => {
    renewal.began(many, 'm');
    renewal.ended(many, isDone);
  };
  renew(32, true);
  now += 59_000;
  renew(32, true);
  expect(lines).toEqual([[{ model: 'm' }, expect.any(String)]]);
  now += 1_000;
  renew(32, true);
  renew(32, true);
  expect(lines.slice(1)).toEqual([[{ renewed: 96 }, expect.any(String)]]);

  renew(8, false);
  renewal.foundNone();
  renewal.began(8, 'm');
  renewal.foundNone();
  expect(lines).toHaveLength(2);
  renewal.ended(8, true);
  renewal.foundNone();
  renewal.foundNone();
  expect(lines.slice(2)).toEqual([[{ renewed: 136 }, expect.any(String)]]);

  renew(1, true);
  expect(lines).toHaveLength(4);
});
