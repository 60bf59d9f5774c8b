import { expect, test } from 'vitest';
import { describeCron, nextTimes } from './cron-words.ts';

test.each([
  ['0 7 * * 1', 'Every Monday at 07:00.'],
  ['30 6 * * *', 'Every day at 06:30.'],
  ['0 7 * * 1-5', 'From Monday to Friday at 07:00.'],
  ['0 7,19 * * mon,thu', 'On Monday and Thursday at 07:00 and 19:00.'],
  ['0 * * * *', 'Every hour, on the hour.'],
  ['15 */6 * * *', 'Every 6 hours, at minute 15.'],
  ['*/10 * * * *', 'Every 10 minutes.'],
  ['*/10 * * * 0', 'Every 10 minutes, every Sunday.'],
  ['0 5 1 * *', 'On day 1 of each month at 05:00.'],
  ['0 5 1,15 1,7 *', 'On days 1 and 15 of January and July at 05:00.'],
  ['0 5 L * *', 'On the last day of each month at 05:00.'],
])('%s means: %s', (cron, words) => {
  expect(describeCron(cron)).toBe(words);
});

test.each(['0 5 1 * 1', '0 5 * *', '5-10 3 * * *', 'x y z a b', '0 25 * * *'])(
  '%s has no short words',
  (cron) => {
    expect(describeCron(cron)).toBeUndefined();
  },
);

test('the next times are those of the time zone, over a change of its clocks', () => {
  const found = nextTimes('30 7 * * *', 'Europe/Berlin', 3, new Date('2026-10-23T12:00:00Z'));
  expect(found).toEqual({
    times: ['2026-10-24T05:30:00.000Z', '2026-10-25T06:30:00.000Z', '2026-10-26T06:30:00.000Z'].map(
      (at) => new Date(at),
    ),
  });
});

test('says why there are no times', () => {
  expect(nextTimes('0 7 * *', 'UTC', 5)).toEqual({ problem: 'Give five fields.' });
  expect(nextTimes('0 7 * * 9', 'UTC', 5)).toEqual({ problem: expect.stringMatching(/./) });
  expect(nextTimes('0 7 * * 1', 'Nowhere/None', 5)).toEqual({ problem: expect.stringMatching(/./) });
  expect(nextTimes('0 7 30 2 *', 'UTC', 5)).toEqual({ problem: expect.stringMatching(/./) });
});
