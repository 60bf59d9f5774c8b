import { expect, test } from 'vitest';
import { place, withDocument } from '../../../test/live/live-node.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import { type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { listEditors } from '../../store/live/crdt-editors.ts';

async function withEditors(...ids: string[]): Promise<TestWorkspace> {
  const w = await withDocument();
  for (const editorId of ids) {
    await w.must('/v2/crdt/add', { ...place, editorId, type: 'text', data: `content of ${editorId}` });
  }
  return w;
}

const idsIn = (rows: { id: string }[]) => rows.map(({ id }) => id);

test('all editors of a document are listed in the order of their ids, or a single one', async () => {
  const w = await withEditors('c', 'a', 'b');
  await w.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'other' }],
  });
  await w.must('/v2/crdt/add', { ...place, documentId: 'other', editorId: 'x', type: 'text', data: 'x' });
  const all = await w.post('/v2/crdt/get', place);
  expect(idsIn(all.body.result.data)).toEqual(['a', 'b', 'c']);
  expect(all.body.result).not.toHaveProperty('nextPageToken');
  expect(await w.must('/v2/crdt/get', { ...place, editorId: 'b' })).toMatchObject([
    { id: 'b', data: 'content of b' },
  ]);
  expect(await w.must('/v2/crdt/get', { ...place, editorId: 'unknown' })).toEqual([]);
  expect(await w.must('/v2/crdt/get', { ...place, documentId: 'unknown' })).toEqual([]);
});

test('editors are listed page by page, and a token is valid only for its list', async () => {
  const w = await withEditors('a', 'b', 'c', 'd', 'e');
  const ids: string[] = [];
  let pageToken: string | undefined;
  let first: string | undefined;
  do {
    const { result } = (await w.post('/v2/crdt/get', { ...place, pageSize: 2, pageToken })).body;
    expect(result.data.length).toBeLessThanOrEqual(2);
    ids.push(...idsIn(result.data));
    pageToken = result.nextPageToken;
    first ??= pageToken;
  } while (pageToken !== undefined);
  expect(ids).toEqual(['a', 'b', 'c', 'd', 'e']);
  for (const other of [
    { ...place, editorId: 'a' },
    { ...place, documentId: 'other' },
  ]) {
    const { body } = await w.post('/v2/crdt/get', { ...other, pageToken: first });
    expect(body.error).toEqual({ status: 'INVALID_ARGUMENT', message: 'pageToken is not valid.' });
  }
});

test('an answer is limited in size, and has at least one editor', async () => {
  const w = await withDocument();
  const { deps } = await testApp();
  for (const editorId of ['a', 'b', 'c', 'd']) {
    const data = 'x'.repeat(editorId === 'a' ? 5_000 : 1_000);
    await w.must('/v2/crdt/add', { ...place, editorId, type: 'text', data });
  }
  const page = async (after: string | undefined, maxBytes: number, limit = 10) => {
    const { editors, hasMore } = await listEditors(deps.db, w, place, { after, limit, maxBytes });
    return [editors.map(({ editorId }) => editorId), hasMore];
  };
  expect(await page(undefined, 10)).toEqual([['a'], true]);
  expect(await page('a', 1_500)).toEqual([['b', 'c'], true]);
  expect(await page('a', 1_000_000)).toEqual([['b', 'c', 'd'], false]);
  expect(await page('a', 1_000_000, 2)).toEqual([['b', 'c'], true]);
  expect(await page('d', 1_000)).toEqual([[], false]);
});

test('users without the document cannot find out that it exists', async () => {
  const w = await withEditors('a');
  await w.must('/v2/organizations/documents/access/update', {
    organizationId: 'acme',
    documentIds: ['home'],
    accessType: 'restricted',
  });
  const stranger = await newUserToken(w, { userId: 'stranger' });
  const refused = await stranger.post('/v2/crdt/get', place);
  const unknown = await stranger.post('/v2/crdt/get', { ...place, documentId: 'unknown' });
  expect(refused.body.error.status).toBe('PERMISSION_DENIED');
  expect(unknown.body.error).toEqual(refused.body.error);
});
