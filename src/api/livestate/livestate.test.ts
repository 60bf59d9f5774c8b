import { expect, test } from 'vitest';
import { place, withDocument } from '../../../test/live/live-node.ts';
import { type TestWorkspace, testApp } from '../../../test/service/harness.ts';

const broadcast = (workspace: TestWorkspace, data: unknown, more: object = {}) =>
  workspace.post('/v2/livestate/broadcast', { ...place, liveStateDataId: 'slide', data, ...more });
const stateOf = async (workspace: TestWorkspace) =>
  (await workspace.must('/v2/livestate/get', place))[0]?.data;

test('a state is replaced or deeply merged, and each broadcast raises an event', async () => {
  const workspace = await withDocument();
  const { body } = await broadcast(workspace, { a: { x: 1, list: [1, 2] }, b: 1 });
  expect(body.result.data).toEqual({ success: true });
  await broadcast(workspace, { a: { y: 2, list: [3] } }, { merge: true });
  expect(await stateOf(workspace)).toEqual({ a: { x: 1, y: 2, list: [3] }, b: 1 });
  await broadcast(workspace, { c: null });
  expect(await stateOf(workspace)).toEqual({ c: null });
  const { deps } = await testApp();
  const events = await deps.db
    .selectFrom('events')
    .select('payload')
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('name', '=', 'live_state.broadcast')
    .orderBy('seq')
    .execute();
  expect(events.map((event) => event.payload)).toEqual([
    { ...place, liveStateDataId: 'slide', data: { a: { x: 1, list: [1, 2] }, b: 1 } },
    { ...place, liveStateDataId: 'slide', data: { a: { x: 1, y: 2, list: [3] }, b: 1 } },
    { ...place, liveStateDataId: 'slide', data: { c: null } },
  ]);
});

test('concurrent merges are all kept', async () => {
  const workspace = await withDocument();
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => broadcast(workspace, { [`k${index}`]: index }, { merge: true })),
  );
  expect(Object.keys(await stateOf(workspace))).toHaveLength(10);
});

test('a state is limited in size, even if it grows by merging', async () => {
  const workspace = await withDocument();
  const half = 'ä'.repeat(20_000);
  expect((await broadcast(workspace, { a: half })).status).toBe(200);
  const { body } = await broadcast(workspace, { b: half }, { merge: true });
  expect(body.error).toEqual({
    status: 'INVALID_ARGUMENT',
    message: 'The live state would be larger than 65536 bytes.',
  });
  expect((await broadcast(workspace, { a: half + half })).status).toBe(400);
  expect(Object.keys(await stateOf(workspace))).toEqual(['a']);
});

test('states are listed by id and page by page', async () => {
  const workspace = await withDocument();
  for (const liveStateDataId of ['c', 'a', 'b'])
    await broadcast(workspace, { is: liveStateDataId }, { liveStateDataId });
  const get = async (more: object) =>
    (await workspace.post('/v2/livestate/get', { ...place, ...more })).body.result;
  const first = await get({ pageSize: 2 });
  const second = await get({ pageSize: 2, pageToken: first.nextPageToken });
  const ids = [...first.data, ...second.data].map((state) => state.liveStateDataId);
  expect(ids).toEqual(['a', 'b', 'c']);
  expect((await get({ liveStateDataIds: ['b', 'x'] })).data).toEqual([
    { liveStateDataId: 'b', data: { is: 'b' }, lastUpdated: expect.any(Number) },
  ]);
});

test('a broadcast requires a document', async () => {
  const missing = await broadcast(await withDocument(), {}, { documentId: 'missing' });
  expect(missing.body.error).toEqual({ status: 'NOT_FOUND', message: 'Document does not exist' });
});
