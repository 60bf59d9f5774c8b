import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startTunnel } from '../../../test/fakes/tunnel.ts';
import { collectMessages, publishText } from '../../../test/live/bus-talk.ts';
import { type OpenedBus, startRedisStage } from '../../../test/live/redis-stage.ts';
import { until } from '../../../test/run/until.ts';

/** Long enough for the answers of a busy machine. */
const SILENCE_MS = 500;

const connected = (bus: OpenedBus) => expect.poll(() => bus.isConnected(), { timeout: 300_000 }).toBe(true);
const disconnected = (bus: OpenedBus) =>
  expect.poll(() => bus.isConnected(), { timeout: 300_000, interval: 5 }).toBe(false);

test('a connection that Redis closes is restored with all subscriptions, and the gap is reported', async () => {
  const redis = await startRedisStage();
  const [jane, sam] = [await redis.open({ url: redis.urlOver(redis.other) }), await redis.open()];
  const channels = Array.from({ length: 2_500 }, (_, index) => `page-${index}`);
  const listening = await Promise.all(channels.map((channel) => collectMessages(sam, channel)));
  await listening[1]!.stop();
  for (const address of redis.tunnel.addresses()) await redis.command('CLIENT', 'KILL', 'ADDR', address);
  await expect.poll(() => sam.gaps(), { timeout: 300_000 }).toBe(1);
  expect(sam.isConnected()).toBe(true);
  for (const channel of channels) await publishText(jane, channel, 'one');
  await expect.poll(() => listening.at(-1)!.received).toEqual(['one']);
  expect(listening.filter(({ received }) => received.join() === 'one')).toHaveLength(2_499);
  expect(listening[1]!.received).toEqual([]);
  expect([jane.gaps(), jane.errors.length, sam.errors.length]).toEqual([0, 0, 1]);
});

test('without Redis publishing is refused at once, and the gap is reported on reconnection', async () => {
  const redis = await startRedisStage();
  const [jane, sam] = [await redis.open(), await redis.open({ url: redis.urlOver(redis.other) })];
  const { received } = await collectMessages(sam, 'page');
  await redis.tunnel.close();
  await disconnected(jane);
  const turn = new Promise((resolve) => setImmediate(() => resolve('waits')));
  const refused = publishText(jane, 'page', 'lost').catch((error: Error) => error.message);
  expect(await Promise.race([refused, turn])).toBe('Redis is not connected.');
  expect(jane.gaps()).toBe(0);
  await redis.tunnel.reopen();
  await connected(jane);
  expect(jane.gaps()).toBe(1);
  await publishText(jane, 'page', 'two');
  await expect.poll(() => received).toEqual(['two']);
});

test('the bus starts without Redis, reports that once, and connects when Redis is available', async () => {
  const redis = await startRedisStage();
  const sam = await redis.open({ url: redis.urlOver(redis.other) });
  await redis.tunnel.close();
  const jane = await redis.open();
  expect([jane.isConnected(), jane.errors.length]).toEqual([false, 1]);
  expect(jane.errors[0]?.message).toMatch(/^Redis at 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/);
  const { received } = await collectMessages(jane, 'page');
  let attempts = 0;
  const count = () => {
    attempts += 1;
  };
  subscribe('net.client.socket', count);
  onTestFinished(() => void unsubscribe('net.client.socket', count));
  await until(() => attempts >= 3, 'further tries');
  await redis.tunnel.reopen();
  await connected(jane);
  expect([jane.errors.length, jane.gaps()]).toEqual([1, 1]);
  await publishText(sam, 'page', 'one');
  await expect.poll(() => received).toEqual(['one']);
});

test('connections that end at once are reported once per reason', async () => {
  const redis = await startRedisStage();
  await redis.other.close();
  // The target of this tunnel is closed.
  await using broken = await startTunnel({ host: '127.0.0.1', port: redis.other.port });
  const bus = await redis.open({ url: redis.urlOver(broken) });
  await expect.poll(() => broken.tries(), { timeout: 300_000 }).toBeGreaterThan(4);
  await bus.close();
  const reasons = bus.errors.map(({ message }) => message);
  expect(reasons.length).toBeGreaterThan(0);
  expect(new Set(reasons).size).toBe(reasons.length);
  expect(reasons.length).toBeLessThanOrEqual(2);
});

test('a connection that hangs is replaced, and pending messages are rejected', async () => {
  const redis = await startRedisStage();
  const patience = { silenceMs: SILENCE_MS };
  const [jane, sam] = [
    await redis.open({ ...patience, url: redis.urlOver(redis.other) }),
    await redis.open(patience),
  ];
  const { received } = await collectMessages(sam, 'page');
  redis.tunnel.hang();
  redis.tunnel.flow();
  // Repeated writes must not count as a sign of life.
  const writing = setInterval(() => void publishText(sam, 'other', 'x').catch(() => {}), 20);
  onTestFinished(() => clearInterval(writing));
  await expect(publishText(sam, 'page', 'lost')).rejects.toThrow('lost');
  await connected(sam);
  expect(sam.gaps()).toBe(1);
  expect(sam.errors.map(({ message }) => message)).toEqual([
    expect.stringContaining('does not answer any more'),
  ]);
  await publishText(jane, 'page', 'two');
  await expect.poll(() => received).toEqual(['two']);
});

