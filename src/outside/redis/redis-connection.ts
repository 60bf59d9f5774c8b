import type { RedisAddress } from './redis-address.ts';

/** One connection: it is lost once, and for good. */
export interface RedisConnection {
  /** Rejects where Redis did not take the message; then the connection is lost. */
  publish(channel: string, message: Buffer): Promise<void>;
  /** Resolves once Redis has all of them; rejects where it has not, and then the connection is lost. */
  subscribe(channels: string[]): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  /** As the server says it; undefined where it may not be asked. */
  version(): Promise<string | undefined>;
  /** Ends it, once what was published is handed over or the time for it is up. */
  close(): Promise<void>;
}

interface Options {
  address: RedisAddress;
  /** Certificates to trust in place of those of the system. */
  ca?: string | undefined;
  /** After which a server that says nothing counts as gone: between once and twice as long. */
  silenceMs: number;
  onMessage(channel: string, message: Buffer): void;
  /** Called once, and not where it was closed from here. */
  onLost(error: Error): void;
}

const MAX_WAITING_BYTES = 64_000_000;
const CLOSE_WITHIN_MS = 1_000;
/** Channels of one SUBSCRIBE. */
const PART = 1_000;

/**
 * Connects, or rejects when that fails or takes too long. One connection carries both directions, which takes the
 * third version of the protocol: so there is only one that can break, and what is lost is lost in one moment.
 *
 * The client's own way to connect again is not used. It takes a server for alive as long as something can be written
 * to it, and keeps commands of earlier connections.
 */
export async function connectToRedis(options: Options): Promise<RedisConnection> {
  const { address, silenceMs, onMessage, onLost } = options;
  // The client is big, and most installations have no Redis.
  const { createClient } = await import('@redis/client');
  const client = createClient({
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
      ...(address.secure && { tls: true as const, ...(options.ca !== undefined && { ca: options.ca }) }),
    },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandOptions: { timeout: undefined },
  });

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
  /** A command that fails takes the connection with it, so that whoever missed something learns of it in one way. */
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
  const lookForLife = () => {
    if (isHeard) {
      isHeard = false;
      void ping();
      return;
    }
    // After a pause of our own, its answers may be there and not be read yet.
    const look = () => {
      if (!isHeard) lose(new Error('It does not answer any more.'));
    };
    setTimeout(look, silenceMs / 5).unref();
  };

  client.on('error', lose);
  // One that was given up while its socket connected would go on by itself.
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
  watch = setInterval(lookForLife, silenceMs);

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
      const parts = Array.from({ length: Math.ceil(channels.length / PART) }, (_, index) =>
        channels.slice(index * PART, (index + 1) * PART),
      );
      await Promise.all(parts.map((part) => attempt(() => client.subscribe(part, listener, true))));
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
        // Answers come in the order of the commands.
        await Promise.race([ping(), time]);
        clearTimeout(timer);
      }
      end();
    },
  };
}
