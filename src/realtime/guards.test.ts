import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from 'lib0/encoding';
import { expect, test } from 'vitest';
import { Doc, encodeStateAsUpdate, encodeStateAsUpdateV2, Map as YMap } from 'yjs';
import { isSaved, openClient, startNode, tokenOf, withDocument } from '../../test/live/live-node.ts';
import { openRaw } from '../../test/live/raw-live-client.ts';
import { until } from '../../test/run/until.ts';
import { kinds } from './connection/hocuspocus-message.ts';
import { type Cause, closings } from './protocol/close-codes.ts';
import type { Limits } from './protocol/realtime-limits.ts';

async function rawClient(limits: Partial<Limits> = {}) {
  const node = await startNode({ limits });
  const workspace = await withDocument();
  const token = await tokenOf(workspace);
  return { node, workspace, token, client: await openRaw(node.url, { token }) };
}

/** The updates of typing, one per character. */
function typing(count: number, clientId?: number): Uint8Array[] {
  const document = new Doc();
  if (clientId !== undefined) document.clientID = clientId;
  const updates: Uint8Array[] = [];
  document.on('update', (update: Uint8Array) => updates.push(update));
  for (let index = 0; index < count; index++) document.getText('content').insert(index, 'x');
  return updates;
}

/** Nested types, one update per level. */
function nesting(levels: number): Uint8Array[] {
  const document = new Doc();
  const updates: Uint8Array[] = [];
  document.on('update', (update: Uint8Array) => updates.push(update));
  let map = document.getMap('content') as YMap<unknown>;
  for (let level = 0; level < levels; level++) {
    const inner = new YMap();
    map.set('in', inner);
    map = inner;
  }
  return updates;
}

test('a message of more than 1 MiB closes the connection', async () => {
  const { client } = await rawClient();
  client.ws.send(new Uint8Array(1_048_577));
  expect(await client.closed).toBe(1009);
});

test('a client may send a burst, and is closed if it continues at that rate', async () => {
  const { client } = await rawClient({ messageBurst: 50, messagesPerSecond: 1 });
  for (const update of typing(40)) client.update(update);
  await until(() => client.received.filter(({ saved }) => saved).length === 40, 'forty acknowledgments');
  for (let count = 0; count < 20; count++) client.send(kinds.queryAwareness);
  expect(await client.closed).toBe(closings.tooManyMessages.code);
});

test('bytes are limited per user, over all connections', async () => {
  const { node, client, token } = await rawClient({ byteBurst: 300_000, bytesPerSecond: 1 });
  const document = new Doc();
  document.getText('content').insert(0, 'x'.repeat(200_000));
  client.update(encodeStateAsUpdate(document));
  await client.waitFor(({ saved }) => saved === true);
  const other = await openRaw(node.url, { token });
  const more = new Doc();
  more.getText('content').insert(0, 'x'.repeat(200_000));
  other.update(encodeStateAsUpdate(more));
  expect(await other.closed).toBe(closings.tooManyMessages.code);
});

test.each([
  ['a text', (ws: WebSocketLike) => ws.send('{"type":"hello"}')],
  [
    'a message without an address',
    (ws: WebSocketLike) => ws.send(new Uint8Array([0xff, 0xff, 0xff, 0xff, 0x01])),
  ],
  ['an empty message', (ws: WebSocketLike) => ws.send(new Uint8Array(0))],
])('%s closes the connection', async (_, send) => {
  const { client } = await rawClient();
  send(client.ws);
  expect(await client.closed).toBe(closings.malformed.code);
});
interface WebSocketLike {
  send(data: string | Uint8Array): void;
}

test.each([6, 11, 77])('a client that sends a message of kind %i is closed', async (kind) => {
  const { client } = await rawClient();
  client.send(kind, (encoder) => writeVarString(encoder, 'x'));
  expect(await client.closed).toBe(closings.malformed.code);
});

test.each([
  ['garbage', new Uint8Array([5, 4, 3, 2, 1, 0, 200, 100])],
  ['an update of the second encoding', encodeStateAsUpdateV2(withText('hello'))],
  ['an update that is cut off', encodeStateAsUpdate(withText('hello')).slice(0, -4)],
  ['deletions that repeat each other', new Uint8Array([0, 1, 7, 2, 0, 5, 0, 5])],
  ['a clock beyond all bounds', new Uint8Array([1, 1, 1, 255, 255, 255, 255, 255, 255, 15, 0, 5, 0])],
])('%s closes the connection, and changes nothing', async (_, update) => {
  const { node, client, token } = await rawClient();
  client.update(update);
  expect(await client.closed).toBe(closings.malformed.code);
  expect(client.received.some(({ saved }) => saved)).toBe(false);
  const other = openClient(node.url, token);
  await until(() => isSaved(other), 'a connection');
  expect([...other.document.store.clients.keys()]).toEqual([]);
});

