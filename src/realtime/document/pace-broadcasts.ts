import type { Document } from '@hocuspocus/server';

/** Updates at shorter intervals are sent together, this much later. No user notices the delay. */
const TOGETHER_MS = 4;

/**
 * Broadcasts the updates of a document at the pace at which they come. A lone update is sent at once. Many of them in a
 * row are collected for a moment and sent as one message, because sending costs most of the processor time of a busy
 * document: as much for each receiver as for handling an update.
 */
export function paceBroadcasts(document: Document): void {
  let lastAt = Number.NEGATIVE_INFINITY;
  // Called after the same update was scheduled, so this decides on the next one.
  document.on('update', () => {
    const now = performance.now();
    const isBusy = now - lastAt < TOGETHER_MS;
    lastAt = now;
    // Without a receiver, merging the updates of a burst into a message would be for nothing.
    if (document.connections.size === 0) document.flushDelay = false;
    else document.flushDelay = isBusy ? TOGETHER_MS : 0;
  });
}
