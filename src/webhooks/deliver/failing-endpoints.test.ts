import { expect, test } from 'vitest';
import { dueNotice } from './failing-endpoints.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const never = { toldPercent: 0, toldAt: null };

test.each([
  ['not failing', { failingSince: null, ...never }, 100 * DAY, undefined],
  ['failing for two days', { failingSince: 0, ...never }, 2 * DAY, undefined],
  ['half way', { failingSince: 0, ...never }, 2.5 * DAY, 50],
  ['notified at half way', { failingSince: 0, toldPercent: 50, toldAt: 2.5 * DAY }, 4.4 * DAY, undefined],
  ['nine tenths', { failingSince: 0, toldPercent: 50, toldAt: 2.5 * DAY }, 4.5 * DAY, 90],
  ['at the end', { failingSince: 0, toldPercent: 90, toldAt: 4.5 * DAY }, 5 * DAY, 100],
  ['disabled already', { failingSince: 0, toldPercent: 100, toldAt: 5 * DAY }, 9 * DAY, undefined],
  ['one failure long ago and one now', { failingSince: 0, ...never }, 30 * DAY, 50],
  [
    'notified an hour ago, because failures are rare',
    { failingSince: 0, toldPercent: 50, toldAt: 30 * DAY },
    30 * DAY + HOUR,
    undefined,
  ],
  [
    'notified half a day ago',
    { failingSince: 0, toldPercent: 50, toldAt: 30 * DAY },
    30 * DAY + 12 * HOUR,
    90,
  ],
] as const)('the notice of an endpoint, %s, is due as scheduled', (_case, health, now, percent) => {
  expect(dueNotice(health, now)).toBe(percent);
});
