import { HocuspocusProvider, type HocuspocusProviderWebsocket } from '@hocuspocus/provider';
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from 'lib0/encoding';
import { afterEach, expect, test, vi } from 'vitest';
import { Doc } from 'yjs';
import {
  editor,
  isSaved,
  openClient,
  place,
  startNode,
  tokenOf,
  withDocument,
} from '../../test/live/live-node.ts';
import { openRaw } from '../../test/live/raw-live-client.ts';
import { until } from '../../test/run/until.ts';
import { testApp } from '../../test/service/harness.ts';
import type { Bus } from '../lib/bus/bus.ts';
import { createInProcessBus } from '../lib/bus/in-process-bus.ts';
import { loadEditor } from '../store/live/crdt-log.ts';
import { kinds } from './connection/hocuspocus-message.ts';
import { openStored } from './document/stored-content.ts';
import { closings } from './protocol/close-codes.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A bus whose first subscription waits, as does every client that opens that editor. */
function pausedBus(): { bus: Bus; isPaused(): boolean; resume(error?: Error): void } {
  const pause = Promise.withResolvers<void>();
  let count = 0;
  return {
    bus: {
      ...createInProcessBus(),
      async subscribe(channel) {
        if (!channel.startsWith('editor:')) return async () => {};
        count += 1;
        if (count === 1) await pause.promise;
        return async () => {};
      },
    },
    isPaused: () => count > 0,
    resume: (error) => (error ? pause.reject(error) : pause.resolve()),
  };
}

/**
 * Waits until the server has handled the earlier messages of a connection: opens another editor over the same
 * connection, which takes the same steps after them.
 */
async function untilHandled(websocketProvider: HocuspocusProviderWebsocket, token: string): Promise<void> {
  const name = `${place.organizationId}/${place.documentId}/fence`;
  const fence = new HocuspocusProvider({ websocketProvider, name, token, document: new Doc() });
  fence.attach();
  await until(() => fence.isSynced, 'another editor over the same connection');
  fence.destroy();
}

test('clients that wait for a document that cannot be loaded are all asked to retry', async () => {
  const { bus, isPaused, resume } = pausedBus();
  const node = await startNode({ bus });
  const workspace = await withDocument();
  const token = await tokenOf(workspace);
  const first = openClient(node.url, token);
  await until(isPaused);
  const second = openClient(node.url, token);
  await untilHandled(second.provider.configuration.websocketProvider, token);
  const clients = [first, second];
  resume(Object.assign(new Error(), { code: 'ECONNREFUSED' }));
  await until(() => clients.every(isSaved), 'both to be in sync');
  expect(clients.map(({ refusals }) => refusals)).toEqual([[], []]);
  expect(clients.map(({ closes }) => closes[0]?.code)).toEqual([closings.busy.code, closings.busy.code]);
});

test('an editor that is deleted while it is opened is opened anew, and later changes are stored', async () => {
  const { bus, isPaused, resume } = pausedBus();
  const node = await startNode({ bus });
  const workspace = await withDocument();
  await workspace.must('/v2/crdt/add', { ...editor, type: 'text', data: 'old' });
  const client = openClient(node.url, await tokenOf(workspace));
  await until(isPaused);
  const deleted = await node.post('/v2/crdt/delete', { ...place, editorIds: ['body'] }, workspace.keyHeaders);
  expect(deleted.status).toBe(200);
  resume();
  await until(() => client.closes.length > 0, 'the end of what was deleted');
  await until(() => isSaved(client), 'the client to come again');
  client.document.getText('content').insert(0, 'new');
  await until(() => isSaved(client), 'the text to be saved');
  expect(client.closes).toHaveLength(1);
  const { deps } = await testApp();
  const stored = await loadEditor(deps.db, workspace, editor);
  expect(openStored(stored!).getText('content').toString()).toBe('new');
});

test('an editor that was opened again after its deletion is unloaded like any other', async () => {
  const node = await startNode();
  const workspace = await withDocument();
  const token = await tokenOf(workspace);
  const writer = openClient(node.url, token);
  await until(() => isSaved(writer));
  writer.document.getText('content').insert(0, 'x');
  await until(() => isSaved(writer), 'the text to be saved');
  await node.post('/v2/crdt/delete', place, workspace.keyHeaders);
  writer.provider.destroy();
  const reader = openClient(node.url, token);
  await until(() => isSaved(reader));
  reader.provider.destroy();
  await until(() => node.realtime.health().documents === 0, 'the editor to be let go of');
});

