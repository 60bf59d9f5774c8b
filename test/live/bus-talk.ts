import type { Bus } from '../../src/lib/bus/bus.ts';

/** Subscribes to a channel and collects its messages as texts; `undefined` for a message that was too large. */
export async function collectMessages(bus: Bus, channel: string) {
  const received: (string | undefined)[] = [];
  const stop = await bus.subscribe(channel, (message) => {
    received.push(message && Buffer.from(message).toString());
  });
  return { received, stop };
}

export const publishText = (bus: Bus, channel: string, text: string) =>
  bus.publish(channel, Buffer.from(text));
