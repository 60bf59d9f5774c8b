import { setImmediate } from 'node:timers/promises';

const AT_ONCE = 1_000;

/** Does something for many ids, so many at a time; in between the process gets to do other things. */
export async function inParts(ids: string[], change: (part: string[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    await change(ids.slice(from, from + AT_ONCE));
    // The embedded database answers without ever giving way to what waits for the network.
    await setImmediate();
  }
}
