import { expect, test } from 'vitest';
import { OperationLimits } from './operation-limits.ts';

/** A counter as the database is one, with a clock and what was asked of it. */
function counter() {
  const asked = { atOnce: 0, most: 0, times: 0 };
  const clock = { now: 60_000 };
  const used = new Map<string, number>();
  let fault: Error | undefined;
  const limits = new OperationLimits(
    async (bucket, now) => {
      asked.times += 1;
      asked.atOnce += 1;
      asked.most = Math.max(asked.most, asked.atOnce);
      await new Promise(setImmediate);
      asked.atOnce -= 1;
      if (fault) throw fault;
      const window = `${bucket} ${Math.floor(now / 60_000)}`;
      used.set(window, (used.get(window) ?? 0) + 1);
      return { used: used.get(window)!, resetMs: 60_000 - (now % 60_000) };
    },
    () => clock.now,
  );
  return {
    asked,
    clock,
    failWith: (error: Error | undefined) => {
      fault = error;
    },
    use: (bucket: string) => limits.use(bucket, 3),
  };
}

test('a bucket is counted one use after the other, and not at all once it is over its quota', async () => {
  const { asked, clock, use } = counter();
  const uses = await Promise.all(Array.from({ length: 50 }, () => use('a')));
  expect(uses.map(({ used }) => used)).toEqual([1, 2, 3, ...Array(47).fill(4)]);
  expect(asked).toMatchObject({ most: 1, times: 4 });
  clock.now += 20_000;
  expect(await use('a')).toEqual({ used: 4, resetMs: 40_000 });
  expect(asked.times).toBe(4);
  clock.now += 40_000;
  expect(await use('a')).toEqual({ used: 1, resetMs: 60_000 });
});

test('buckets do not wait for each other', async () => {
  const { asked, use } = counter();
  await Promise.all(['a', 'b', 'c'].map(use));
  expect(asked.most).toBe(3);
});

test('uses that wait in line fail with the one before them, and later ones are counted', async () => {
  const { asked, failWith, use } = counter();
  failWith(new Error('The database is away.'));
  const uses = await Promise.allSettled([use('a'), use('a'), use('a')]);
  expect(uses.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(asked.times).toBe(1);
  failWith(undefined);
  expect(await use('a')).toMatchObject({ used: 1 });
});
