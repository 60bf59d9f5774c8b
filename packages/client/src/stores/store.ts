import type { RedpenError } from '../errors.ts';

/** `offline`: there is no connection, and the store tries to open one. `ended`: the document is gone, or the run is over. */
export type StoreStatus = 'loading' | 'live' | 'offline' | 'ended' | 'failed';

export interface StoreState {
  readonly status: StoreStatus;
  /** Why it is `failed`. */
  readonly error?: RedpenError | undefined;
}

/** Has a state that changes, in the form of React's `useSyncExternalStore`. */
export interface Store<S> {
  /** An immutable snapshot, the same object until something changes. */
  get(): S;
  /** Calls the listener after changes. The first subscription connects the store, the end of the last disconnects it. */
  subscribe(listener: () => void): () => void;
}

export interface WritableStore<S> extends Store<S> {
  set(change: Partial<S>): void;
}

/** Calls `start` for the first subscription, and aborts its signal after the last one. */
export function storeOf<S extends StoreState>(
  initial: S,
  start: (signal: AbortSignal) => void,
): WritableStore<S> {
  let state = initial;
  let running: AbortController | undefined;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      // So that a fault of a listener reaches neither the caller nor the other listeners.
      for (const listener of listeners) queueMicrotask(listener);
    },
    subscribe(listener) {
      // A function that is subscribed twice counts twice.
      const own = () => listeners.has(own) && listener();
      listeners.add(own);
      if (!running) {
        running = new AbortController();
        start(running.signal);
      }
      return () => {
        listeners.delete(own);
        if (listeners.size > 0) return;
        running?.abort();
        running = undefined;
        state = { ...state, status: 'loading' };
      };
    },
  };
}
