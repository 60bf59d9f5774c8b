/**
 * Publish/subscribe between the processes of a service; the sender does not receive its own messages. Delivery is best
 * effort: durable data is in the database before it is announced.
 */
export interface Bus {
  /**
   * Sends to every other process that subscribes to the channel, in order. Resolves once the message is handed over;
   * rejects immediately while disconnected, in which case `onGap` callbacks follow.
   */
  publish(channel: string, message: Uint8Array): Promise<void>;
  /**
   * Subscribes to messages of other processes. Resolves once subscribed; while disconnected it resolves immediately and
   * subscribes later, followed by the `onGap` callbacks. A message that is too large for the transport arrives as
   * undefined. Returns a function that unsubscribes.
   */
  subscribe(
    channel: string,
    onMessage: (message: Uint8Array | undefined) => void,
  ): Promise<() => Promise<void>>;
  /**
   * Calls back after a reconnect, because messages to or from this process may have been lost. Returns a function that
   * removes the callback.
   */
  onGap(callback: () => void): () => void;
  /** True while messages can be sent and received. */
  isConnected(): boolean;
  /** Waits a short time for published messages to be handed over, and disconnects. */
  close(): Promise<void>;
}