function withText(text: string): Doc {
  const document = new Doc();
  document.getText('content').insert(0, text);
  return document;
}

test('types may be nested a hundred deep, and no deeper, however they arrive', async () => {
  const { client, token, node } = await rawClient();
  const updates = nesting(101);
  for (const update of updates.slice(0, 100)) client.update(update);
  await until(() => client.received.filter(({ saved }) => saved).length === 100, 'a hundred acknowledgments');
  client.update(updates[100]!);
  expect(await client.closed).toBe(closings.nestedTooDeep.code);
  const whole = await openRaw(node.url, { token });
  const document = new Doc();
  let map = document.getMap('other') as YMap<unknown>;
  for (let level = 0; level < 2_000; level++) {
    const inner = new YMap();
    map.set('in', inner);
    map = inner;
  }
  whole.update(encodeStateAsUpdate(document));
  expect(await whole.closed).toBe(closings.nestedTooDeep.code);
});

test('types nested in types that never arrived are refused', async () => {
  const { client } = await rawClient();
  client.update(nesting(3)[2]!);
  expect(await client.closed).toBe(closings.strandedUpdates.code);
});

test('up to a hundred updates that depend on missing ones are kept', async () => {
  const { client, node, token } = await rawClient({ messageBurst: 1_000 });
  const [first, ...rest] = typing(300);
  // Every other update, so that none depends on another of them.
  const stranded = rest.filter((_, index) => index % 2 === 1);
  for (const update of stranded.slice(0, 100)) client.update(update);
  await until(() => client.received.filter(({ saved }) => saved).length === 100, 'a hundred acknowledgments');
  const other = await openRaw(node.url, { token });
  other.update(first!);
  await other.waitFor(({ saved }) => saved === true);
  client.update(stranded[100]!);
  expect(await client.closed).toBe(closings.strandedUpdates.code);
});

test('the bytes of updates that depend on missing ones are limited', async () => {
  const { client } = await rawClient();
  // Before its token is checked, a client may send less than this test sends.
  client.update(typing(1)[0]!);
  await client.waitFor(({ saved }) => saved === true);
  const document = new Doc();
  document.getText('content').insert(0, 'x');
  let late: Uint8Array | undefined;
  document.on('update', (update: Uint8Array) => {
    late = update;
  });
  document.getText('content').insert(1, 'y'.repeat(300_000));
  client.update(late!);
  expect(await client.closed).toBe(closings.strandedUpdates.code);
});

test('a document at its size limit accepts deletions only', async () => {
  const { client, node, token } = await rawClient({ documentBytes: 50_000 });
  const document = new Doc();
  const updates: Uint8Array[] = [];
  document.on('update', (update: Uint8Array) => updates.push(update));
  const text = document.getText('content');
  text.insert(0, 'x'.repeat(40_000));
  client.update(updates[0]!);
  await client.waitFor(({ saved }) => saved === true);
  text.insert(0, 'y'.repeat(20_000));
  client.update(updates[1]!);
  expect(await client.closed).toBe(closings.documentTooLarge.code);
  const other = openClient(node.url, token);
  await until(() => isSaved(other), 'a connection');
  other.document.getText('content').delete(0, 39_000);
  await until(() => isSaved(other), 'an acknowledgment');
});

test('awareness states are limited in size, and a user cannot change the state of another user’s client', async () => {
  const { client, node, workspace, token } = await rawClient();
  const ada = openClient(node.url, token);
  await until(() => isSaved(ada), 'a connection');
  ada.provider.setAwarenessField('user', { name: 'Ada' });
  await client.waitFor(({ kind }) => kind === kinds.awareness);
  const eve = await openRaw(node.url, { token: await tokenOf(workspace, { userId: 'eve' }) });
  const speak = (state: string, clientId = ada.document.clientID) =>
    eve.send(kinds.awareness, (encoder) => {
      const inner = awareness(clientId, 99, state);
      writeVarUint8Array(encoder, inner);
    });
  speak('{"user":{"name":"Eve"}}');
  speak('null');
  // A fence: once this arrives, the server has handled the two before it.
  const own = ada.document.clientID + 1;
  speak('{"user":{"name":"Eve"}}', own);
  const watcher = openClient(node.url, token);
  const states = () => watcher.provider.awareness!.getStates();
  await until(() => states().has(ada.document.clientID) && states().has(own), 'the states of Ada and Eve');
  expect(watcher.provider.awareness!.getStates().get(ada.document.clientID)).toEqual({
    user: { name: 'Ada' },
  });
  speak(JSON.stringify({ user: 'x'.repeat(40_000) }));
  expect(await eve.closed).toBe(closings.presenceTooLarge.code);
});

