/** Sends what waits until it can no longer be undone. `isLeaving`: the page is about to go. */
type Send = (isLeaving: boolean) => Promise<unknown>;

const waiting = new Set<Send>();

/** Names what must be sent before the page goes or the session ends; returns a function that takes it back. */
export function sendBeforeLeaving(send: Send): () => void {
  waiting.add(send);
  return () => void waiting.delete(send);
}

/** Sends all that waits. It says itself what has failed. */
export async function sendUnsent(isLeaving = false): Promise<void> {
  await Promise.allSettled([...waiting].map((send) => send(isLeaving)));
}

window.addEventListener('pagehide', () => void sendUnsent(true));
