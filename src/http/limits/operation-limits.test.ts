import { expect, test } from 'vitest';
import { OperationLimits } from './operation-limits.ts';

/** A counter in place of the database, with a clock and a record of its calls. */
function createCounter() {
  const calls = { concurrent: 0, maxConcurrent: 0, total: 0 };
  const clock = { now: 60_000 };
  const used = new Map<string, number>();
  let fault: Error | undefined;
  const limits = new OperationLimits(
    async (bucket, now) => {
      calls.total += 1;
      calls.concurrent += 1;
      calls.maxConcurrent = Math.max(calls.maxConcurrent, calls.concurrent);
      await new Promise(setImmediate);
      calls.concurrent -= 1;
      if (fault) throw fault;
      const window = `${bucket} ${Math.floor(now / 60_000)}`;
      used.set(window, (used.get(window) ?? 0) + 1);
      return { used: used.get(window)!, resetMs: 60_000 - (now % 60_000) };
    },
    () => clock.now,
  );
  return {
    calls,
    clock,
    failWith: (error: Error | undefined) => {
      fault = error;
    },
    use: (bucket: string) => limits.use(bucket, 3),
  };
}

test('uses of one bucket are counted one after the other, and not at all once it is over its quota', async () => {
  const { calls, clock, use } = createCounter();
  const uses = await Promise.all(Array.from({ length: 50 }, () => use('a')));
  expect(uses.map(({ used }) => used)).toEqual([1, 2, 3, ...Array(47).fill(4)]);
  expect(calls).toMatchObject({ maxConcurrent: 1, total: 4 });
  clock.now += 20_000;
  expect(await use('a')).toEqual({ used: 4, resetMs: 40_000 });
  expect(calls.total).toBe(4);
  clock.now += 40_000;
  expect(await use('a')).toEqual({ used: 1, resetMs: 60_000 });
});

test('buckets are counted concurrently', async () => {
  const { calls, use } = createCounter();
  await Promise.all(['a', 'b', 'c'].map(use));
  expect(calls.maxConcurrent).toBe(3);
});

test('queued uses fail with the one before them, and later uses are counted', async () => {
  const { calls, failWith, use } = createCounter();
  failWith(new Error('The database is away.'));
  const uses = await Promise.allSettled([use('a'), use('a'), use('a')]);
  expect(uses.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(calls.total).toBe(1);
  failWith(undefined);
  expect(await use('a')).toMatchObject({ used: 1 });
});
