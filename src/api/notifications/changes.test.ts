import { expect, test } from 'vitest';
import { newWorkspace, send, type TestWorkspace, testApp } from '../../../test/service/harness.ts';

const add = (workspace: TestWorkspace, notificationId: string, data: object = {}) =>
  workspace.must('/v2/notifications/add', {
    organizationId: 'acme',
    documentId: 'home',
    createDocument: true,
    notificationId,
    actionUser: { userId: 'jane' },
    notifyUsers: [{ userId: 'sam' }],
    notifyAll: false,
    displayHeadlineMessageTemplate: 'Hello {name}',
    displayHeadlineMessageTemplateData: { name: 'you' },
    displayBodyMessage: 'x',
    ...data,
  });
const get = (workspace: TestWorkspace, data: object) =>
  workspace.must('/v2/notifications/get', { organizationId: 'acme', order: 'asc', ...data });
const update = (workspace: TestWorkspace, notifications: object[], data: object = {}) =>
  workspace.must('/v2/notifications/update', { organizationId: 'acme', notifications, ...data });
const remove = (workspace: TestWorkspace, data: object) =>
  workspace.must('/v2/notifications/delete', { organizationId: 'acme', ...data });
const ids = (rows: { id: string }[]) => rows.map((row) => row.id);
const updated = { success: true, message: 'Notification updated.' };
const notUpdated = { success: false, message: 'Failed to update notification.' };
const deleted = { success: true, message: 'Notification deleted.' };

/** Returns a function that sends requests as a user with one grant. */
async function asUser(workspace: TestWorkspace, userId: string, resource: object) {
  const { token } = await workspace.must('/v2/auth/generate_token', {
    userId,
    userProperties: { name: userId, email: `${userId}@example.com` },
    permissions: { resources: [resource] },
  });
  return (path: string, data: object) =>
    send(path, { data: { organizationId: 'acme', ...data } }, { authorization: `Bearer ${token}` });
}
const onDocument = (accessRole: string) => ({
  type: 'document',
  id: 'home',
  organizationId: 'acme',
  accessRole,
});
const onOrganization = (accessRole: string) => ({ type: 'organization', id: 'acme', accessRole });

test('the sent fields are changed, and others kept', async () => {
  const workspace = await newWorkspace();
  await add(workspace, 'a', { notificationSourceData: { url: '/x' } });
  expect(
    await workspace.must('/v2/notifications/update', {
      organizationId: 'acme',
      notifications: [
        { id: 'a', displayBodyMessage: 'first', location: { id: 'top' } },
        { id: 'x', displayBodyMessage: 'nothing' },
        { id: 'a', displayBodyMessage: 'second', actionUser: { userId: 'kim', name: 'Kim' } },
      ],
    }),
  ).toEqual({ a: updated, x: notUpdated });
  expect(await get(workspace, { documentId: 'home', locationId: 'top' })).toMatchObject([
    {
      id: 'a',
      displayHeadlineMessage: 'Hello you',
      displayBodyMessage: 'second',
      actionUser: { userId: 'kim', name: 'Kim' },
      notificationSourceData: { url: '/x' },
    },
  ]);
});

test('an update reaches only notifications that match its selectors', async () => {
  const workspace = await newWorkspace();
  await add(workspace, 'a', { location: { id: 'top' } });
  await add(workspace, 'b', { documentId: 'other' });
  const item = { id: 'a', displayBodyMessage: 'new' };
  expect(await update(workspace, [item], { documentId: 'other' })).toEqual({ a: notUpdated });
  expect(await update(workspace, [item], { locationId: 'end' })).toEqual({ a: notUpdated });
  expect(await update(workspace, [item], { userId: 'kim' })).toEqual({ a: notUpdated });
  const all = { documentId: 'home', locationId: 'top', userId: 'sam' };
  expect(await update(workspace, [item], all)).toEqual({ a: updated });
});

