import { createContext, useContext, useSyncExternalStore } from 'react';

/** The finding under the pointer, in the list or on the picture. Only what shows it is drawn anew. */
export class HoverStore {
  #id: string | undefined;
  #listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get = (): string | undefined => this.#id;

  set = (id: string | undefined): void => {
    if (id === this.#id) return;
    this.#id = id;
    for (const listener of this.#listeners) listener();
  };
}

const none = new HoverStore();
export const HoverContext = createContext(none);
export const useHoverStore = (): HoverStore => useContext(HoverContext);

/** True while the pointer is over the finding, wherever it is shown. */
export function useIsHovered(id: string): boolean {
  const store = useHoverStore();
  return useSyncExternalStore(store.subscribe, () => store.get() === id);
}
