import { expect, test } from 'vitest';
import { describeDuration, describeTime } from './time.ts';

test('a duration never has 60 seconds or 1,000 milliseconds', () => {
  const words: Record<number, string> = {
    0: '0 ms',
    840.4: '840 ms',
    999.9: '1.0 s',
    12340: '12.3 s',
    59940: '59.9 s',
    59960: '1 min 0 s',
    119700: '2 min 0 s',
    245000: '4 min 5 s',
  };
  for (const [ms, expected] of Object.entries(words)) expect(describeDuration(Number(ms))).toBe(expected);
});

test('what is past counts whole units, and what is to come is rounded', () => {
  const minutes = (count: number): number => count * 60_000;
  const days = (count: number): number => minutes(count * 24 * 60);
  const words: [number, string][] = [
    [minutes(-59.9), '59 minutes ago'],
    [minutes(-119), '1 hour ago'],
    [days(-6.9), '6 days ago'],
    [minutes(1.4), 'in 1 minute'],
    [minutes(59.9), 'in 1 hour'],
    [minutes(23.9 * 60), 'tomorrow'],
    [days(6.99), 'in 7 days'],
  ];
  const now = Date.UTC(2026, 10, 27);
  for (const [ms, expected] of words) expect(describeTime(now + ms, now)).toBe(expected);
});
