import { expect, test } from 'vitest';
import { collectMessages, publishText } from '../../../test/bus-talk.ts';
import { createInProcessBus } from './in-process-bus.ts';

test('a process that is alone can send and listen, and hears nobody', async () => {
  const bus = createInProcessBus();
  const { received, stop } = await collectMessages(bus, 'page');
  await publishText(bus, 'page', 'one');
  await stop();
  expect([received, bus.isConnected()]).toEqual([[], true]);
  await bus.close();
});
