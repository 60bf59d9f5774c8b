import { writeVarString, writeVarUint } from 'lib0/encoding';
import { expect, test } from 'vitest';
import { Doc, encodeStateAsUpdate } from 'yjs';
import { isSaved, openClient, startNode, tokenOf, withDocument } from '../../test/live/live-node.ts';
import { openRaw, type RawClient } from '../../test/live/raw-live-client.ts';
import { until } from '../../test/run/until.ts';
import { kinds } from './connection/hocuspocus-message.ts';
import { closings } from './protocol/close-codes.ts';
import { connectionsRefused, messagesDelayed } from './protocol/editing-metrics.ts';

const refusedFor = async (cause: string) =>
  (await connectionsRefused.get()).values.find(({ labels }) => labels.cause === cause)?.value ?? 0;

const delayed = async () => (await messagesDelayed.get()).values[0]?.value ?? 0;

const sendToken = (client: RawClient, token: string) =>
  client.send(kinds.auth, (encoder) => {
    writeVarUint(encoder, 0);
    writeVarString(encoder, token);
  });

const openMany = (url: string, count: number, ip: string) =>
  Promise.all(Array.from({ length: count }, () => openRaw(url, { ip })));

/** Longer than any test takes, so that no connection ends by itself. */
const noTimeout = { authenticateWithinMs: 600_000 };

test('an address with most of the unauthenticated connections makes room for another address', async () => {
  const node = await startNode({ limits: { ...noTimeout, unauthenticatedConnections: 6 } });
  const few = await openMany(node.url, 2, '192.0.2.1');
  const [first, ...others] = await openMany(node.url, 4, '192.0.2.2');
  const workspace = await withDocument();
  const token = await tokenOf(workspace);
  const client = await openRaw(node.url, { token, ip: '192.0.2.3' });
  expect(await first!.closed).toBe(closings.displaced.code);
  client.update(encodeStateAsUpdate(new Doc()));
  await client.waitFor(({ saved }) => saved === true);
  expect([...few, ...others].map(({ ws }) => ws.readyState)).toEqual(Array(5).fill(1));
  // It is authenticated, so it takes no unauthenticated slot; the next connection takes it.
  await openRaw(node.url, { ip: '192.0.2.3' });
  const before = await refusedFor('process');
  await expect(openRaw(node.url, { ip: '192.0.2.2' })).rejects.toThrow('503');
  expect(await refusedFor('process')).toBe(before + 1);
});

test('unauthenticated connections are limited per address, and a /64 network is one address', async () => {
  const node = await startNode({ limits: { ...noTimeout, unauthenticatedPerAddress: 2 } });
  const [gone] = await openMany(node.url, 1, '2001:db8:0:1::1');
  await openMany(node.url, 1, '2001:db8:0:1::2');
  const before = await refusedFor('address');
  await expect(openRaw(node.url, { ip: '2001:db8:0:1:ffff::3' })).rejects.toThrow('429');
  expect(await refusedFor('address')).toBe(before + 1);
  await openRaw(node.url, { ip: '2001:db8:0:2::1' });
  gone!.ws.close();
  await gone!.closed;
  await until(
    () =>
      openRaw(node.url, { ip: '2001:db8:0:1::4' }).then(
        () => true,
        () => false,
      ),
    'room for another connection',
  );
});

test('connections are limited per API key, independently of other keys', async () => {
  const node = await startNode({ limits: { connectionsPerKey: 2 } });
  const workspace = await withDocument();
  const token = await tokenOf(workspace);
  const [first] = [await openRaw(node.url, { token }), await openRaw(node.url, { token })];
  const refused = await openRaw(node.url);
  sendToken(refused, token);
  expect(await refused.closed).toBe(closings.tooManyOfKey.code);
  const other = await withDocument();
  await openRaw(node.url, { token: await tokenOf(other) });
  first.ws.close();
  await first.closed;
  const next = openClient(node.url, token);
  await until(() => isSaved(next), 'a connection in the room of the first');
});

test('connections are limited per address, whatever their API keys', async () => {
  const node = await startNode({ limits: { connectionsPerAddress: 1 } });
  const [one, other] = await Promise.all([withDocument(), withDocument()]);
  await openRaw(node.url, { token: await tokenOf(one), ip: '192.0.2.1' });
  const refused = await openRaw(node.url, { ip: '192.0.2.1' });
  sendToken(refused, await tokenOf(other));
  expect(await refused.closed).toBe(closings.tooManyOfAddress.code);
  await openRaw(node.url, { token: await tokenOf(other), ip: '192.0.2.2' });
});

test('an address that sends many unknown tokens is closed, and other addresses are not', async () => {
  const node = await startNode({ limits: { ...noTimeout, unknownTokensPerSecond: 0.0002 } });
  const token = await tokenOf(await withDocument());
  const first = await openRaw(node.url, { ip: '192.0.2.1' });
  sendToken(first, 'wrong');
  await first.waitFor(({ kind, answer }) => kind === kinds.auth && answer === 1);
  const second = await openRaw(node.url, { ip: '192.0.2.1' });
  sendToken(second, 'also-wrong');
  expect(await second.closed).toBe(closings.tooManyUnknownTokens.code);
  for (let count = 0; count < 3; count++) {
    const another = await tokenOf(await withDocument());
    await openRaw(node.url, { token: another, ip: '192.0.2.2' });
  }
  // The token is known now, so it does not count.
  await openRaw(node.url, { token, ip: '192.0.2.2' });
  await openRaw(node.url, { token, ip: '192.0.2.1' });
});

test('connections of an API key over its message budget are slowed down and take turns', async () => {
  const limits = {
    keyMessagesPerSecond: 200,
    keyMessageBurst: 20,
    messagesPerSecond: 1_000,
    messageBurst: 1_000,
  };
  const node = await startNode({ limits });
  const workspace = await withDocument();
  const token = await tokenOf(workspace);
  const other = await withDocument();
  const elsewhere = openClient(node.url, await tokenOf(other));
  await until(() => isSaved(elsewhere), 'a connection of another API key');
  const [flooder, editor] = [await openRaw(node.url, { token }), await openRaw(node.url, { token })];
  const before = await delayed();
  const update = encodeStateAsUpdate(new Doc());
  for (let count = 0; count < 800; count++) flooder.update(update);
  const saved = (client: RawClient) => client.received.filter(({ saved }) => saved).length;
  await until(() => saved(flooder) > 0, 'an acknowledgment');
  editor.update(update);
  elsewhere.document.getText('content').insert(0, 'not of this key');
  await until(() => saved(editor) === 1, 'an acknowledgment to the other connection');
  expect(saved(flooder)).toBeLessThan(800);
  await until(() => isSaved(elsewhere), 'an acknowledgment to another API key');
  expect(await delayed()).toBeGreaterThan(before);
  // No message is lost.
  await until(() => saved(flooder) === 800, 'an acknowledgment of every message');
  expect([flooder, editor].map(({ ws }) => ws.readyState)).toEqual([1, 1]);
});

test('connections of an API key with too many waiting bytes are closed', async () => {
  const node = await startNode({
    limits: { keyMessagesPerSecond: 0.001, keyMessageBurst: 5, keyWaitingBytes: 10_000 },
  });
  const client = await openRaw(node.url, { token: await tokenOf(await withDocument()) });
  const document = new Doc();
  document.getText('content').insert(0, 'x'.repeat(3_000));
  for (let count = 0; count < 10; count++) client.update(encodeStateAsUpdate(document));
  expect(await client.closed).toBe(closings.tooManyMessages.code);
});
