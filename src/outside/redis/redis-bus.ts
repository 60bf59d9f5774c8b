import { randomBytes } from 'node:crypto';
import type { Bus } from '../../lib/bus/bus.ts';
import { createBusListeners } from '../../lib/bus/bus-listeners.ts';
import { type RedisAddress, readRedisUrl } from './redis-address.ts';
import { connectToRedis, type RedisConnection } from './redis-connection.ts';

interface Options {
  /** `redis://user:password@host:port/database`, or `rediss:` for TLS. */
  url: string;
  /** Receives errors that block messages, each reason once per outage, and errors thrown by listeners. */
  onError(error: Error): void;
  /** Receives the errors that block messages, in place of `onError`. */
  onOutage?: (error: Error) => void;
  /** Called each time the connection is up again. */
  onConnected?: () => void;
  /** Prefix of all channel names. */
  prefix?: string;
  /** Certificates to trust in place of the system's. */
  ca?: string;
  /** Time without a byte from the server after which it counts as gone. */
  silenceMs?: number;
}

const SENDER_BYTES = 8;
const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;
/**
 * Age from which the loss of a connection counts as a new outage; until then, the back-off continues to grow.
 */
const SETTLED_MS = 10_000;

/**
 * A bus over Redis 6 or later. It also starts while Redis is unreachable, and then reconnects with exponential
 * back-off. Throws on an invalid URL.
 */
export async function openRedisBus(options: Options): Promise<Bus> {
  const { onError, onOutage = onError, onConnected, ca, prefix = 'redpen', silenceMs = 5_000 } = options;
  const address = readRedisUrl(options.url);
  // Pub/sub ignores the number of the database, but installations that share a server expect to be separate.
  const channelPrefix = `${prefix}:${address.database}:`;
  const sender = randomBytes(SENDER_BYTES);
  const listeners = createBusListeners(onError);
  const reported = new Set<string>();
  /** Pending SUBSCRIBE by channel. */
  const subscribing = new Map<string, Promise<void>>();
  let connection: RedisConnection | undefined;
  let isConnected = false;
  let isClosed = false;
  let losses = 0;
  let retry: NodeJS.Timeout | undefined;
  let settling: NodeJS.Timeout | undefined;

  const onMessage = (channel: string, bytes: Buffer) => {
    if (bytes.length < SENDER_BYTES || sender.equals(bytes.subarray(0, SENDER_BYTES))) return;
    // Copied, since a view would keep the whole receive buffer in memory.
    listeners.emit(channel.slice(channelPrefix.length), new Uint8Array(bytes.subarray(SENDER_BYTES)));
  };
  const onLost = (error: Error) => {
    clearTimeout(settling);
    connection = undefined;
    isConnected = false;
    subscribing.clear();
    if (isClosed) return;
    const reason = redisReasonOf(error, address);
    if (!reported.has(reason))
      onOutage(new Error(`Redis at ${address.host}:${address.port} cannot be used: ${reason}`));
    reported.add(reason);
    const delay = Math.min(MIN_DELAY_MS * 2 ** losses, MAX_DELAY_MS);
    losses += 1;
    // Jitter: processes that lost the same server do not reconnect at the same moment.
    retry = setTimeout(() => void connect(), delay * (0.5 + Math.random() / 2));
  };
  const connect = async () => {
    const opened = await connectToRedis({ address, ca, silenceMs, onMessage, onLost }).catch(onLost);
    if (!opened) return;
    if (isClosed) return opened.close();
    // Listeners that are added from here on subscribe themselves.
    connection = opened;
    try {
      await opened.subscribe(listeners.channels().map((channel) => channelPrefix + channel));
    } catch {
      // The connection was lost, and `onLost` has reported it.
      return;
    }
    if (connection !== opened) return;
    isConnected = true;
    onConnected?.();
    settling = setTimeout(() => {
      losses = 0;
      reported.clear();
    }, SETTLED_MS);
    listeners.notifyGap();
  };
  const subscribeTo = (channel: string) => {
    const answered = connection?.subscribe([channelPrefix + channel]).catch(() => {});
    if (answered) subscribing.set(channel, answered);
    return answered;
  };
  await connect();

  return {
    async publish(channel, message) {
      if (!isConnected || !connection) throw new Error('Redis is not connected.');
      await connection.publish(channelPrefix + channel, Buffer.concat([sender, message]));
    },
    async subscribe(channel, listener) {
      const { isFirst, remove } = listeners.add(channel, listener);
      await (isFirst ? subscribeTo(channel) : subscribing.get(channel));
      return async () => {
        if (!remove()) return;
        subscribing.delete(channel);
        await connection?.unsubscribe(channelPrefix + channel).catch(() => {});
      };
    },
    onGap: listeners.onGap,
    isConnected: () => isConnected,
    async close() {
      isClosed = true;
      isConnected = false;
      clearTimeout(retry);
      clearTimeout(settling);
      await connection?.close();
      connection = undefined;
    },
  };
}

/** Removes the password from an error: old servers quote the unknown command, which contains it. */
export function redisReasonOf(error: Error, { password }: RedisAddress): string {
  const { code } = error as NodeJS.ErrnoException;
  const reason = error.message || code || error.name;
  if (/unknown command.*HELLO/i.test(reason)) return 'It is older than Redis 6.';
  return password === undefined ? reason : reason.replaceAll(password, '***');
}
