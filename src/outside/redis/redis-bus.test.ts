import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { TEST_CERTIFICATE } from '../../../test/fakes/smtp-server.ts';
import { startTunnel } from '../../../test/fakes/tunnel.ts';
import { collectMessages, publishText } from '../../../test/live/bus-talk.ts';
import { startRedisStage } from '../../../test/live/redis-stage.ts';
import { openRedisBus } from './redis-bus.ts';

test('other processes receive messages byte for byte and in order, and the sender does not', async () => {
  const redis = await startRedisStage();
  const [jane, sam, kim] = [await redis.open(), await redis.open(), await redis.open()];
  const received: Record<string, (Uint8Array | undefined)[]> = { jane: [], sam: [], kim: [] };
  await jane.subscribe('page', (message) => received.jane!.push(message));
  await sam.subscribe('page', (message) => received.sam!.push(message));
  await kim.subscribe('page', (message) => received.kim!.push(message));
  const messages = [
    new Uint8Array(),
    Uint8Array.from({ length: 256 }, (_, index) => index),
    new Uint8Array(2_000_000).fill(13),
    Uint8Array.from([1]),
    Uint8Array.from([1]),
  ];
  await Promise.all(messages.map((message) => jane.publish('page', message)));
  await expect.poll(() => [received.sam!.length, received.kim!.length]).toEqual([5, 5]);
  expect(received.sam).toEqual(messages);
  expect(received.kim).toEqual(messages);
  expect(received.jane).toEqual([]);
});

test('channels are separate, whatever their names', async () => {
  const redis = await startRedisStage();
  const [jane, sam] = [await redis.open(), await redis.open()];
  const names = ['a', 'ab', 'a b', 'é\r\n', '', '*', 'a'.repeat(20_000)];
  const received: string[] = [];
  for (const name of names) {
    await sam.subscribe(name, (message) => received.push(`${name}=${Buffer.from(message!)}`));
  }
  for (const name of names) await publishText(jane, name, `to ${name}`);
  await expect.poll(() => received.length).toBe(names.length);
  expect(received).toEqual(names.map((name) => `${name}=to ${name}`));
});

test('listeners of a channel share one subscription, which ends with the last of them', async () => {
  const redis = await startRedisStage();
  const [jane, sam] = [await redis.open({ url: redis.urlOver(redis.other) }), await redis.open()];
  const subscriptions = async () => /\bsub=(\d+)/.exec((await redis.connections())[0] ?? '')?.[1];
  const [first, second] = await Promise.all([collectMessages(sam, 'page'), collectMessages(sam, 'page')]);
  expect(await subscriptions()).toBe('1');
  await publishText(jane, 'page', 'one');
  await expect.poll(() => [first.received, second.received]).toEqual([['one'], ['one']]);
  await first.stop();
  await first.stop();
  expect(await subscriptions()).toBe('1');
  await publishText(jane, 'page', 'two');
  await expect.poll(() => second.received).toEqual(['one', 'two']);
  expect(first.received).toEqual(['one']);
  await second.stop();
  expect(await subscriptions()).toBe('0');
});

test('a listener that unsubscribes and subscribes again at once receives later messages', async () => {
  const redis = await startRedisStage();
  const [jane, sam] = [await redis.open(), await redis.open()];
  const first = await collectMessages(sam, 'page');
  const stopped = first.stop();
  const second = await collectMessages(sam, 'page');
  await stopped;
  await publishText(jane, 'page', 'one');
  await expect.poll(() => second.received).toEqual(['one']);
  expect(first.received).toEqual([]);
});

test('an error of a listener is reported, and other listeners still receive the message', async () => {
  const redis = await startRedisStage();
  const [jane, sam] = [await redis.open(), await redis.open()];
  await sam.subscribe('page', () => {
    throw new Error('I cannot take this.');
  });
  const { received } = await collectMessages(sam, 'page');
  await publishText(jane, 'page', 'one');
  await publishText(jane, 'page', 'two');
  await expect.poll(() => received).toEqual(['one', 'two']);
  expect(sam.errors.map(({ message }) => message)).toEqual(['I cannot take this.', 'I cannot take this.']);
  expect([sam.isConnected(), sam.gaps()]).toEqual([true, 0]);
});

test('different databases of one Redis are separate', async () => {
  const redis = await startRedisStage();
  const [here, there] = [redis.urlOver(redis.tunnel, '/3'), redis.urlOver(redis.tunnel, '/4')];
  const jane = await redis.open({ url: here });
  const { received: inSame } = await collectMessages(await redis.open({ url: here }), 'page');
  const { received: inOther } = await collectMessages(await redis.open({ url: there }), 'page');
  await publishText(jane, 'page', 'one');
  await expect.poll(() => inSame).toEqual(['one']);
  expect(inOther).toEqual([]);
  const databases = (await redis.connections()).map((line) => / db=(\d+)/.exec(line)?.[1]);
  expect(databases.sort()).toEqual(['3', '3', '4']);
});