test('an editor that is changed over REST stays open for a while, and is unloaded then', async () => {
  const node = await startNode();
  const workspace = await withDocument();
  const content = { ...place, editorId: editor.editorId, type: 'text' };
  await node.post('/v2/crdt/add', { ...content, data: 'first' }, workspace.keyHeaders);
  for (const data of ['second', 'third']) {
    expect((await node.post('/v2/crdt/update', { ...content, data }, workspace.keyHeaders)).status).toBe(200);
    expect(node.realtime.health().documents).toBe(1);
  }
  await until(() => node.realtime.health().documents === 0, 'the editor to be let go of');
  expect(
    (await node.post('/v2/crdt/update', { ...content, data: 'last' }, workspace.keyHeaders)).status,
  ).toBe(200);
  const stored = await loadEditor((await testApp()).deps.db, workspace, editor);
  expect(openStored(stored!).getText('content').toString()).toBe('last');
});

test('rights are rechecked after a connection was without documents for long', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const node = await startNode({ limits: { pingEveryMs: 2 ** 30 } });
  const workspace = await withDocument();
  const token = await tokenOf(workspace);
  const client = await openRaw(node.url, { token });
  client.send(kinds.close);
  await until(() => node.realtime.health().documents === 0, 'the editor to be let go of');
  await vi.advanceTimersByTimeAsync(60_000);
  client.received.length = 0;
  await client.authenticate(token);
  await until(() => node.realtime.health().documents === 1, 'the editor to be open again');
  await workspace.must('/v2/organizations/documents/delete', {
    organizationId: place.organizationId,
    documentIds: [place.documentId],
  });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await client.closed).toBe(closings.forbidden.code);
});

test('messages to refused documents do not count against other documents', async () => {
  const node = await startNode({ limits: { queuedMessages: 4 } });
  const workspace = await withDocument();
  const token = await tokenOf(workspace);
  const { ws, received } = await openRaw(node.url, { token });
  for (let count = 1; count <= 5; count++) {
    const send = (kind: number, write: (encoder: ReturnType<typeof createEncoder>) => void) => {
      const encoder = createEncoder();
      writeVarString(encoder, `acme/none${count}/body`);
      writeVarUint(encoder, kind);
      write(encoder);
      ws.send(toUint8Array(encoder));
    };
    send(kinds.auth, (encoder) => {
      writeVarUint(encoder, 0);
      writeVarString(encoder, token);
    });
    // Like every client, without waiting for the answer.
    send(kinds.sync, (encoder) => {
      writeVarUint(encoder, 0);
      writeVarUint8Array(encoder, new Uint8Array([0]));
    });
    await until(() => received.filter(({ answer }) => answer === 1).length === count, 'a refusal');
  }
  expect(ws.readyState).toBe(ws.OPEN);
});

test('a change that could not be stored is not reported as saved when its author reconnects', async () => {
  const { deps } = await testApp();
  let fault: Error | undefined;
  const db = new Proxy(deps.db, {
    get(target, name) {
      if ((name === 'getExecutor' || name === 'executeQuery') && fault) {
        const error = fault;
        fault = undefined;
        throw error;
      }
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const node = await startNode({ db });
  const workspace = await withDocument();
  const token = await tokenOf(workspace);
  const [writer, other] = [openClient(node.url, token), openClient(node.url, token)];
  await until(() => isSaved(writer) && isSaved(other));
  fault = Object.assign(new Error('refused'), { code: '22021' });
  writer.document.getText('content').insert(0, 'precious');
  await until(() => writer.closes.length > 0, 'the connection to be closed');
  await until(() => isSaved(writer), 'the text to be saved');
  const stored = await loadEditor(deps.db, workspace, editor);
  expect(openStored(stored!).getText('content').toString()).toBe('precious');
  expect(writer.closes.map(({ code }) => code)).toEqual([closings.busy.code]);
});

test.each([
  ['at once', false],
  ['after the server has received the close', true],
])(
  'a page that closes a document and reopens it over the same connection %s receives it',
  async (_when, isHandled) => {
    const { bus, isPaused, resume } = pausedBus();
    const node = await startNode({ bus });
    const workspace = await withDocument();
    const token = await tokenOf(workspace);
    const { provider } = openClient(node.url, token);
    await until(isPaused);
    const { websocketProvider } = provider.configuration;
    // React does this in strict mode, because it mounts every component twice.
    provider.destroy();
    if (isHandled) await untilHandled(websocketProvider, token);
    const again = new HocuspocusProvider({
      websocketProvider,
      name: provider.configuration.name,
      token,
      document: new Doc(),
    });
    again.attach();
    await untilHandled(websocketProvider, token);
    resume();
    await until(() => again.isSynced, 'the document to be in sync');
    again.document.getText('content').insert(0, 'x');
    await until(() => !again.hasUnsyncedChanges, 'the text to be saved');
    again.destroy();
  },
);
