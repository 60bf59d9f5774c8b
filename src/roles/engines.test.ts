import { expect, test } from 'vitest';
import { ONLY_FOR_WEBHOOKS } from '../events/insert-events.ts';
import type { Jobs } from '../jobs/queue.ts';
import { fanOutToWebhooks } from '../webhooks/compose/fan-out.ts';
import { subscribersOf } from './engines.ts';

test('no subscriber but webhooks wants an event that is not written without endpoints', () => {
  const others = subscribersOf({} as Jobs).filter((one) => one !== fanOutToWebhooks);
  const wanted = others.flatMap(({ events }) => events).filter((name) => ONLY_FOR_WEBHOOKS.has(name));
  expect(wanted).toEqual([]);
});
