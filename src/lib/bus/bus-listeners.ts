import type { Bus } from './bus.ts';

type OnMessage = Parameters<Bus['subscribe']>[1];

/** Who listens on this process. */
export interface BusListeners {
  /** Channels with at least one listener. */
  channels(): string[];
  /** Answers how to stop, which answers whether it was the last one of the channel; `isFirst` tells of the first. */
  add(channel: string, onMessage: OnMessage): { isFirst: boolean; remove(): boolean };
  tell(channel: string, message: Uint8Array | undefined): void;
  onGap: Bus['onGap'];
  tellOfGap(): void;
}

/** Keeps apart those who listen: what one of them throws goes to `onError`, and the others are told all the same. */
export function createBusListeners(onError: (error: Error) => void): BusListeners {
  const byChannel = new Map<string, Set<{ onMessage: OnMessage }>>();
  const ofGaps = new Set<{ callback: () => void }>();

  const guarded = (call: () => void) => {
    try {
      call();
    } catch (error) {
      onError(error as Error);
    }
  };
  return {
    channels: () => [...byChannel.keys()],
    add(channel, onMessage) {
      const known = byChannel.get(channel);
      const listeners = known ?? new Set();
      const mine = { onMessage };
      listeners.add(mine);
      byChannel.set(channel, listeners);
      return {
        isFirst: known === undefined,
        remove() {
          if (!listeners.delete(mine) || listeners.size > 0) return false;
          byChannel.delete(channel);
          return true;
        },
      };
    },
    tell(channel, message) {
      for (const { onMessage } of [...(byChannel.get(channel) ?? [])]) guarded(() => onMessage(message));
    },
    onGap(callback) {
      const mine = { callback };
      ofGaps.add(mine);
      return () => void ofGaps.delete(mine);
    },
    tellOfGap() {
      for (const { callback } of [...ofGaps]) guarded(callback);
    },
  };
}
