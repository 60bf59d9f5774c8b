import type { Delivery } from '@redpen/client';
import { expect, it } from 'vitest';
import { mergedDeliveries, pageOf } from './merged-deliveries.ts';

const delivery = (endpointId: string, createdAt: number): Delivery => ({
  webhookId: `evt_${createdAt}`,
  endpointId,
  eventType: 'comment.add',
  status: 'delivered',
  createdAt,
  nextAttemptAt: null,
  finishedAt: createdAt,
  attempts: [],
});

const timesOf = (deliveries: readonly Delivery[]) => deliveries.map(({ createdAt }) => createdAt);

it('joins the deliveries of endpoints, newest first', () => {
  const page = pageOf(
    new Map([
      ['a', { deliveries: [delivery('a', 9), delivery('a', 5)], iterator: null }],
      ['b', { deliveries: [delivery('b', 7)], iterator: null }],
    ]),
  );
  expect(page.next).toBeUndefined();
  expect(timesOf(mergedDeliveries([page]))).toEqual([9, 7, 5]);
});

it('shows no delivery below a gap that the next page fills', () => {
  const first = pageOf(
    new Map([
      ['busy', { deliveries: [delivery('busy', 9), delivery('busy', 8)], iterator: 'more' }],
      ['quiet', { deliveries: [delivery('quiet', 2)], iterator: null }],
    ]),
  );
  expect(first.next).toEqual({ busy: 'more' });
  expect(timesOf(mergedDeliveries([first]))).toEqual([9, 8]);

  const second = pageOf(
    new Map([['busy', { deliveries: [delivery('busy', 4), delivery('busy', 1)], iterator: null }]]),
  );
  expect(timesOf(mergedDeliveries([first, second]))).toEqual([9, 8, 4, 2, 1]);
});

it('is empty without pages', () => {
  expect(mergedDeliveries([])).toEqual([]);
});
