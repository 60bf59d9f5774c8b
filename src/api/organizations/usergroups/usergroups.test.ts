import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const organizationId = 'acme';
const group = { organizationId, organizationUserGroupId: 'design' };
const ids = (rows: { userId: string }[]) => rows.map((row) => row.userId);

const addGroups = (workspace: TestWorkspace, ...organizationUserGroups: object[]) =>
  workspace.must('/v2/organizations/usergroups/add', { organizationId, organizationUserGroups });
const addMembers = (workspace: TestWorkspace, ...userIds: string[]) =>
  workspace.must('/v2/organizations/usergroups/users/add', { ...group, userIds });
const membersOf = async (workspace: TestWorkspace) =>
  ids(await workspace.must('/v2/organizations/usergroups/users/get', group));

test('groups are added with their organization, and existing ones renamed', async () => {
  const workspace = await newWorkspace();
  const { body } = await workspace.post('/v2/organizations/usergroups/add', {
    organizationId,
    organizationUserGroups: [{ groupId: 'design', groupName: 'Design' }, { groupId: 'constructor' }],
  });
  expect(body.result.data).toEqual({
    design: { success: true, id: md5('design'), message: 'Organization user group added.' },
    constructor: { success: true, id: md5('constructor'), message: 'Organization user group added.' },
  });
  await addGroups(workspace, { groupId: 'design' }, { groupId: 'constructor', groupName: 'Built' });
  const got = await workspace.post('/v2/organizations/usergroups/get', { organizationId });
  const times = { createdAt: expect.any(Number), lastUpdated: expect.any(Number) };
  expect(got.body.result.data).toEqual([
    { organizationUserGroupId: 'constructor', groupName: 'Built', usersCount: 0, ...times },
    { organizationUserGroupId: 'design', groupName: 'Design', usersCount: 0, ...times },
  ]);
});

test('members are added and removed with events, and need not be users yet', async () => {
  const workspace = await newWorkspace();
  await addGroups(workspace, { groupId: 'design' });
  expect(
    await workspace.must('/v2/organizations/usergroups/users/add', {
      ...group,
      userIds: ['b', 'a', 'b'],
    }),
  ).toEqual({
    a: {
      success: true,
      organizationUserGroupId: 'design',
      message: 'User added to organization user group.',
    },
    b: {
      success: true,
      organizationUserGroupId: 'design',
      message: 'User added to organization user group.',
    },
  });
  expect(await membersOf(workspace)).toEqual(['a', 'b']);
  expect(
    await workspace.must('/v2/organizations/usergroups/users/delete', {
      ...group,
      userIds: ['a', 'x'],
    }),
  ).toEqual({
    a: {
      success: true,
      organizationUserGroupId: 'design',
      message: 'User deleted from organization user group.',
    },
    x: {
      success: false,
      organizationUserGroupId: 'design',
      message: 'User does not exist in organization user group.',
    },
  });
  expect(await membersOf(workspace)).toEqual(['b']);
  const { deps } = await testApp();
  const events = await deps.db
    .selectFrom('events')
    .select(['name', 'payload'])
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('name', 'like', 'user\\_group.%')
    .orderBy('seq')
    .execute();
  expect(events).toEqual([
    { name: 'user_group.add', payload: { ...group, groupName: 'design' } },
    { name: 'user_group.user_add', payload: { ...group, userId: 'a' } },
    { name: 'user_group.user_add', payload: { ...group, userId: 'b' } },
    { name: 'user_group.user_delete', payload: { ...group, userId: 'a' } },
  ]);
});

test('for a missing group each item fails', async () => {
  const workspace = await newWorkspace();
  const item = {
    success: false,
    organizationUserGroupId: 'design',
    message: 'Organization user group does not exist.',
  };
  expect(await addMembers(workspace, 'a')).toEqual({ a: item });
  const remove = (data: object) =>
    workspace.must('/v2/organizations/usergroups/users/delete', { ...group, ...data });
  expect(await remove({ userIds: ['a'] })).toEqual({ a: item });
  expect(await remove({ deleteAll: true })).toEqual({});
  expect(await workspace.must('/v2/organizations/get')).toEqual([]);
});

