import pg from 'pg';

const RECONNECT_AFTER_MS = 1_000;

/** Listens on a connection of its own, and reconnects after it is lost. Returns a function that ends it. */
export function listenOn(
  settings: pg.ClientConfig,
  channel: string,
  onMessage: (payload: string) => void,
  onReset: (isListening: boolean) => void,
  onError: (error: Error) => void,
): () => Promise<void> {
  let stopped = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const connect = async () => {
    const next = new pg.Client(settings);
    client = next;
    let broken = false;
    const lost = (error?: Error) => {
      if (broken) return;
      broken = true;
      next.end().catch(() => {});
      if (stopped) return;
      if (error) onError(error);
      onReset(false);
      retry = setTimeout(() => void connect(), RECONNECT_AFTER_MS);
    };
    next.on('error', lost);
    next.on('end', () => lost());
    next.on('notification', ({ payload }) => onMessage(payload ?? ''));
    try {
      await next.connect();
      await next.query(`listen ${next.escapeIdentifier(channel)}`);
      onReset(true);
    } catch (error) {
      lost(error as Error);
    }
  };
  void connect();
  return async () => {
    stopped = true;
    clearTimeout(retry);
    await client?.end().catch(() => {});
  };
}