function awareness(clientId: number, clock: number, state: string): Uint8Array {
  const encoder = createEncoder();
  writeVarUint(encoder, 1);
  writeVarUint(encoder, clientId);
  writeVarUint(encoder, clock);
  writeVarString(encoder, state);
  return toUint8Array(encoder);
}

test('a connection without a token is closed in time, even if it sends other messages', async () => {
  const node = await startNode({ limits: { authenticateWithinMs: 200 } });
  const silent = await openRaw(node.url);
  const busy = await openRaw(node.url);
  const timer = setInterval(() => busy.send(kinds.queryAwareness), 10);
  expect(await Promise.all([silent.closed, busy.closed])).toEqual([4408, 4408]);
  clearInterval(timer);
});

test('the number of unauthenticated connections is limited', async () => {
  const node = await startNode({ limits: { unauthenticatedConnections: 2 } });
  await Promise.all([openRaw(node.url), openRaw(node.url)]);
  await expect(openRaw(node.url)).rejects.toThrow('503');
});

test('a client that reads nothing is disconnected', async () => {
  const { client, node, token } = await rawClient({ backlogBytes: 100_000, byteBurst: 100_000_000 });
  client.ws.pause();
  const writer = openClient(node.url, token);
  await until(() => isSaved(writer), 'a connection');
  for (let count = 0; count < 60 && (node.realtime.health().closed.tooSlow ?? 0) === 0; count++) {
    writer.document.getText('content').insert(0, 'x'.repeat(150_000));
    writer.document.getText('content').delete(0, 150_000);
    await until(() => isSaved(writer), 'an acknowledgment');
  }
  await until(() => node.realtime.health().closed.tooSlow === 1, 'the end of the connection');
});

test('a flood on one document is ended while other documents are served', async () => {
  const { node, workspace, token } = await rawClient();
  const [other, flooder] = await Promise.all([
    (async () => {
      await workspace.must('/v2/organizations/documents/add', {
        organizationId: 'acme',
        documents: [{ documentId: 'quiet' }],
      });
      const client = openClient(node.url, token, { name: 'acme/quiet/body' });
      await until(() => isSaved(client), 'a connection');
      return client;
    })(),
    openRaw(node.url, { token }),
  ]);
  for (const update of typing(5_000)) flooder.update(update);
  other.document.getText('content').insert(0, 'still here');
  await until(() => isSaved(other), 'an acknowledgment');
  expect(await flooder.closed).toBe(closings.tooManyMessages.code);
});

test.each(['busy', 'overQuota'] as const)(
  'while %s, a change closes the connection unstored, and clients that only read or delete stay',
  async (cause) => {
    let refused: Cause | undefined;
    const calls: [string, number][] = [];
    const node = await startNode({
      refusalOf(apiKeyId, bytes) {
        calls.push([apiKeyId, bytes]);
        return refused;
      },
    });
    const workspace = await withDocument();
    const token = await tokenOf(workspace);
    const writer = openClient(node.url, token);
    writer.document.getText('content').insert(0, 'kept and deleted');
    await until(() => isSaved(writer), 'the first change');
    expect(calls[0]?.[0]).toBe(workspace.apiKeyId);
    expect(calls[0]?.[1]).toBeGreaterThan(0);
    refused = cause;
    writer.document.getText('content').delete(4, 12);
    await until(() => isSaved(writer), 'the deletion');
    const reader = openClient(node.url, token);
    await until(() => reader.document.getText('content').toString() === 'kept', 'what is stored');
    const client = await openRaw(node.url, { token });
    client.update(typing(1)[0]!);
    expect(await client.closed).toBe(closings[cause].code);
    expect(reader.document.getText('content').toString()).toBe('kept');
  },
);