test('user and password of the URL are decoded and used', async () => {
  const redis = await startRedisStage();
  const user = `user-${redis.tunnel.port}`;
  await redis.setUser(user, 'p@ss/w:rd%');
  const url = redis.urlOver(redis.tunnel, '/2', `${user}:${encodeURIComponent('p@ss/w:rd%')}@`);
  const [jane, sam] = [await redis.open({ url }), await redis.open({ url })];
  const { received } = await collectMessages(sam, 'page');
  await publishText(jane, 'page', 'one');
  await expect.poll(() => received).toEqual(['one']);
  expect([...jane.errors, ...sam.errors]).toEqual([]);
});

test('a wrong password is reported without its text, and retried until it is accepted', async () => {
  const redis = await startRedisStage();
  const user = `user-${redis.tunnel.port}`;
  const bus = await redis.open({ url: redis.urlOver(redis.tunnel, '', `${user}:open-sesame@`) });
  expect(bus.isConnected()).toBe(false);
  expect(bus.errors.map(({ message }) => message)).toEqual([
    `Redis at 127.0.0.1:${redis.tunnel.port} cannot be used: WRONGPASS invalid username-password pair or user is disabled.`,
  ]);
  await redis.setUser(user, 'open-sesame');
  await expect.poll(() => bus.isConnected(), { timeout: 300_000 }).toBe(true);
});

test.each([
  [
    'is too old',
    (args: string[]) => `ERR unknown command \`HELLO\`, with args beginning with: \`${args.join('`, `')}\`, `,
    'It is older than Redis 6.',
  ],
  [
    'refuses the command',
    (args: string[]) => `ERR not now: HELLO ${args.join(' ')}`,
    /^ERR not now: HELLO 3 AUTH default \*\*\* /,
  ],
])('the password is not logged if a server that %s quotes it', async (_, helloError, reason) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    // A command of the protocol is a count, then a length and a line for each word.
    socket.on('data', (command) =>
      socket.write(
        `-${helloError(
          String(command)
            .split('\r\n')
            .slice(4, -1)
            .filter((_, at) => at % 2 === 0),
        )}\r\n`,
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const errors: Error[] = [];
  const url = `redis://:open-sesame@127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bus = await openRedisBus({ url, onError: (error) => errors.push(error) });
  await bus.close();
  expect(errors).toHaveLength(1);
  const [, quoted] = errors[0]!.message.split(' cannot be used: ');
  expect(quoted).toMatch(reason);
  expect(`${errors[0]!.stack} ${errors[0]!.cause}`).not.toContain('open-sesame');
});

test('an invalid URL is refused without quoting it', async () => {
  const refusal = (url: string) =>
    openRedisBus({ url, onError: () => {} }).then(
      () => 'none',
      (error: Error) => `${error.message} ${JSON.stringify(error)}`,
    );
  for (const url of [
    'http://:open-sesame@host',
    'open-sesame',
    'redis://:open-sesame%zz@host',
    'redis://:open-sesame@host/one',
    'redis://:open-sesame@host:99999/',
  ]) {
    const message = await refusal(url);
    expect(message).toContain('Redis must be');
    expect(message).not.toContain('open-sesame');
  }
});

test('rediss: uses TLS, and refuses a server with an untrusted certificate', async () => {
  const redis = await startRedisStage();
  const target = { host: '127.0.0.1', port: redis.tunnel.port };
  await using secured = await startTunnel(target, { secure: true });
  const url = redis.urlOver(secured).replace('redis:', 'rediss:');
  const trusting = { url, ca: TEST_CERTIFICATE };
  const [jane, sam, kim] = [
    await redis.open(trusting),
    await redis.open(trusting),
    await redis.open({ url }),
  ];
  const { received } = await collectMessages(sam, 'page');
  await publishText(jane, 'page', 'one');
  await expect.poll(() => received).toEqual(['one']);
  expect(kim.isConnected()).toBe(false);
  expect(kim.errors[0]?.message).toMatch(/certificate/);
  for (const bus of [jane, sam, kim]) await bus.close();
});

test('closing sends what was published, and leaves no connection behind', async () => {
  const redis = await startRedisStage();
  const [jane, sam] = [await redis.open({ url: redis.urlOver(redis.other) }), await redis.open()];
  const { received } = await collectMessages(sam, 'page');
  const published = Promise.all(['one', 'two', 'three'].map((text) => publishText(jane, 'page', text)));
  await jane.close();
  await published;
  await expect.poll(() => received).toEqual(['one', 'two', 'three']);
  await expect.poll(() => redis.connections(redis.other)).toEqual([]);
  await expect(publishText(jane, 'page', 'four')).rejects.toThrow('not connected');
  await (await collectMessages(jane, 'page')).stop();
  expect([jane.errors, jane.gaps(), jane.isConnected()]).toEqual([[], 0, false]);
});