test('a connection that is too slow is closed before pending messages fill the memory', async () => {
  const redis = await startRedisStage();
  const bus = await redis.open();
  redis.tunnel.hang();
  redis.tunnel.flow();
  const message = new Uint8Array(1_000_000);
  const sent = await Promise.allSettled(Array.from({ length: 70 }, () => bus.publish('page', message)));
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(bus.errors.map((error) => error.message)).toEqual([expect.stringContaining('too slowly')]);
  await connected(bus);
  expect(bus.gaps()).toBe(1);
});

test('subscribing over a connection that hangs resolves, and messages arrive after the reconnection', async () => {
  const redis = await startRedisStage();
  const [jane, sam] = [
    await redis.open({ url: redis.urlOver(redis.other) }),
    await redis.open({ silenceMs: SILENCE_MS }),
  ];
  redis.tunnel.hang();
  const answered: string[] = [];
  const listen = async (name: string) => {
    const listening = await collectMessages(sam, 'page');
    answered.push(name);
    return listening;
  };
  const [first, second] = await Promise.all([listen('first'), listen('second')]);
  expect(answered).toEqual(['first', 'second']);
  expect(sam.isConnected()).toBe(false);
  redis.tunnel.flow();
  await connected(sam);
  await publishText(jane, 'page', 'one');
  await expect.poll(() => [first.received, second.received]).toEqual([['one'], ['one']]);
});

test('a server that never answers does not block the start', async () => {
  const redis = await startRedisStage();
  redis.tunnel.hang();
  const bus = await redis.open({ silenceMs: SILENCE_MS });
  expect(bus.errors.map(({ message }) => message)).toEqual([
    expect.stringContaining('did not answer in time'),
  ]);
  redis.tunnel.flow();
  await connected(bus);
});

test('a quiet connection stays open', async () => {
  const redis = await startRedisStage();
  const bus = await redis.open({ silenceMs: SILENCE_MS });
  const before = redis.tunnel.sent();
  await until(() => redis.tunnel.sent() >= before + 4, 'pings');
  expect([bus.isConnected(), bus.gaps(), bus.errors]).toEqual([true, 0, []]);
});

test('a blocked event loop is not mistaken for a silent Redis', async () => {
  const redis = await startRedisStage();
  const silenceMs = 1_000;
  const bus = await redis.open({ silenceMs });
  const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * silenceMs);
  for (let round = 0; round < 2; round++) {
    block();
    // A ping is sent now, and its answer is not read before the next pause is over.
    await pause(1);
    block();
    await pause(silenceMs / 2);
  }
  expect([bus.isConnected(), bus.gaps(), bus.errors]).toEqual([true, 0, []]);
});

test('messages that Redis refuses count as a gap, which is reported once it accepts messages again', async () => {
  const redis = await startRedisStage();
  const user = `user-${redis.tunnel.port}`;
  await redis.setUser(user, 'secret', '-publish');
  const jane = await redis.open({ url: redis.urlOver(redis.tunnel, '', `${user}:secret@`) });
  const sam = await redis.open({ url: redis.urlOver(redis.other) });
  const { received } = await collectMessages(sam, 'page');
  await expect(publishText(jane, 'page', 'one')).rejects.toThrow('lost');
  expect(jane.errors.map(({ message }) => message)).toEqual([expect.stringContaining('NOPERM')]);
  await redis.setUser(user, 'secret', '+publish');
  await connected(jane);
  expect(jane.gaps()).toBe(1);
  await publishText(jane, 'page', 'two');
  await expect.poll(() => received).toEqual(['two']);
});

test('subscriptions that change while connections keep breaking receive the last messages', async () => {
  const redis = await startRedisStage();
  const [jane, sam] = [await redis.open(), await redis.open()];
  const channels = ['a', 'b', 'c', 'd', 'e'];
  const kept = new Map<string, Awaited<ReturnType<typeof collectMessages>>>();
  for (let round = 0; round < 30; round++) {
    const channel = channels[round % channels.length]!;
    await kept.get(channel)?.stop();
    kept.set(channel, await collectMessages(sam, channel));
    void publishText(jane, channel, 'now and then').catch(() => {});
    if (round % 6 === 5) {
      await redis.tunnel.close();
      await redis.tunnel.reopen();
    }
    // Leaves some operations unfinished at the next break.
    await pause(10);
  }
  await connected(jane);
  await connected(sam);
  for (const channel of channels) await publishText(jane, channel, `last to ${channel}`);
  await expect
    .poll(() => channels.map((channel) => kept.get(channel)?.received.at(-1)))
    .toEqual(channels.map((channel) => `last to ${channel}`));
});
