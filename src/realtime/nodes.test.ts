import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from 'lib0/encoding';
import { expect, onTestFinished, test } from 'vitest';
import {
  createAbsolutePositionFromRelativePosition,
  createRelativePositionFromTypeIndex,
  type Doc,
  encodeStateVector,
} from 'yjs';
import { createBusHub } from '../../test/fakes/bus-hub.ts';
import {
  editor,
  isSaved,
  type LiveClient,
  openClient,
  place,
  startNode,
  tokenOf,
  withDocument,
} from '../../test/live/live-node.ts';
import { openRaw } from '../../test/live/raw-live-client.ts';
import { until } from '../../test/run/until.ts';
import { kinds, syncKinds } from './connection/hocuspocus-message.ts';
import { createPeers } from './log/peers.ts';

const textOf = (document: Doc) => document.getText('content').toString();

/** Two processes of one service, with a client at each. */
async function twoNodes() {
  const hub = createBusHub();
  const [first, second] = [await startNode({ bus: hub.join() }), await startNode({ bus: hub.join() })];
  const workspace = await withDocument();
  const ada = openClient(first.url, await tokenOf(workspace));
  const bo = openClient(second.url, await tokenOf(workspace, { userId: 'bo' }));
  await until(() => isSaved(ada) && isSaved(bo), 'connections');
  return { hub, first, second, workspace, ada, bo };
}

const agree = (a: LiveClient, b: LiveClient, text: string) =>
  until(() => textOf(a.document) === text && textOf(b.document) === text, `the text ${text}`);

test('clients and backends on different processes write one document', async () => {
  const { second, workspace, ada, bo } = await twoNodes();
  ada.document.getText('content').insert(0, 'at the first');
  await agree(ada, bo, 'at the first');
  bo.document.getText('content').insert(12, ', and at the second');
  await agree(ada, bo, 'at the first, and at the second');
  const change = { ...editor, type: 'text', data: 'at the first, and by the backend' };
  expect((await second.post('/v2/crdt/update', change, workspace.keyHeaders)).status).toBe(200);
  await agree(ada, bo, 'at the first, and by the backend');
  expect(encodeStateVector(ada.document)).toEqual(encodeStateVector(bo.document));
  ada.provider.setAwarenessField('user', { name: 'Ada' });
  await until(() => bo.provider.awareness!.getStates().has(ada.document.clientID), 'the other client');
  ada.provider.destroy();
  await until(() => !bo.provider.awareness!.getStates().has(ada.document.clientID), 'the other client to go');
});

test('a user cannot change awareness of another user’s client on another process, or under another spelling of the name', async () => {
  const { first, second, ada, bo, workspace } = await twoNodes();
  ada.provider.setAwarenessField('user', { name: 'Ada' });
  const stateOfAda = (of: LiveClient) => of.provider.awareness!.getStates().get(ada.document.clientID);
  await until(() => stateOfAda(bo), 'the state of Ada');
  const token = await tokenOf(workspace, { userId: 'eve' });
  for (const [url, name] of [
    [second.url, undefined],
    [first.url, 'acme/home/%62ody'],
  ] as const) {
    const eve = await openRaw(url, { token, ...(name && { name }) });
    eve.send(kinds.awareness, (encoder) => {
      writeVarUint8Array(encoder, awarenessOf(ada.document.clientID, '{"user":{"name":"Eve"}}'));
    });
    eve.sync(syncKinds.step1, new Uint8Array([0]));
    await eve.waitFor(({ step }) => step === syncKinds.step2);
  }
  bo.provider.setAwarenessField('user', { name: 'Bo' });
  await until(() => ada.provider.awareness!.getStates().has(bo.document.clientID), 'the state of Bo');
  expect([stateOfAda(ada), stateOfAda(bo)]).toEqual([{ user: { name: 'Ada' } }, { user: { name: 'Ada' } }]);
});

