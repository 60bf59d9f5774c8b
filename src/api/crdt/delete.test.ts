import { expect, test } from 'vitest';
import {
  editor,
  isSaved,
  openClient,
  place,
  startNode,
  tokenOf,
  withDocument,
} from '../../../test/live/live-node.ts';
import { until } from '../../../test/run/until.ts';
import { type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { pruneEditors } from '../../store/live/crdt-pruning.ts';

const add = (w: TestWorkspace, editorId: string, data = 'Hello') =>
  w.must('/v2/crdt/add', { ...place, editorId, type: 'text', data });
const idsOf = async (w: TestWorkspace) =>
  (await w.must('/v2/crdt/get', place)).map(({ id }: { id: string }) => id);

async function deletionsOf({ apiKeyId }: TestWorkspace) {
  const { deps } = await testApp();
  return await deps.db
    .selectFrom('crdtDeletions')
    .select(['editorId', 'clientIds', 'deletedAt'])
    .where('apiKeyId', '=', apiKeyId)
    .orderBy('editorId')
    .execute();
}

test('editors are deleted by their ids, or all of a document', async () => {
  const w = await withDocument();
  for (const id of ['a', 'b', 'c', 'd']) await add(w, id);
  const some = await w.post('/v2/crdt/delete', { ...place, editorIds: ['b', 'unknown', 'b'] });
  expect([some.status, some.body]).toEqual([
    200,
    { result: { status: 'success', message: 'CRDT data deleted successfully.' } },
  ]);
  expect(await idsOf(w)).toEqual(['a', 'c', 'd']);
  expect((await w.post('/v2/crdt/delete', { ...place, documentId: 'unknown' })).status).toBe(200);
  expect((await w.post('/v2/crdt/delete', place)).status).toBe(200);
  expect(await idsOf(w)).toEqual([]);
  const update = await w.post('/v2/crdt/update', { ...place, editorId: 'a', type: 'text', data: 'x' });
  expect(update.status).toBe(404);
});

test('many editors are deleted at once', async () => {
  const w = await withDocument();
  const { deps } = await testApp();
  for (let at = 0; at < 130; at++) await add(w, `editor ${at}`);
  await w.must('/v2/crdt/delete', place);
  expect(await idsOf(w)).toEqual([]);
  expect(await deletionsOf(w)).toHaveLength(130);
  const log = await deps.db
    .selectFrom('crdtUpdates')
    .selectAll()
    .where('apiKeyId', '=', w.apiKeyId)
    .execute();
  expect(log).toEqual([]);
});

test('the authors of a deleted editor are remembered for a month, even after it is created and deleted again', async () => {
  const w = await withDocument();
  const { deps } = await testApp();
  await add(w, 'a');
  await w.must('/v2/crdt/delete', { ...place, editorIds: ['a'] });
  const [first] = await deletionsOf(w);
  expect(first?.clientIds).toHaveLength(1);
  await add(w, 'a', 'again');
  await w.must('/v2/crdt/delete', place);
  const [second, ...more] = await deletionsOf(w);
  expect(second?.clientIds).toEqual(expect.arrayContaining(first!.clientIds));
  expect([second?.clientIds.length, more]).toEqual([2, []]);
  const month = 30 * 24 * 3_600_000;
  await pruneEditors(deps.db, second!.deletedAt + month - 1);
  expect(await deletionsOf(w)).toHaveLength(1);
  await pruneEditors(deps.db, second!.deletedAt + month + 1);
  expect(await deletionsOf(w)).toEqual([]);
});

test('clients of a deleted editor are disconnected, and cannot restore it', async () => {
  const w = await withDocument();
  const node = await startNode();
  const token = await tokenOf(w);
  const client = openClient(node.url, token);
  await until(() => isSaved(client));
  client.document.getText('content').insert(0, 'live text');
  await until(() => isSaved(client));
  expect(await idsOf(w)).toEqual(['body']);
  const { status } = await node.post('/v2/crdt/delete', { ...place, editorIds: ['body'] }, w.keyHeaders);
  expect(status).toBe(200);
  await until(() => client.closes.length > 0, 'a closed connection');
  const [deletion] = await deletionsOf(w);
  expect(deletion?.clientIds).toEqual([client.document.clientID]);
  await w.must('/v2/crdt/add', { ...editor, type: 'text', data: 'fresh' });
  const again = openClient(node.url, token, { document: client.document });
  await until(() => again.closes.length > 0, 'a closed connection');
  expect(await w.must('/v2/crdt/get', editor)).toMatchObject([{ data: 'fresh' }]);
});

test('editors are deleted with their document', async () => {
  const w = await withDocument();
  await add(w, 'a');
  await w.must('/v2/crdt/snapshots/create', { ...place, editorId: 'a' });
  await w.must('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['home'] });
  await w.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  expect(await idsOf(w)).toEqual([]);
  expect(await w.must('/v2/crdt/snapshots/list', { ...place, editorId: 'a' })).toEqual([]);
});
