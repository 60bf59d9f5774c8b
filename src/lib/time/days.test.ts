import { expect, test } from 'vitest';
import { addDays, clockOf, countDays, isDay, isTimeZone } from './days.ts';

const startOf = (zone: string, day: string) => new Date(clockOf(zone).startOf(day)).toJSON();

test('a day begins at midnight of its zone, also around changes of the clock', () => {
  expect(startOf('UTC', '2026-11-30')).toBe('2026-11-30T00:00:00.000Z');
  expect(startOf('Europe/Berlin', '2026-03-29')).toBe('2026-03-28T23:00:00.000Z');
  expect(startOf('Europe/Berlin', '2026-03-30')).toBe('2026-03-29T22:00:00.000Z');
  expect(startOf('Europe/Berlin', '2026-10-26')).toBe('2026-10-25T23:00:00.000Z');
  expect(startOf('America/Los_Angeles', '2026-07-01')).toBe('2026-07-01T07:00:00.000Z');
  expect(startOf('Pacific/Kiritimati', '2026-01-01')).toBe('2025-12-31T10:00:00.000Z');
});

test('a day on which clocks skip midnight begins where they go on', () => {
  expect(startOf('America/Sao_Paulo', '2018-11-04')).toBe('2018-11-04T03:00:00.000Z');
});

test('days are counted and named', () => {
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
  expect(countDays('2026-02-28', '2026-03-01')).toBe(2);
  expect(clockOf('Asia/Tokyo').dayAt(Date.parse('2026-11-30T20:00:00Z'))).toBe('2026-12-01');
  expect(['2026-02-29', '2026-2-1', 'today', '2026-13-01'].some(isDay)).toBe(false);
  expect(isDay('2028-02-29')).toBe(true);
  expect(['Europe/Berlin', 'UTC'].every(isTimeZone)).toBe(true);
  expect(['+01:00', 'Mars/Olympus', ''].some(isTimeZone)).toBe(false);
});
