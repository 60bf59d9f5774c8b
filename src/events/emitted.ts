const listeners = new Set<() => void>();

/** Calls back whenever this process is about to write an event, in a transaction that commits a moment later. */
export function onEmit(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function noteEmit(): void {
  for (const listener of listeners) listener();
}
