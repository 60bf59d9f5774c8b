import { expect, test } from 'vitest';
import { collectMessages, publishText } from '../../../test/live/bus-talk.ts';
import { createInProcessBus } from './in-process-bus.ts';

test('a bus within one process is always connected, and delivers no message back to its sender', async () => {
  const bus = createInProcessBus();
  const { received, stop } = await collectMessages(bus, 'page');
  await publishText(bus, 'page', 'one');
  await stop();
  expect([received, bus.isConnected()]).toEqual([[], true]);
  await bus.close();
});
