import { expect, test } from 'vitest';
import { hear, say } from '../../../test/bus-talk.ts';
import { createInProcessBus } from './in-process-bus.ts';

test('a process that is alone can send and listen, and hears nobody', async () => {
  const bus = createInProcessBus();
  const { heard, stop } = await hear(bus, 'page');
  await say(bus, 'page', 'one');
  await stop();
  expect([heard, bus.isConnected()]).toEqual([[], true]);
  await bus.close();
});
