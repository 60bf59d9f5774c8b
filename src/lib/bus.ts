/** Carries messages between the processes of one service. Nothing depends on a message arriving. */
export interface Bus {
  /**
   * Sends to every other process that listens to the channel; resolves once it is handed over, and rejects
   * where it was not.
   */
  publish(channel: string, message: Uint8Array): Promise<void>;
  /**
   * Listens to what other processes send; answers once it does. A message that cannot be carried comes as
   * undefined. Answers how to stop.
   */
  subscribe(channel: string, onMessage: (message: Uint8Array | undefined) => void): Promise<() => Promise<void>>;
  /** Calls back when messages of any channel may have been lost. Answers how to stop. */
  onGap(callback: () => void): () => void;
  /** Whether messages go through right now. */
  isConnected(): boolean;
  close(): Promise<void>;
}
