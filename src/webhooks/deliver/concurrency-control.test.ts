import { expect, test } from 'vitest';
import { ConcurrencyControl } from './concurrency-control.ts';

test('a rate limit spaces deliveries evenly, and a lane that fell behind catches up on little', () => {
  const control = new ConcurrencyControl();
  const times: number[] = [];
  let now = 10_000;
  const deliver = () => {
    now += control.rateDelayMs(20, now);
    times.push(now);
    control.countDelivery(20, now);
  };
  for (let count = 0; count < 20; count++) deliver();
  // A stall, such as that of a busy machine.
  now += 5_000;
  for (let count = 0; count < 20; count++) deliver();
  for (const at of times) {
    const within = times.filter((other) => other >= at && other < at + 500).length;
    expect(within).toBeLessThanOrEqual(11);
  }
});

test('without a rate limit no delivery waits', () => {
  const control = new ConcurrencyControl();
  control.countDelivery(null, 1);
  expect(control.rateDelayMs(null, 1)).toBe(0);
});
