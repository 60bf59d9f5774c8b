import { expect, test } from 'vitest';
import { place, withDocument } from '../../../test/live/live-node.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { prunePresence } from '../../store/live/presence-rows.ts';

const put = (workspace: TestWorkspace, users: object[], operation = 'add') =>
  workspace.post(`/v2/presence/${operation}`, { ...place, users });
const get = (workspace: TestWorkspace) => workspace.must('/v2/presence/get', place);

async function eventsOf(workspace: TestWorkspace) {
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('events')
    .select(['name', 'payload'])
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('name', 'like', 'presence.%')
    .orderBy('seq')
    .execute();
  return rows.map((row) => [row.name, row.payload]);
}

test('users are added, updated and removed, with events', async () => {
  const workspace = await withDocument();
  const added = await put(workspace, [{ userId: 'b', name: 'Bo', status: 'away', tab: 2 }, { userId: 'a' }]);
  expect(added.body.result.data).toEqual({ success: true });
  const updated = await put(
    workspace,
    [
      { userId: 'b', email: 'b@x.org' },
      { userId: 'c', status: 'offline' },
    ],
    'update',
  );
  expect(updated.body.result.data).toEqual({ success: true });
  const lastUpdated = expect.any(Number);
  expect(await get(workspace)).toEqual([
    { userId: 'a', status: 'online', lastUpdated },
    { userId: 'b', name: 'Bo', email: 'b@x.org', status: 'away', tab: 2, lastUpdated },
    { userId: 'c', status: 'offline', lastUpdated },
  ]);
  expect(await workspace.must('/v2/presence/delete', { ...place, userIds: ['a', 'x'] })).toEqual({
    success: true,
  });
  expect((await get(workspace)).map((user: { userId: string }) => user.userId)).toEqual(['b', 'c']);
  expect(await eventsOf(workspace)).toEqual([
    [
      'presence.update',
      {
        ...place,
        users: [
          { userId: 'a', status: 'online' },
          { userId: 'b', name: 'Bo', status: 'away', tab: 2 },
        ],
      },
    ],
    [
      'presence.update',
      {
        ...place,
        users: [
          { userId: 'b', name: 'Bo', email: 'b@x.org', status: 'away', tab: 2 },
          { userId: 'c', status: 'offline' },
        ],
      },
    ],
    ['presence.delete', { ...place, userIds: ['a'] }],
  ]);
});

test('presence requires an existing document', async () => {
  const workspace = await newWorkspace();
  for (const operation of ['add', 'update', 'delete']) {
    const data = { ...place, users: [{ userId: 'a' }], userIds: ['a'] };
    const { body } = await workspace.post(`/v2/presence/${operation}`, data);
    expect(body.error).toEqual({ status: 'NOT_FOUND', message: 'Document does not exist' });
  }
});

test('a thousand users in concurrent batches are each present once', async () => {
  const workspace = await withDocument();
  const users = Array.from({ length: 1_000 }, (_, index) => ({ userId: `u${index}` }));
  const replies = await Promise.all([put(workspace, users), put(workspace, users.toReversed(), 'update')]);
  expect(replies.map((reply) => reply.status)).toEqual([200, 200]);
  expect(await get(workspace)).toHaveLength(1_000);
  const page = await workspace.post('/v2/presence/get', { ...place, pageSize: 999 });
  const rest = await workspace.post('/v2/presence/get', {
    ...place,
    pageSize: 999,
    pageToken: page.body.result.nextPageToken,
  });
  expect([page.body.result.data.length, rest.body.result.data.length]).toEqual([999, 1]);
});

test('a user is hidden after a day without an update, and then pruned', async () => {
  const workspace = await withDocument();
  const { deps } = await testApp();
  await put(workspace, [{ userId: 'old' }, { userId: 'new' }]);
  const rows = () =>
    deps.db.selectFrom('presence').select('userId').where('apiKeyId', '=', workspace.apiKeyId).execute();
  await deps.db
    .updateTable('presence')
    .set({ updatedAt: Date.now() - 25 * 3_600_000 })
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('userId', '=', 'old')
    .execute();
  expect((await get(workspace)).map((user: { userId: string }) => user.userId)).toEqual(['new']);
  expect(await rows()).toHaveLength(2);
  await prunePresence(deps.db, Date.now());
  expect(await rows()).toEqual([{ userId: 'new' }]);
});
