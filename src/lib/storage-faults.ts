/** Why nothing can be stored right now, by what keeps it from it. */
export interface StorageFaults {
  /** In sentences; empty while all is well. */
  list(): string[];
  /** Sets the fault of a place, or takes it away. */
  set(place: string, fault: string | undefined): void;
  /** Calls back when the first fault comes and when the last one goes. Answers how to stop that. */
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
