import { randomBytes } from 'node:crypto';
import type { Bus } from '../../lib/bus/bus.ts';

/** The other processes of the service, by their heartbeats over the bus. */
export interface Peers {
  /** Number of live processes, this one included. */
  count(): number;
  /** True if a heartbeat is late, so that its process may be dead. */
  isDoubtful(): boolean;
  stop(): Promise<void>;
}

interface PeerOptions {
  bus: Bus;
  /** Processes on the same channel count each other. */
  channel?: string;
  /** A node stopped its heartbeat without saying goodbye; its last writes may not have been broadcast. */
  onLost?(): void;
  everyMs?: number;
}

const CHANNEL = 'peers';
const HERE = 1;
const LEAVING = 0;
const EVERY_MS = 1_000;

/** Sends a heartbeat every second, and notices when that of another process stops. */
export function createPeers({ bus, channel = CHANNEL, onLost, everyMs = EVERY_MS }: PeerOptions): Peers {
  const name = randomBytes(8);
  const lastSeen = new Map<string, number>();
  const send = (state: number) => bus.publish(channel, Uint8Array.from([state, ...name])).catch(() => {});
  const listening = bus.subscribe(channel, (message) => {
    if (!message) return;
    const peer = Buffer.from(message.subarray(1)).toString('hex');
    if (message[0] === HERE) lastSeen.set(peer, Date.now());
    else lastSeen.delete(peer);
  });
  listening.catch(() => {});
  const timer = setInterval(() => {
    void send(HERE);
    for (const [peer, at] of lastSeen) {
      // While the bus is away no heartbeat arrives, and everything is read again afterwards.
      if (!bus.isConnected()) lastSeen.set(peer, Date.now());
      else if (Date.now() - at > 3 * everyMs) {
        lastSeen.delete(peer);
        onLost?.();
      }
    }
  }, everyMs);

  return {
    count: () => lastSeen.size + 1,
    isDoubtful: () => [...lastSeen.values()].some((at) => Date.now() - at > 1.5 * everyMs),
    async stop() {
      clearInterval(timer);
      await send(LEAVING);
      await listening.then((unsubscribe) => unsubscribe()).catch(() => {});
    },
  };
}