function awarenessOf(clientId: number, state: string): Uint8Array {
  const encoder = createEncoder();
  for (const number of [1, clientId, 99]) writeVarUint(encoder, number);
  writeVarString(encoder, state);
  return toUint8Array(encoder);
}

test('a change on a process without the open document reaches clients on other processes', async () => {
  const hub = createBusHub();
  const [first, second] = [await startNode({ bus: hub.join() }), await startNode({ bus: hub.join() })];
  const workspace = await withDocument();
  const ada = openClient(first.url, await tokenOf(workspace));
  await until(() => isSaved(ada), 'a connection');
  const content = { ...editor, type: 'text', data: 'made' };
  expect((await second.post('/v2/crdt/add', content, workspace.keyHeaders)).status).toBe(200);
  await until(() => textOf(ada.document) === 'made', 'the content');
  ada.document.getText('content').insert(4, ' and typed');
  await until(() => isSaved(ada), 'an acknowledgment');
  const change = { ...content, data: 'made and typed over' };
  expect((await second.post('/v2/crdt/update', change, workspace.keyHeaders)).status).toBe(200);
  await until(() => textOf(ada.document) === 'made and typed over', 'the change');
  expect((await second.post('/v2/crdt/delete', place, workspace.keyHeaders)).status).toBe(200);
  await until(() => ada.closes.some(({ code }) => code === 4410), 'being closed');
});

test('changes during a partition of the bus are merged afterwards', async () => {
  const { hub, ada, bo, workspace, first } = await twoNodes();
  ada.document.getText('content').insert(0, 'before');
  await agree(ada, bo, 'before');
  hub.cut();
  ada.document.getText('content').insert(6, ' Ada');
  bo.document.getText('content').insert(0, 'Bo ');
  await until(() => isSaved(ada) && isSaved(bo), 'acknowledgments');
  expect([textOf(ada.document), textOf(bo.document)]).toEqual(['before Ada', 'Bo before']);
  const gone = { ...place, editorId: 'gone' };
  await workspace.must('/v2/crdt/add', { ...gone, type: 'text', data: 'x' });
  expect((await first.post('/v2/crdt/get', gone, workspace.keyHeaders)).body.result.data).toHaveLength(1);
  hub.heal();
  await agree(ada, bo, 'Bo before Ada');
  expect(encodeStateVector(ada.document)).toEqual(encodeStateVector(bo.document));
});

test('updates that a process stored but did not broadcast before it died reach the others soon after', async () => {
  const hub = createBusHub();
  const dying = hub.join();
  const [first, second] = [await startNode({ bus: dying }), await startNode({ bus: hub.join() })];
  const workspace = await withDocument();
  const ada = openClient(first.url, await tokenOf(workspace));
  const bo = openClient(second.url, await tokenOf(workspace, { userId: 'bo' }));
  await until(() => isSaved(ada) && isSaved(bo), 'connections');
  const watcher = createPeers({ bus: hub.join() });
  onTestFinished(() => watcher.stop());
  await until(() => watcher.count() === 3, 'heartbeats of both');
  dying.publish = async () => {};
  ada.document.getText('content').insert(0, 'stored by the dead');
  await until(() => isSaved(ada), 'an acknowledgment');
  expect(textOf(bo.document)).toBe('');
  await until(() => watcher.isDoubtful(), 'a late heartbeat');
  const change = { ...editor, type: 'text', data: 'replaced' };
  expect((await second.post('/v2/crdt/update', change, workspace.keyHeaders)).status).toBe(200);
  expect((await second.post('/v2/crdt/get', editor, workspace.keyHeaders)).body.result.data[0].data).toBe(
    'replaced',
  );
  await until(() => textOf(bo.document) === 'replaced', 'the change');
});