test('recipients can be replaced, optionally only by users with access', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home', accessType: 'restricted' }],
  });
  await workspace.must('/v2/users/add', {
    organizationId: 'acme',
    documentId: 'home',
    users: [{ userId: 'kim' }],
  });
  await add(workspace, 'a');
  const notifyUsers = [{ userId: 'kim' }, { userId: 'lee' }];
  await update(workspace, [{ id: 'a', notifyUsers }], { verifyUserPermissions: true });
  const whoGetsIt = async () => {
    const lists = ['sam', 'kim', 'lee'].map(async (userId) => ids(await get(workspace, { userId })).length);
    return await Promise.all(lists);
  };
  expect(await whoGetsIt()).toEqual([0, 1, 0]);
  await update(workspace, [{ id: 'a', notifyUsers }]);
  expect(await whoGetsIt()).toEqual([0, 1, 1]);
});

test('a backend can mark notifications as read and unread', async () => {
  const workspace = await newWorkspace();
  await add(workspace, 'a', { notifyUsers: [{ userId: 'sam' }, { userId: 'kim' }] });
  const unread = async () =>
    (await Promise.all(['sam', 'kim'].map((userId) => get(workspace, { userId })))).map(
      ([record]) => record.isUnread,
    );
  await update(workspace, [{ id: 'a', readByUserIds: ['sam', 'stranger'] }]);
  expect(await unread()).toEqual([false, true]);
  await update(workspace, [{ id: 'a', readByUserIds: ['kim'] }]);
  expect(await unread()).toEqual([false, false]);
  await update(workspace, [{ id: 'a', readByUserIds: ['kim'], persistReadForUsers: false }]);
  expect(await unread()).toEqual([true, false]);
  expect(await get(workspace, { userId: 'stranger' })).toEqual([]);
});

test('a notification to all is read by each user separately', async () => {
  const workspace = await newWorkspace();
  await add(workspace, 'a', { notifyAll: true, notifyUsers: [] });
  await update(workspace, [{ id: 'a', readByUserIds: ['sam'] }]);
  expect(await get(workspace, { userId: 'sam' })).toMatchObject([{ isUnread: false, forYou: false }]);
  expect(await get(workspace, { userId: 'kim' })).toMatchObject([{ isUnread: true, forYou: false }]);
});

test('a user can read their own list and mark its notifications as read', async () => {
  const workspace = await newWorkspace();
  await add(workspace, 'mine');
  await add(workspace, 'all', { notifyAll: true, notifyUsers: [] });
  await add(workspace, 'others', { notifyUsers: [{ userId: 'kim' }] });
  const sam = await asUser(workspace, 'sam', onDocument('editor'));
  const own = await sam('/v2/notifications/get', { order: 'asc' });
  expect(ids(own.body.result.data)).toEqual(['mine', 'all']);
  const notifications = ['mine', 'others'].map((id) => ({ id, readByUserIds: ['sam'] }));
  const noted = await sam('/v2/notifications/update', { notifications });
  expect(noted.body.result.data).toEqual({ mine: updated, others: notUpdated });
  expect(await get(workspace, { userId: 'sam' })).toMatchObject([{ isUnread: false }, { isUnread: true }]);
  await sam('/v2/notifications/update', { notifications: [{ id: 'mine', readByUserIds: [] }] });
  expect(await get(workspace, { userId: 'sam' })).toMatchObject([{ isUnread: true }, { isUnread: true }]);
});

test('a user may not read or write for others, or outside of their documents', async () => {
  const workspace = await newWorkspace();
  await add(workspace, 'a');
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'secret', accessType: 'restricted' }],
  });
  const sam = await asUser(workspace, 'sam', onDocument('editor'));
  const config = { email: 'NONE' };
  for (const [path, data] of [
    ['get', { userId: 'kim' }],
    ['get', { documentId: 'secret' }],
    ['get', { documentId: 'nowhere' }],
    ['update', { notifications: [{ id: 'a', readByUserIds: ['kim'] }] }],
    ['update', { notifications: [{ id: 'a', displayBodyMessage: 'x' }] }],
    ['update', { userId: 'kim', notifications: [{ id: 'a', readByUserIds: ['sam'] }] }],
    ['config/get', { userId: 'kim', documentIds: ['home'] }],
    ['config/set', { userIds: ['sam', 'kim'], documentIds: ['home'], config }],
    ['config/set', { userIds: ['sam'], config }],
  ] as const)
    expect([path, data, (await sam(`/v2/notifications/${path}`, data)).body.error?.status]).toEqual([
      ...[path, data, 'PERMISSION_DENIED'],
    ]);
});

