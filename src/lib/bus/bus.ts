/**
 * Carries messages between the processes of one service, and never to the process that sent them. Nothing depends
 * on a message arriving: what must last is in the database before it is told of.
 */
export interface Bus {
  /**
   * Sends to every other process that listens to the channel, in order. Resolves once it is handed over, and
   * rejects where it was not, at once where messages do not go through: the callbacks of `onGap` follow then.
   */
  publish(channel: string, message: Uint8Array): Promise<void>;
  /**
   * Listens to what other processes send; answers once it does. Where messages do not go through right now it
   * answers all the same, and listens as soon as they do: the callbacks of `onGap` are called then. A message that
   * cannot be carried comes as undefined. Answers how to stop.
   */
  subscribe(
    channel: string,
    onMessage: (message: Uint8Array | undefined) => void,
  ): Promise<() => Promise<void>>;
  /**
   * Calls back when messages of any channel, to or from this process, may have been lost, and go through again.
   * Answers how to stop.
   */
  onGap(callback: () => void): () => void;
  /** True while messages go through. */
  isConnected(): boolean;
  /** Waits for what was published to be handed over, as far as that takes no long time. */
  close(): Promise<void>;
}
