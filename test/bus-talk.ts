import type { Bus } from '../src/lib/bus/bus.ts';

/** What was heard on a channel, as texts; `undefined` for what could not be carried. */
export async function hear(bus: Bus, channel: string) {
  const heard: (string | undefined)[] = [];
  const stop = await bus.subscribe(channel, (message) => {
    heard.push(message && Buffer.from(message).toString());
  });
  return { heard, stop };
}

export const say = (bus: Bus, channel: string, text: string) => bus.publish(channel, Buffer.from(text));
