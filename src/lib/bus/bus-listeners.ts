import type { Bus } from './bus.ts';

type OnMessage = Parameters<Bus['subscribe']>[1];

/** Listeners of one process, by channel. */
export interface BusListeners {
  /** Channels with at least one listener. */
  channels(): string[];
  /** `isFirst` is true for the first listener of the channel. `remove` returns true for the last one. */
  add(channel: string, onMessage: OnMessage): { isFirst: boolean; remove(): boolean };
  emit(channel: string, message: Uint8Array | undefined): void;
  onGap: Bus['onGap'];
  notifyGap(): void;
}

/**
 * Isolates listeners from each other: an error that a listener throws goes to `onError`, and the others still get the
 * message.
 */
export function createBusListeners(onError: (error: Error) => void): BusListeners {
  const byChannel = new Map<string, Set<{ onMessage: OnMessage }>>();
  const gapListeners = new Set<{ callback: () => void }>();

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
    emit(channel, message) {
      for (const { onMessage } of [...(byChannel.get(channel) ?? [])]) guarded(() => onMessage(message));
    },
    onGap(callback) {
      const mine = { callback };
      gapListeners.add(mine);
      return () => void gapListeners.delete(mine);
    },
    notifyGap() {
      for (const { callback } of [...gapListeners]) guarded(callback);
    },
  };
}