test('a viewer can read notifications, and not write', async () => {
  const workspace = await newWorkspace();
  await add(workspace, 'a');
  await add(workspace, 'b', { documentId: undefined });
  for (const resource of [onDocument('viewer'), onOrganization('viewer')]) {
    const sam = await asUser(workspace, 'sam', resource);
    expect(ids((await sam('/v2/notifications/get', { order: 'asc' })).body.result.data)).toEqual(['a', 'b']);
    for (const id of ['a', 'b']) {
      const notifications = [{ id, readByUserIds: ['sam'] }];
      const { body } = await sam('/v2/notifications/update', { notifications });
      expect(body.error?.status).toBe('PERMISSION_DENIED');
    }
    const settings = { userIds: ['sam'], config: { inbox: 'NONE' } };
    for (const documentIds of [['home'], undefined]) {
      const { body } = await sam('/v2/notifications/config/set', { ...settings, documentIds });
      expect(body.error?.status).toBe('PERMISSION_DENIED');
    }
  }
});

test('a user who lost access to a document gets none of its notifications, not even those to them', async () => {
  const workspace = await newWorkspace();
  await add(workspace, 'a');
  const sam = await asUser(workspace, 'sam', onOrganization('editor'));
  const list = async () => ids((await sam('/v2/notifications/get', {})).body.result.data);
  expect(await list()).toEqual(['a']);
  const { deps } = await testApp();
  const documents = deps.db.updateTable('documents').where('apiKeyId', '=', workspace.apiKeyId);
  await documents.set({ accessType: 'restricted' }).execute();
  expect(await list()).toEqual([]);
  expect(ids(await get(workspace, { userId: 'sam' }))).toEqual(['a']);
});

test('a deletion removes only notifications that match all selectors', async () => {
  const workspace = await newWorkspace();
  await add(workspace, 'a', { location: { id: 'top' } });
  await add(workspace, 'b', { notifyUsers: [{ userId: 'kim' }] });
  await add(workspace, 'c', { documentId: 'other' });
  const failed = { success: false, message: 'Failed to delete notification.' };
  expect(await remove(workspace, { notificationIds: ['a', 'x'], userId: 'kim' })).toEqual({
    a: failed,
    x: failed,
  });
  expect(await remove(workspace, { documentId: 'home', locationId: 'end' })).toEqual({});
  expect(await remove(workspace, { documentId: 'home', userId: 'kim' })).toEqual({ b: deleted });
  expect(ids(await get(workspace, { documentId: 'home' }))).toEqual(['a']);
  expect(await remove(workspace, { notificationIds: ['c', 'a'] })).toEqual({ a: deleted, c: deleted });
  const whole = await workspace.post('/v2/notifications/delete', { organizationId: 'acme' });
  expect(whole.body.error.status).toBe('INVALID_ARGUMENT');
});

test('a thousand notifications can be changed and deleted in one call, even concurrently', async () => {
  const workspace = await newWorkspace();
  const all = Array.from({ length: 100 }, (_, index) => `n${index}`);
  for (const id of all) await add(workspace, id);
  const many = Array.from({ length: 1_000 }, (_, index) => ({ id: `n${index}`, readByUserIds: ['sam'] }));
  const answers = await Promise.all([update(workspace, many), update(workspace, many.toReversed())]);
  for (const answer of answers) {
    expect(Object.values(answer).filter((item) => (item as { success: boolean }).success)).toHaveLength(100);
  }
  const removals = await Promise.all(
    [all, all.toReversed()].map((notificationIds) => remove(workspace, { notificationIds })),
  );
  const successes = removals.flatMap((answer) => Object.values(answer) as { success: boolean }[]);
  expect(successes.filter((item) => item.success)).toHaveLength(100);
});
