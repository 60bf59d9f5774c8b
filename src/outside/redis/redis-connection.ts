import type { RedisAddress } from './redis-address.ts';

/** A single connection, which does not reconnect: once lost, it stays lost. */
export interface RedisConnection {
  /** Rejects if Redis did not accept the message; the connection is lost then. */
  publish(channel: string, message: Buffer): Promise<void>;
  /** Resolves once Redis has subscribed all channels; on rejection, the connection is lost. */
  subscribe(channels: string[]): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  /** The server's version; undefined if it refuses to say. */
  version(): Promise<string | undefined>;
  /** Ends the connection once published messages are handed over, or after a timeout. */
  close(): Promise<void>;
}

interface Options {
  address: RedisAddress;
  /** Certificates to trust in place of the system's. */
  ca?: string | undefined;
  /** A server that sends nothing for one to two times as long counts as gone. */
  silenceMs: number;
  onMessage(channel: string, message: Buffer): void;
  /** Called at most once, and not after `close`. */
  onLost(error: Error): void;
}

const MAX_WAITING_BYTES = 64_000_000;
const CLOSE_WITHIN_MS = 1_000;
/** Channels per SUBSCRIBE command. */
const CHANNELS_PER_COMMAND = 1_000;

/**
 * Connects, or rejects on failure or timeout. One connection carries both directions (RESP 3), so that publishing and
 * subscribing fail at the same moment.
 *
 * The client's own reconnecting is not used: it takes a server for alive as long as it can be written to, and replays
 * commands of earlier connections.
 */
export async function connectToRedis(options: Options): Promise<RedisConnection> {
  const { silenceMs, onMessage, onLost } = options;
  const client = await createClientFor(options);

  let state: 'connecting' | 'ready' | 'ended' = 'connecting';
  let isHeard = true;
  let waitingBytes = 0;
  let watch: NodeJS.Timeout | undefined;

  const end = () => {
    clearInterval(watch);
    state = 'ended';
    client.destroy();
  };
  const lose = (error: Error) => {
    if (state !== 'ready') return;
    end();
    onLost(error);
  };
  /** A failed command ends the connection, so that a gap in messages is always noticed as a lost connection. */
  const attempt = async (send: () => Promise<unknown>): Promise<void> => {
    if (state !== 'ready') throw new Error('The connection to Redis is lost.');
    try {
      await send();
      isHeard = true;
    } catch (error) {
      lose(error as Error);
      throw new Error('The connection to Redis is lost.', { cause: error });
    }
  };
  const ping = () => attempt(() => client.sendCommand(['PING'])).catch(() => {});
  const listener = (message: Buffer, channel: Buffer) => {
    isHeard = true;
    if (state === 'ready') onMessage(channel.toString(), message);
  };
  const checkLiveness = () => {
    if (isHeard) {
      isHeard = false;
      void ping();
      return;
    }
    // If this process itself was paused, the server's answers may have arrived without being read yet.
    setTimeout(() => {
      if (!isHeard) lose(new Error('It does not answer any more.'));
    }, silenceMs / 5).unref();
  };

  client.on('error', lose);
  // Otherwise the client would continue to use a connection that was given up while its socket connected.
  client.on('connect', () => {
    if (state === 'ended') client.destroy();
  });
  const late = Promise.withResolvers<never>();
  const limit = setTimeout(() => late.reject(new Error('It did not answer in time.')), 2 * silenceMs);
  const connecting = client.connect();
  try {
    await Promise.race([connecting, late.promise]);
  } catch (error) {
    connecting.catch(() => {});
    end();
    throw error;
  } finally {
    clearTimeout(limit);
  }
  state = 'ready';
  watch = setInterval(checkLiveness, silenceMs);

  return {
    async publish(channel, message) {
      if (waitingBytes + message.length > MAX_WAITING_BYTES) lose(new Error('It takes messages too slowly.'));
      waitingBytes += message.length;
      try {
        await attempt(() => client.sendCommand(['PUBLISH', channel, message]));
      } finally {
        waitingBytes -= message.length;
      }
    },
    async subscribe(channels) {
      const commands: Promise<void>[] = [];
      for (let at = 0; at < channels.length; at += CHANNELS_PER_COMMAND) {
        const chunk = channels.slice(at, at + CHANNELS_PER_COMMAND);
        commands.push(attempt(() => client.subscribe(chunk, listener, true)));
      }
      await Promise.all(commands);
    },
    async unsubscribe(channel) {
      await attempt(() => client.unsubscribe(channel, listener, true));
    },
    async version() {
      const about = await client.sendCommand(['INFO', 'server']).catch(() => '');
      return /^(?:redis|valkey)_version:(\S+)/m.exec(String(about))?.[1];
    },
    async close() {
      if (state === 'ready' && waitingBytes > 0) {
        let timer: NodeJS.Timeout | undefined;
        const time = new Promise((resolve) => {
          timer = setTimeout(resolve, CLOSE_WITHIN_MS);
        });
        // Replies come in the order of the commands, so the reply to a PING means that all messages are through.
        await Promise.race([ping(), time]);
        clearTimeout(timer);
      }
      end();
    },
  };
}

/** A client that neither reconnects nor queues commands while it is offline. */
async function createClientFor({ address, silenceMs, ca }: Options) {
  // Loaded on demand: the client is large, and most installations have no Redis.
  const { createClient } = await import('@redis/client');
  return createClient({
    RESP: 3,
    name: 'redpen',
    database: address.database,
    ...(address.username !== undefined && { username: address.username }),
    ...(address.password !== undefined && { password: address.password }),
    socket: {
      host: address.host,
      port: address.port,
      connectTimeout: 2 * silenceMs,
      reconnectStrategy: false,
      ...(address.secure && { tls: true as const, ...(ca !== undefined && { ca }) }),
    },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandOptions: { timeout: undefined },
  });
}