test('deleteAll removes all members, and keeps the group', async () => {
  const workspace = await newWorkspace();
  await addGroups(workspace, { groupId: 'design' });
  const userIds = Array.from({ length: 1_000 }, (_, index) => `u${index}`);
  await addMembers(workspace, ...userIds);
  const data = await workspace.must('/v2/organizations/usergroups/users/delete', {
    ...group,
    deleteAll: true,
  });
  expect(Object.keys(data).sort()).toEqual(userIds.toSorted());
  expect(await workspace.must('/v2/organizations/usergroups/get', { organizationId })).toMatchObject([
    { organizationUserGroupId: 'design', usersCount: 0 },
  ]);
});

test('a group is deleted with its memberships, and its users are kept', async () => {
  const workspace = await newWorkspace();
  await addGroups(workspace, { groupId: 'design' });
  await workspace.must('/v2/users/add', { organizationId, users: [{ userId: 'a' }] });
  await addMembers(workspace, 'a');
  expect(
    await workspace.must('/v2/organizations/usergroups/delete', {
      organizationId,
      organizationUserGroupIds: ['design', 'x'],
    }),
  ).toEqual({
    design: { success: true, id: md5('design'), message: 'Organization user group deleted.' },
    x: { success: false, id: md5('x'), message: 'Organization user group does not exist.' },
  });
  await addGroups(workspace, { groupId: 'design' });
  expect(await membersOf(workspace)).toEqual([]);
  expect(ids(await workspace.must('/v2/users/get', { organizationId }))).toEqual(['a']);
});

test('users can be listed and counted by group, if they are users of the organization', async () => {
  const workspace = await newWorkspace();
  await addGroups(workspace, { groupId: 'design' }, { groupId: 'build' });
  await workspace.must('/v2/users/add', {
    organizationId,
    users: [{ userId: 'a', name: 'Ada' }, { userId: 'b' }],
  });
  await addMembers(workspace, 'a', 'stranger');
  const filter = { organizationId, organizationUserGroupIds: ['design', 'build', 'x'] };
  expect(await workspace.must('/v2/users/get', filter)).toMatchObject([{ userId: 'a', name: 'Ada' }]);
  expect(await workspace.must('/v2/users/count', filter)).toEqual({ count: 1 });
  expect(await workspace.must('/v2/organizations/usergroups/users/get', group)).toEqual([
    { userId: 'a', name: 'Ada', initial: 'A', organizationId },
    { userId: 'stranger', organizationId },
  ]);
});

test('a user who leaves the organization leaves its groups', async () => {
  const workspace = await newWorkspace();
  await addGroups(workspace, { groupId: 'design' });
  await addMembers(workspace, 'a', 'b');
  const data = await workspace.must('/v2/users/delete', { organizationId, userIds: ['a'] });
  expect(data.a.message).toBe('User removed.');
  expect(await membersOf(workspace)).toEqual(['b']);
});

test('the pages together contain the whole list of groups and of members', async () => {
  const workspace = await newWorkspace();
  await addGroups(workspace, ...Array.from({ length: 7 }, (_, index) => ({ groupId: `g${index}` })));
  await addGroups(workspace, { groupId: 'design' });
  await addMembers(workspace, ...Array.from({ length: 7 }, (_, index) => `u${index}`));
  for (const [path, data, length] of [
    ['/v2/organizations/usergroups/get', { organizationId }, 8],
    ['/v2/organizations/usergroups/users/get', group, 7],
  ] as const) {
    const seen = new Set<string>();
    let pageToken: string | undefined;
    do {
      const { body } = await workspace.post(path, { ...data, pageSize: 3, pageToken });
      for (const row of body.result.data) seen.add(row.userId ?? row.organizationUserGroupId);
      pageToken = body.result.nextPageToken;
    } while (pageToken);
    expect(seen.size).toBe(length);
  }
});

test('adding members while the group is deleted causes no error', async () => {
  const workspace = await newWorkspace();
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_, index) => {
      if (index % 3 === 0) {
        return workspace.post('/v2/organizations/usergroups/add', {
          organizationId,
          organizationUserGroups: [{ groupId: 'design' }],
        });
      }
      return index % 3 === 1
        ? workspace.post('/v2/organizations/usergroups/users/add', { ...group, userIds: ['a', 'b'] })
        : workspace.post('/v2/organizations/usergroups/delete', {
            organizationId,
            organizationUserGroupIds: ['design'],
          });
    }),
  );
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
});

test('members are removed either by their ids or all', async () => {
  const workspace = await newWorkspace();
  for (const which of [{}, { userIds: ['a'], deleteAll: true }]) {
    const data = { ...group, ...which };
    const { body } = await workspace.post('/v2/organizations/usergroups/users/delete', data);
    expect(body.error.status).toBe('INVALID_ARGUMENT');
  }
});
