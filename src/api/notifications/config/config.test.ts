import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace } from '../../../../test/service/harness.ts';

const set = (workspace: TestWorkspace, data: object) =>
  workspace.post('/v2/notifications/config/set', { organizationId: 'acme', ...data });
const get = (workspace: TestWorkspace, data: object) =>
  workspace.must('/v2/notifications/config/get', { organizationId: 'acme', ...data });

test('a document has the settings of the organization unless it has its own', async () => {
  const workspace = await newWorkspace();
  const { body } = await set(workspace, {
    userIds: ['sam', 'kim', 'sam'],
    config: { email: 'NONE', C042: 'ALL' },
  });
  expect(body.result.data).toEqual({
    sam: { success: true, userId: 'sam', message: 'User config set successfully.' },
    kim: { success: true, userId: 'kim', message: 'User config set successfully.' },
  });
  const one = await set(workspace, { userIds: ['sam'], documentIds: ['home'], config: { inbox: 'MINE' } });
  expect(one.body.result.data.sam.documentId).toBe('home');
  const metadata = { apiKey: workspace.apiKeyId, organizationId: 'acme', userId: 'sam' };
  const request = { userId: 'sam', documentIds: ['home', 'other'], getOrganizationConfig: true };
  expect(await get(workspace, request)).toEqual([
    { config: { inbox: 'ALL', email: 'NONE', C042: 'ALL' }, metadata },
    { config: { inbox: 'MINE', email: 'NONE', C042: 'ALL' }, metadata: { ...metadata, documentId: 'home' } },
    { config: { inbox: 'ALL', email: 'NONE', C042: 'ALL' }, metadata: { ...metadata, documentId: 'other' } },
  ]);
  expect(await get(workspace, { userId: 'lee', documentIds: ['home'] })).toMatchObject([
    { config: { inbox: 'ALL', email: 'MINE' } },
  ]);
});

test('the list of a user depends on their settings', async () => {
  const workspace = await newWorkspace();
  for (const [notificationId, documentId, notifyUsers] of [
    ['home-mine', 'home', [{ userId: 'sam' }]],
    ['home-all', 'home', []],
    ['other-mine', 'other', [{ userId: 'sam' }]],
    ['other-all', 'other', []],
  ] as const) {
    await workspace.must('/v2/notifications/add', {
      organizationId: 'acme',
      documentId,
      createDocument: true,
      notificationId,
      actionUser: { userId: 'jane' },
      notifyUsers,
      isNotificationResolverUsed: true,
    });
  }
  const list = async () => {
    const request = { organizationId: 'acme', userId: 'sam', order: 'asc' };
    const rows: { id: string }[] = await workspace.must('/v2/notifications/get', request);
    return rows.map((row) => row.id);
  };
  expect(await list()).toEqual(['home-mine', 'home-all', 'other-mine', 'other-all']);
  await set(workspace, { userIds: ['sam'], documentIds: ['home'], config: { inbox: 'MINE' } });
  expect(await list()).toEqual(['home-mine', 'other-mine', 'other-all']);
  await set(workspace, { userIds: ['sam'], config: { inbox: 'NONE' } });
  expect(await list()).toEqual(['home-mine']);
  await set(workspace, { userIds: ['sam'], documentIds: ['home', 'other'], config: { inbox: 'ALL' } });
  expect(await list()).toEqual(['home-mine', 'home-all', 'other-mine', 'other-all']);
});

test('concurrent settings are all kept', async () => {
  const workspace = await newWorkspace();
  const userIds = Array.from({ length: 1_000 }, (_, index) => `u${index}`);
  const replies = await Promise.all([
    set(workspace, { userIds, config: { inbox: 'NONE' } }),
    set(workspace, { userIds: userIds.toReversed(), config: { slack: 'ALL' } }),
  ]);
  expect(replies.map((reply) => reply.status)).toEqual([200, 200]);
  expect(await get(workspace, { userId: 'u7', getOrganizationConfig: true })).toMatchObject([
    { config: { inbox: 'NONE', slack: 'ALL' } },
  ]);
});

test('get requires documents or the organization', async () => {
  const workspace = await newWorkspace();
  const { body } = await workspace.post('/v2/notifications/config/get', {
    organizationId: 'acme',
    userId: 'sam',
  });
  expect(body.error.message).toBe('documentIds is required.');
});
