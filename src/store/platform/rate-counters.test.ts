import { expect, test } from 'vitest';
import { testApp } from '../../../test/service/harness.ts';
import { randomId } from '../../lib/ids.ts';
import { countUse, pruneRateCounters, takeUses } from './rate-counters.ts';

const HOUR_MS = 3_600_000;

test('counters are deleted once their window is long over, and not before', async () => {
  const { deps } = await testApp();
  const now = Date.now();
  const [old, recent] = [`old ${randomId()}`, `recent ${randomId()}`];
  await countUse(deps.db, old, HOUR_MS, now - 26 * HOUR_MS);
  await countUse(deps.db, recent, HOUR_MS, now - 2 * HOUR_MS);
  await pruneRateCounters(deps.db, now);
  const left = await deps.db
    .selectFrom('rateCounters')
    .select('bucket')
    .where('bucket', 'in', [old, recent])
    .execute();
  expect(left).toEqual([{ bucket: recent }]);
});

test('a window begins with its first use, whatever the clock says', async () => {
  const { deps } = await testApp();
  const bucket = `window ${randomId()}`;
  const start = 26 * HOUR_MS - 1;
  const use = (ms: number) => countUse(deps.db, bucket, HOUR_MS, start + ms);
  expect(await use(0)).toEqual({ used: 1, resetMs: HOUR_MS });
  expect(await use(2)).toEqual({ used: 2, resetMs: HOUR_MS - 2 });
  // The clock of another process may be behind.
  expect(await use(-5)).toEqual({ used: 3, resetMs: HOUR_MS + 5 });
  expect(await use(HOUR_MS - 1)).toEqual({ used: 4, resetMs: 1 });
  expect(await use(HOUR_MS)).toEqual({ used: 1, resetMs: HOUR_MS });
  expect(await use(0)).toEqual({ used: 1, resetMs: HOUR_MS });
});

test('uses are taken together or not at all', async () => {
  const { deps } = await testApp();
  const bucket = `taken ${randomId()}`;
  const start = 26 * HOUR_MS;
  const take = (uses: number, ms: number) =>
    takeUses(deps.db, bucket, { uses, quota: 20, windowMs: HOUR_MS, now: start + ms });
  expect(await take(15, 0)).toEqual({ isGranted: true, left: 5, resetMs: HOUR_MS });
  expect(await take(6, 1)).toEqual({ isGranted: false, left: 5, resetMs: HOUR_MS - 1 });
  expect(await take(5, 2)).toEqual({ isGranted: true, left: 0, resetMs: HOUR_MS - 2 });
  expect(await take(1, HOUR_MS - 1)).toEqual({ isGranted: false, left: 0, resetMs: 1 });
  expect(await take(20, HOUR_MS)).toEqual({ isGranted: true, left: 0, resetMs: HOUR_MS });
  const many = Array.from({ length: 30 }, () => take(1, 3 * HOUR_MS));
  const granted = (await Promise.all(many)).filter(({ isGranted }) => isGranted);
  expect(granted).toHaveLength(20);
});
