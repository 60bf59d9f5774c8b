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
