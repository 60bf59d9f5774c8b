import { randomBytes } from 'node:crypto';
import type { Bus } from '../../lib/bus/bus.ts';
import { createBusListeners } from '../../lib/bus/bus-listeners.ts';
import { type RedisAddress, readRedisUrl } from './redis-address.ts';
import { connectToRedis, type RedisConnection } from './redis-connection.ts';

interface Options {
  /** `redis://user:password@host:port/database`, or `rediss:` for TLS. */
  url: string;
  /** Gets what keeps messages from going through, each reason once an outage, and what listeners throw. */
  onError(error: Error): void;
  /** Gets the former in place of `onError`. */
  onOutage?: (error: Error) => void;
  /** Called whenever messages begin to go through. */
  onConnected?: () => void;
  /** With which the names of all channels begin. */
  prefix?: string;
  /** Certificates to trust in place of those of the system. */
  ca?: string;
  /** After which a server that says nothing counts as gone. */
  silenceMs?: number;
}

const SENDER_BYTES = 8;
const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;
/** For which a connection must last for the next loss to be a new outage. */
const SETTLED_MS = 10_000;

/**
 * A bus over Redis 6 or later. Starts also where Redis is out of reach, and is connected once it comes; throws on a
 * URL that cannot be right.
 */
export async function openRedisBus(options: Options): Promise<Bus> {
  const { onError, onOutage = onError, onConnected, ca, prefix = 'redpen', silenceMs = 5_000 } = options;
  const address = readRedisUrl(options.url);
  // Redis sends messages regardless of databases; those who share a server expect them to keep apart.
  const channelPrefix = `${prefix}:${address.database}:`;
  const sender = randomBytes(SENDER_BYTES);
  const listeners = createBusListeners(onError);
  const told = new Set<string>();
  /** Of channels that Redis is being asked for. */
  const asked = new Map<string, Promise<void>>();
  let connection: RedisConnection | undefined;
  let isConnected = false;
  let isClosed = false;
  let losses = 0;
  let retry: NodeJS.Timeout | undefined;
  let settling: NodeJS.Timeout | undefined;

  const onMessage = (channel: string, bytes: Buffer) => {
    if (bytes.length < SENDER_BYTES || sender.equals(bytes.subarray(0, SENDER_BYTES))) return;
    // A copy, since what is kept of a message would keep all that came with it.
    listeners.tell(channel.slice(channelPrefix.length), new Uint8Array(bytes.subarray(SENDER_BYTES)));
  };
  const onLost = (error: Error) => {
    clearTimeout(settling);
    connection = undefined;
    isConnected = false;
    asked.clear();
    if (isClosed) return;
    const reason = redisReasonOf(error, address);
    if (!told.has(reason))
      onOutage(new Error(`Redis at ${address.host}:${address.port} cannot be used: ${reason}`));
    told.add(reason);
    const delay = Math.min(MIN_DELAY_MS * 2 ** losses, MAX_DELAY_MS);
    losses += 1;
    // Not all at the same moment, where several processes lost it.
    retry = setTimeout(() => void connect(), delay * (0.5 + Math.random() / 2));
  };
  const connect = async () => {
    const opened = await connectToRedis({ address, ca, silenceMs, onMessage, onLost }).catch(onLost);
    if (!opened) return;
    if (isClosed) return opened.close();
    // From here on, who begins to listen asks by himself.
    connection = opened;
    try {
      await opened.subscribe(listeners.channels().map((channel) => channelPrefix + channel));
    } catch {
      // Then it is lost, which was told.
      return;
    }
    if (connection !== opened) return;
    isConnected = true;
    onConnected?.();
    settling = setTimeout(() => {
      losses = 0;
      told.clear();
    }, SETTLED_MS);
    listeners.tellOfGap();
  };
  const ask = (channel: string) => {
    const answered = connection?.subscribe([channelPrefix + channel]).catch(() => {});
    if (answered) asked.set(channel, answered);
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
      await (isFirst ? ask(channel) : asked.get(channel));
      return async () => {
        if (!remove()) return;
        asked.delete(channel);
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

/** Servers may quote a command that they do not know, and ours carries the password. */
export function redisReasonOf(error: Error, { password }: RedisAddress): string {
  const { code } = error as NodeJS.ErrnoException;
  const reason = error.message || code || error.name;
  if (/unknown command.*HELLO/i.test(reason)) return 'It is older than Redis 6.';
  return password === undefined ? reason : reason.replaceAll(password, '***');
}