test('an editor that is deleted during a partition of the bus is closed afterwards', async () => {
  const { hub, ada, bo, second, workspace } = await twoNodes();
  ada.document.getText('content').insert(0, 'to be deleted');
  await agree(ada, bo, 'to be deleted');
  hub.cut();
  expect((await second.post('/v2/crdt/delete', place, workspace.keyHeaders)).status).toBe(200);
  await until(() => bo.closes.some(({ code }) => code === 4410), 'the one nearby to be closed');
  expect(ada.closes).toEqual([]);
  hub.heal();
  await until(() => ada.closes.some(({ code }) => code === 4410), 'the other to be closed');
  expect(await workspace.must('/v2/crdt/get', editor)).toEqual([]);
});

test('a change over REST finds an editor that another process deleted and created again', async () => {
  const { hub, ada, bo, first, second, workspace } = await twoNodes();
  ada.document.getText('content').insert(0, 'the first of its name');
  await agree(ada, bo, 'the first of its name');
  hub.cut();
  const content = { ...editor, type: 'text', data: 'the second of its name' };
  expect((await second.post('/v2/crdt/delete', place, workspace.keyHeaders)).status).toBe(200);
  expect((await second.post('/v2/crdt/add', content, workspace.keyHeaders)).status).toBe(200);
  const change = { ...content, data: 'changed' };
  expect((await first.post('/v2/crdt/update', change, workspace.keyHeaders)).status).toBe(200);
  expect((await workspace.must('/v2/crdt/get', editor))[0].data).toBe('changed');
});

test('two processes that create an editor at the same moment create one editor', async () => {
  const { ada, bo, workspace } = await twoNodes();
  ada.document.getText('content').insert(0, 'Ada');
  bo.document.getText('content').insert(0, 'Bo');
  await until(() => isSaved(ada) && isSaved(bo), 'acknowledgments');
  await until(() => textOf(ada.document).length === 5 && textOf(bo.document).length === 5, 'both');
  expect(textOf(ada.document)).toBe(textOf(bo.document));
  expect((await workspace.must('/v2/crdt/get', editor))[0].data).toBe(textOf(ada.document));
});

test('a cursor keeps its place while a backend replaces the paragraph before it', async () => {
  const { ada, bo, second, workspace } = await twoNodes();
  const [head, tail] = ['The first paragraph, as it was. '.repeat(15), 'and the rest of it. '.repeat(40)];
  const text = ada.document.getText('content');
  text.insert(0, `${head}\n\n${tail}`);
  await agree(ada, bo, `${head}\n\n${tail}`);
  const cursorAt = head.length + 2 + 20;
  expect(cursorAt).toBeGreaterThan(500);
  let cursor = createRelativePositionFromTypeIndex(text, cursorAt);
  const indexOfCursor = () => createAbsolutePositionFromRelativePosition(cursor, ada.document)!.index;
  const type = (letters: string) => {
    for (const letter of letters) {
      const index = indexOfCursor();
      text.insert(index, letter);
      cursor = createRelativePositionFromTypeIndex(text, index + 1);
    }
  };
  const socket = ada.provider.configuration.websocketProvider;
  let typed = '';
  for (const opening of ['A second one.', 'A third.', 'Another first paragraph.']) {
    const rest = textOf(bo.document).split('\n\n')[1];
    // This text is in flight while the backend, which has not seen it, replaces the paragraph.
    socket.disconnect();
    await until(() => !ada.provider.isSynced, 'the connection to end');
    type(`typed before ${opening} `);
    typed += `typed before ${opening} `;
    const change = { ...editor, type: 'text', data: `${opening}\n\n${rest}` };
    expect((await second.post('/v2/crdt/update', change, workspace.keyHeaders)).status).toBe(200);
    await socket.connect();
    await until(() => isSaved(ada) && textOf(ada.document) === textOf(bo.document), 'agreement');
  }
  expect(textOf(ada.document)).toBe(
    `Another first paragraph.\n\n${tail.slice(0, 20)}${typed}${tail.slice(20)}`,
  );
  expect(textOf(ada.document).slice(0, indexOfCursor())).toMatch(new RegExp(`${typed}$`));
});
