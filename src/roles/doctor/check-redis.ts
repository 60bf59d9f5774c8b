import { randomUUID } from 'node:crypto';
import { readRedisUrl } from '../../outside/redis/redis-address.ts';
import { redisReasonOf } from '../../outside/redis/redis-bus.ts';
import { connectToRedis } from '../../outside/redis/redis-connection.ts';
import { asSentence, type Finding, failed, inWords, ok, skipped } from './check.ts';

/** Connects to Redis as the service does, publishes and hears a message. `ca` replaces the certificates of the system. */
export async function checkRedis(url: string | undefined, timeoutMs: number, ca?: string): Promise<Finding> {
  if (url === undefined)
    return skipped('REDIS_URL is not set: processes notify each other of changes through the database.');
  const address = readRedisUrl(url);
  const place = `Redis at ${address.host}:${address.port}`;
  const heard = Promise.withResolvers<void>();
  const channel = `redpen-check:${randomUUID()}`;
  const began = performance.now();
  try {
    const connection = await connectToRedis({
      address,
      ca,
      // Connecting times out after twice as long.
      silenceMs: timeoutMs / 2,
      onMessage: () => heard.resolve(),
      onLost: heard.reject,
    });
    try {
      await connection.subscribe([channel]);
      await connection.publish(channel, Buffer.from('check'));
      await heard.promise;
      const version = await connection.version();
      const which = version === undefined ? '' : `, version ${version},`;
      return ok(`${place}${which} delivered a message in ${inWords(performance.now() - began)}.`);
    } finally {
      await connection.close();
    }
  } catch (error) {
    heard.promise.catch(() => {});
    return failed(
      asSentence(`${place} cannot be used: ${redisReasonOf(error as Error, address)}`),
      'Check REDIS_URL: host, port, user and password, rediss: for TLS, and that its user may use every channel. Changes to live documents reach other processes late without it.',
      'Redis cannot be used (REDIS_URL).',
    );
  }
}
