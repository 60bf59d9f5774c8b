import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  editor,
  isSaved,
  openClient,
  startNode,
  tokenOf,
  withDocument,
} from '../../../../test/live/live-node.ts';
import { until } from '../../../../test/run/until.ts';
import { type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { MAX_SNAPSHOTS } from '../../../store/live/crdt-snapshots.ts';

async function withText(data = 'one'): Promise<TestWorkspace> {
  const w = await withDocument();
  await w.must('/v2/crdt/add', { ...editor, type: 'text', data });
  return w;
}
const create = (w: TestWorkspace, more: object = {}) =>
  w.must('/v2/crdt/snapshots/create', { ...editor, ...more });
const write = (w: TestWorkspace, data: string) =>
  w.must('/v2/crdt/update', { ...editor, type: 'text', data });
const contentOf = async (w: TestWorkspace) => (await w.must('/v2/crdt/get', editor))[0].data;
const on = (w: TestWorkspace, operation: string, snapshotId: string) =>
  w.post(`/v2/crdt/snapshots/${operation}`, { ...editor, snapshotId });

test('content is saved under a name, returned, and restored', async () => {
  const w = await withText('one');
  const before = Date.now();
  const created = await w.post('/v2/crdt/snapshots/create', { ...editor, name: 'First', createdBy: 'ana' });
  expect(created.body.result.data).toEqual({
    snapshotId: expect.stringMatching(/^snapshot_/),
    name: 'First',
    createdAt: expect.any(Number),
    createdBy: 'ana',
    bytes: expect.any(Number),
  });
  const first = created.body.result.data;
  expect(first.createdAt).toBeGreaterThanOrEqual(before);
  await write(w, 'two');
  const second = await create(w);
  expect(second).toMatchObject({ name: new Date(second.createdAt).toISOString(), createdBy: null });
  expect((await on(w, 'get', first.snapshotId)).body.result).toEqual({
    status: 'success',
    message: 'CRDT snapshot retrieved successfully.',
    data: { ...first, id: 'body', data: 'one' },
  });
  const restored = await on(w, 'restore', first.snapshotId);
  expect([restored.status, restored.body.result]).toEqual([
    200,
    { status: 'success', message: 'CRDT snapshot restored successfully.' },
  ]);
  expect(await contentOf(w)).toBe('one');
  await on(w, 'restore', second.snapshotId);
  expect(await contentOf(w)).toBe('two');
  expect(await w.must('/v2/crdt/snapshots/list', editor)).toEqual([second, first]);
  expect((await on(w, 'delete', first.snapshotId)).status).toBe(200);
  expect(await w.must('/v2/crdt/snapshots/list', editor)).toEqual([second]);
  expect(await contentOf(w)).toBe('two');
});

test('snapshots are listed page by page, newest first', async () => {
  const w = await withText();
  for (const name of ['1', '2', '3', '4', '5']) await create(w, { name });
  const names: string[] = [];
  let pageToken: string | undefined;
  do {
    const { result } = (await w.post('/v2/crdt/snapshots/list', { ...editor, pageSize: 2, pageToken })).body;
    names.push(...result.data.map(({ name }: { name: string }) => name));
    pageToken = result.nextPageToken;
  } while (pageToken !== undefined);
  expect(names).toEqual(['5', '4', '3', '2', '1']);
  expect(await w.must('/v2/crdt/snapshots/list', { ...editor, editorId: 'other' })).toEqual([]);
});

test('unknown editors and snapshots are not found', async () => {
  const w = await withText();
  const { snapshotId } = await create(w);
  const missing = { status: 'NOT_FOUND', message: 'No snapshot found for this ID.' };
  for (const operation of ['get', 'restore', 'delete']) {
    expect((await on(w, operation, 'unknown')).body.error).toEqual(missing);
    const elsewhere = { ...editor, editorId: 'other', snapshotId };
    expect((await w.post(`/v2/crdt/snapshots/${operation}`, elsewhere)).body.error).toEqual(missing);
  }
  const missingEditor = await w.post('/v2/crdt/snapshots/create', { ...editor, editorId: 'other' });
  expect(missingEditor.body.error).toEqual({
    status: 'NOT_FOUND',
    message: 'No CRDT data found for this editor ID.',
  });
});

test('the number of snapshots of an editor is limited, even with concurrent requests', async () => {
  const w = await withText();
  const { deps } = await testApp();
  await sql`insert into crdt_snapshots (api_key_id, organization_id, document_id, editor_id, snapshot_id, name,
      state, created_at)
    select ${w.apiKeyId}, 'acme', 'home', 'body', 's' || n, 'x', '\\x0000'::bytea, n
    from generate_series(1, ${MAX_SNAPSHOTS - 2}::integer) as n`.execute(deps.db);
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => w.post('/v2/crdt/snapshots/create', editor)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429]);
  expect(replies.find(({ status }) => status === 429)!.body.error).toEqual({
    status: 'RESOURCE_EXHAUSTED',
    message: `An editor can have at most ${MAX_SNAPSHOTS} snapshots. Delete some first.`,
  });
  await on(w, 'delete', 's1');
  await create(w);
});

test('clients of an editor receive restored content, and keep unchanged content', async () => {
  const w = await withText('The first line.\nThe second line.');
  const node = await startNode();
  const { snapshotId } = await create(w);
  await write(w, 'Something else.\nThe second line.');
  const client = openClient(node.url, await tokenOf(w));
  await until(() => isSaved(client));
  const text = client.document.getText('content');
  text.insert(text.length, ' And more.');
  await until(() => isSaved(client));
  const { status } = await node.post('/v2/crdt/snapshots/restore', { ...editor, snapshotId }, w.keyHeaders);
  expect(status).toBe(200);
  await until(() => text.toString() === 'The first line.\nThe second line.', 'the earlier text');
  expect(await contentOf(w)).toBe('The first line.\nThe second line.');
});
