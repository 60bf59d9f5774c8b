import { expect, test } from 'vitest';
import { describeDuration } from './time.tsx';

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
