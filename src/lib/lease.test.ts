import { expect, test } from 'vitest';
import { until } from '../../test/run/until.ts';
import { keepLease } from './lease.ts';

test('a lease is renewed until another process has it, even after a renewal throws', async () => {
  const errors: unknown[] = [];
  const outcomes = [true, new Error('no connection'), true, false];
  let renewals = 0;
  const { lost } = keepLease(
    async () => {
      const outcome = outcomes[renewals++];
      if (outcome instanceof Error) throw outcome;
      return outcome!;
    },
    { everyMs: 1, onError: (error) => errors.push(error) },
  );
  await until(() => lost.aborted, 'the loss');
  expect([renewals, errors]).toEqual([4, [new Error('no connection')]]);
});

test('stop ends the renewals, and the lease does not count as lost', async () => {
  let renewals = 0;
  const { lost, stop } = keepLease(
    async () => {
      renewals += 1;
      if (renewals === 3) stop();
      return true;
    },
    { everyMs: 1, onError: () => {} },
  );
  let others = 0;
  const other = keepLease(async () => ++others < 50, { everyMs: 1, onError: () => {} });
  await until(() => other.lost.aborted, 'another lease to have been renewed more often');
  expect([renewals, lost.aborted]).toEqual([3, false]);
});
