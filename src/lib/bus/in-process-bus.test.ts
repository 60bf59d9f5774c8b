import { expect, test } from 'vitest';
import { hear, say } from '../../../test/bus-talk.ts';
import { createInProcessBus } from './in-process-bus.ts';

test('a bus within one process is always connected, and delivers no message back to its sender', async () => {
  const bus = createInProcessBus();
  const { heard, stop } = await hear(bus, 'page');
  await say(bus, 'page', 'one');
  await stop();
  expect([heard, bus.isConnected()]).toEqual([[], true]);
  await bus.close();
});
