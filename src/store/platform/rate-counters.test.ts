import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness.ts';
import { randomId } from '../../lib/ids.ts';
import { countUse, pruneRateCounters } from './rate-counters.ts';

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
