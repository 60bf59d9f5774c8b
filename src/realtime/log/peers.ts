import { randomBytes } from 'node:crypto';
import type { Bus } from '../../lib/bus/bus.ts';

/** The other processes, as far as they say that they are there. */
export interface Peers {
  /** How many processes say that they are there, this one among them. */
  count(): number;
  /** Somebody has not been heard of for longer than usual, and may be dead. */
  isDoubtful(): boolean;
  stop(): Promise<void>;
}

interface PeerOptions {
  bus: Bus;
  /** Processes of one channel count each other. */
  channel?: string;
  /** A process fell silent without taking leave. What it stored last it may have told nobody. */
  onLost?(): void;
  everyMs?: number;
}

const CHANNEL = 'peers';
const HERE = 1;
const LEAVING = 0;
const EVERY_MS = 1_000;

/** Tells other processes every second that this one is there, and notices when one of them is not any more. */
export function createPeers({ bus, channel = CHANNEL, onLost, everyMs = EVERY_MS }: PeerOptions): Peers {
  const name = randomBytes(8);
  const heardAt = new Map<string, number>();
  const tell = (state: number) => bus.publish(channel, Uint8Array.from([state, ...name])).catch(() => {});
  const listening = bus.subscribe(channel, (message) => {
    if (!message) return;
    const peer = Buffer.from(message.subarray(1)).toString('hex');
    if (message[0] === HERE) heardAt.set(peer, Date.now());
    else heardAt.delete(peer);
  });
  listening.catch(() => {});
  const timer = setInterval(() => {
    void tell(HERE);
    for (const [peer, at] of heardAt) {
      // While messages do not go through, nobody is heard of, and all is read again afterwards.
      if (!bus.isConnected()) heardAt.set(peer, Date.now());
      else if (Date.now() - at > 3 * everyMs) {
        heardAt.delete(peer);
        onLost?.();
      }
    }
  }, everyMs);

  return {
    count: () => heardAt.size + 1,
    isDoubtful: () => [...heardAt.values()].some((at) => Date.now() - at > 1.5 * everyMs),
    async stop() {
      clearInterval(timer);
      await tell(LEAVING);
      await listening.then((stop) => stop()).catch(() => {});
    },
  };
}
