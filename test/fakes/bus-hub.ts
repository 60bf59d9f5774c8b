import type { Bus } from '../../src/lib/bus/bus.ts';

export interface BusHub {
  /** Connects another process and returns its bus. */
  join(): Bus;
  /** Drops the connection of all processes, until `heal`. */
  cut(): void;
  heal(): void;
}

type Listener = (message: Uint8Array | undefined) => void;

/** An in-memory transport between buses, which a test can interrupt. */
export function createBusHub(): BusHub {
  const ends = new Set<{ listeners: Map<string, Set<Listener>>; gaps: Set<() => void> }>();
  let isCut = false;
  return {
    join() {
      const own = { listeners: new Map<string, Set<Listener>>(), gaps: new Set<() => void>() };
      ends.add(own);
      return {
        async publish(channel, message) {
          if (isCut) throw new Error('The bus is cut.');
          for (const end of ends) {
            if (end === own) continue;
            for (const listener of end.listeners.get(channel) ?? []) {
              setImmediate(() => listener(new Uint8Array(message)));
            }
          }
        },
        async subscribe(channel, listener) {
          const listeners = own.listeners.get(channel) ?? new Set();
          own.listeners.set(channel, listeners.add(listener));
          return async () => void listeners.delete(listener);
        },
        onGap(callback) {
          own.gaps.add(callback);
          return () => void own.gaps.delete(callback);
        },
        isConnected: () => !isCut,
        close: async () => void ends.delete(own),
      };
    },
    cut() {
      isCut = true;
    },
    heal() {
      isCut = false;
      for (const { gaps } of ends) for (const callback of gaps) callback();
    },
  };
}
