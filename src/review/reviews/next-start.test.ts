import { expect, test } from 'vitest';
import { ApiError } from '../../lib/errors.ts';
import { nextStart, requireNextStart } from './next-start.ts';

const at = (text: string) => Date.parse(text);
const next = (cron: string, timeZone: string, after: string) =>
  new Date(nextStart({ cron, timeZone }, at(after))!).toISOString();

test('a start is at the hour of its time zone, over the changes of its clock', () => {
  expect(next('0 7 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z')).toBe('2026-03-28T06:00:00.000Z');
  expect(next('0 7 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z')).toBe('2026-03-29T05:00:00.000Z');
  expect(next('0 7 * * 1', 'UTC', '2026-11-26T00:00:00Z')).toBe('2026-11-30T07:00:00.000Z');
});

test('an hour that comes twice in autumn starts once, and one that spring leaves out starts after it', () => {
  const autumn = nextStart({ cron: '30 2 * * *', timeZone: 'Europe/Berlin' }, at('2026-10-24T12:00:00Z'))!;
  const after = nextStart({ cron: '30 2 * * *', timeZone: 'Europe/Berlin' }, autumn)!;
  expect(after - autumn).toBeGreaterThan(23 * 3_600_000);
  expect(next('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z').slice(0, 10)).toBe('2026-03-29');
});

test.each([
  ['0 7 * *', 'UTC', /cron is no cron expression of five fields/],
  ['0 0 7 * * *', 'UTC', /cron is no cron expression of five fields/],
  ['2027-01-01T00:00:00', 'UTC', /cron is no cron expression of five fields/],
  ['@midnight', 'UTC', /cron is no cron expression of five fields/],
  ['61 7 * * *', 'UTC', /cron is no cron expression of five fields/],
  ['0 0 30 2 *', 'UTC', /names no time in the future/],
  ['* * * * *', 'UTC', /at most every five minutes/],
  ['0,1 7 * * *', 'UTC', /at most every five minutes/],
  ['0 7 * * *', 'Mars/Olympus', /timeZone Mars\/Olympus is no time zone/],
])('%s in %s is refused by name', (cron, timeZone, message) => {
  const refusal = (() => {
    try {
      return requireNextStart({ cron, timeZone }, at('2026-11-26T00:00:00Z'));
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toBeInstanceOf(ApiError);
  expect((refusal as ApiError).message).toMatch(message);
});
