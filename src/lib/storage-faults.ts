/** The reasons why nothing can be stored at the moment, by place. */
export interface StorageFaults {
  /** The faults as sentences; empty if there are none. */
  list(): string[];
  /** Sets or clears the fault of a place. */
  set(place: string, fault: string | undefined): void;
  /**
   * Calls back when the first fault occurs and when the last one is cleared. Returns a function that removes the
   * listener.
   */
  onChange(listener: (isRefusing: boolean) => void): () => void;
}

export function createStorageFaults(): StorageFaults {
  const faults = new Map<string, string>();
  const listeners = new Set<(isRefusing: boolean) => void>();
  return {
    list: () => [...faults.values()],
    set(place, fault) {
      const before = faults.size > 0;
      if (fault === undefined) faults.delete(place);
      else faults.set(place, fault);
      const after = faults.size > 0;
      if (before !== after) for (const listener of listeners) listener(after);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
