const listeners = new Set<() => void>();

/**
 * Calls back whenever `emitAll` is about to write events, in a transaction that commits a moment later. Operations that
 * write events in a statement of their own are followed by `onWritten` of the server.
 */
export function onEmit(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function noteEmit(): void {
  for (const listener of listeners) listener();
}
