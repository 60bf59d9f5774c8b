import { expect, test } from 'vitest';
import { createAbsolutePositionFromRelativePosition, createRelativePositionFromTypeIndex } from 'yjs';
import {
  editor,
  isSaved,
  type LiveClient,
  openClient,
  startNode,
  tokenOf,
  withDocument,
} from '../../../test/live/live-node.ts';
import { until } from '../../../test/run/until.ts';

const textOf = ({ document }: LiveClient) => document.getText('content');

async function startClients(clients: number) {
  const w = await withDocument();
  const node = await startNode();
  const token = await tokenOf(w);
  const opened = Array.from({ length: clients }, () => openClient(node.url, token));
  await until(() => opened.every(isSaved), 'clients that are in');
  const post = (operation: string, data: object) =>
    node.post(`/v2/crdt/${operation}`, { ...editor, ...data }, w.keyHeaders);
  const contentOf = async () => (await w.must('/v2/crdt/get', editor))[0]?.data;
  return { w, post, contentOf, clients: opened };
}

test('opening an editor does not create it, and its clients receive what is added later', async () => {
  const { w, post, clients } = await startClients(2);
  expect(await w.must('/v2/crdt/get', editor)).toEqual([]);
  expect((await post('update', { type: 'text', data: 'x' })).status).toBe(404);
  expect((await post('add', { type: 'text', data: 'Hello' })).status).toBe(200);
  await until(() => clients.every((client) => textOf(client).toString() === 'Hello'), 'the content');
});

test('content that a client has saved is returned, with its author', async () => {
  const { w, post, clients } = await startClients(1);
  textOf(clients[0]!).insert(0, 'live');
  await until(() => isSaved(clients[0]!));
  expect(await w.must('/v2/crdt/get', editor)).toEqual([
    {
      id: 'body',
      data: 'live',
      lastUpdate: expect.any(String),
      lastUpdatedBy: 'ada',
      sessionId: expect.any(String),
    },
  ]);
  const added = await post('add', { type: 'text', data: 'mine' });
  expect(added.body.error.status).toBe('ALREADY_EXISTS');
  await post('update', { type: 'text', data: 'replaced' });
  expect(await w.must('/v2/crdt/get', editor)).toMatchObject([
    { data: 'replaced', lastUpdatedBy: null, sessionId: null },
  ]);
});

test('an update replaces only differences, and keeps cursors and concurrent edits', async () => {
  const { post, contentOf, clients } = await startClients(2);
  const paragraphs = ['The first paragraph.', 'x'.repeat(600), 'The last.'];
  await post('add', { type: 'text', data: paragraphs.join('\n') });
  const [typing] = clients as [LiveClient, LiveClient];
  await until(() => textOf(typing).length > 600, 'the content');
  const cursor = createRelativePositionFromTypeIndex(textOf(typing), 500);
  const { websocketProvider } = typing.provider.configuration;
  websocketProvider.disconnect();
  // The provider counts as connected if it is told to connect while it closes.
  await until(() => websocketProvider.status === 'disconnected', 'the end of the connection');
  textOf(typing).insert(500, 'TYPED');
  const replaced = await post('update', {
    type: 'text',
    data: ['Another one.', ...paragraphs.slice(1)].join('\n'),
  });
  expect(replaced.status).toBe(200);
  await websocketProvider.connect();
  const hasBoth = (client: LiveClient) =>
    textOf(client).toString().startsWith('Another one.\nxxx') &&
    textOf(client).toString().includes('xTYPEDx');
  await until(() => clients.every(hasBoth) && clients.every(isSaved), 'both changes everywhere');
  const { index } = createAbsolutePositionFromRelativePosition(cursor, typing.document)!;
  expect(
    textOf(typing)
      .toString()
      .slice(index - 5, index),
  ).toBe('TYPED');
  expect(await contentOf()).toBe(textOf(typing).toString());
});
