import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const organizationId = 'acme';

const ids = (rows: { userId: string }[]) => rows.map((row) => row.userId);
const add = (workspace: TestWorkspace, users: object[], place: object = {}) =>
  workspace.must('/v2/users/add', { organizationId, ...place, users });
const get = (workspace: TestWorkspace, place: object = {}) =>
  workspace.must('/v2/users/get', { organizationId, ...place });

async function eventsOf(workspace: TestWorkspace) {
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('events')
    .select(['name', 'payload'])
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('name', 'like', 'user.%')
    .orderBy('seq')
    .execute();
  return rows.map((row) => [row.name, row.payload]);
}

test('users are added to an organization, which is created, with custom fields', async () => {
  const workspace = await newWorkspace();
  const users = [
    { userId: 'u1', name: 'ada Lovelace', email: 'ada@example.com', team: { id: 7 }, accessRole: 'viewer' },
    { userId: 'constructor' },
  ];
  const { body } = await workspace.post('/v2/users/add', { organizationId, users });
  expect(body.result.data).toEqual({
    u1: { success: true, id: md5('u1'), message: 'User added.' },
    constructor: { success: true, id: md5('constructor'), message: 'User added.' },
  });
  const got = await workspace.post('/v2/users/get', { organizationId });
  expect(got.body.result).toEqual({
    status: 'success',
    message: 'User(s) retrieved successfully.',
    shape: 'list',
    data: [
      { userId: 'constructor', organizationId, accessRole: 'editor' },
      {
        userId: 'u1',
        name: 'ada Lovelace',
        email: 'ada@example.com',
        initial: 'A',
        team: { id: 7 },
        organizationId,
        accessRole: 'viewer',
      },
    ],
  });
  expect(await eventsOf(workspace)).toEqual([
    ['user.add', { organizationId, userId: 'constructor', accessRole: 'editor' }],
    [
      'user.add',
      {
        organizationId,
        userId: 'u1',
        name: 'ada Lovelace',
        email: 'ada@example.com',
        accessRole: 'viewer',
      },
    ],
  ]);
});

test('users can be added to a document or folder only', async () => {
  const workspace = await newWorkspace();
  await add(workspace, [{ userId: 'd' }], { documentId: 'doc', createDocument: true });
  await add(workspace, [{ userId: 'f' }], { folderId: 'folder' });
  expect(await get(workspace)).toEqual([]);
  expect(ids(await get(workspace, { documentId: 'doc' }))).toEqual(['d']);
  expect(ids(await get(workspace, { folderId: 'folder' }))).toEqual(['f']);
  expect((await eventsOf(workspace))[0]).toEqual([
    'user.add',
    { organizationId, documentId: 'doc', userId: 'd', accessRole: 'editor' },
  ]);
});

test('a missing organization or folder is created unless forbidden, and a missing document only on request', async () => {
  const workspace = await newWorkspace();
  const refused = async (place: object) => {
    const { body } = await workspace.post('/v2/users/add', {
      organizationId,
      ...place,
      users: [{ userId: 'u' }],
    });
    return [body.error?.status, body.error?.message];
  };
  expect(await refused({ createOrganization: false })).toEqual(['NOT_FOUND', 'Organization does not exist']);
  expect(await refused({ folderId: 'f', createFolder: false })).toEqual(['NOT_FOUND', 'Folder not found.']);
  expect(await refused({ documentId: 'd' })).toEqual(['NOT_FOUND', 'Document does not exist']);
  expect(await workspace.must('/v2/organizations/get')).toEqual([]);
});

test('adding an existing user keeps the role and omitted fields, and of two entries the later wins', async () => {
  const workspace = await newWorkspace();
  await add(workspace, [{ userId: 'u', name: 'Ada', plan: 'free', accessRole: 'viewer' }]);
  await add(workspace, [
    { userId: 'u', email: 'first@x.org' },
    { userId: 'u', email: 'second@x.org' },
  ]);
  expect(await get(workspace)).toEqual([
    {
      userId: 'u',
      name: 'Ada',
      email: 'second@x.org',
      initial: 'A',
      plan: 'free',
      organizationId,
      accessRole: 'viewer',
    },
  ]);
  expect((await eventsOf(workspace)).map(([name]) => name)).toEqual(['user.add', 'user.update']);
});

test('custom fields cannot override the fields of the service', async () => {
  const workspace = await newWorkspace();
  await add(workspace, [
    { userId: 'u', organizationId: 'evil', apiKey: 'k', documentId: 'd', isAdmin: true },
  ]);
  expect(await get(workspace)).toEqual([
    { userId: 'u', organizationId, accessRole: 'editor', isAdmin: true },
  ]);
});

test('a thousand users can be added at once, even in concurrent batches', async () => {
  const workspace = await newWorkspace();
  const users = Array.from({ length: 1_000 }, (_, index) => ({
    userId: `u${index}`,
    name: `User ${index}`,
  }));
  await Promise.all([add(workspace, users), add(workspace, users.toReversed()), add(workspace, users)]);
  expect(await workspace.must('/v2/users/count', { organizationId })).toEqual({ count: 1_000 });
  expect((await eventsOf(workspace)).filter(([name]) => name === 'user.add')).toHaveLength(1_000);
});

test('adding keeps the expiry of a grant, unless a role is sent or it has expired', async () => {
  const workspace = await newWorkspace();
  const { deps } = await testApp();
  await add(workspace, [{ userId: 'a' }, { userId: 'b' }, { userId: 'c' }]);
  const expire = (userId: string, expiresAt: number) =>
    deps.db
      .updateTable('grants')
      .set({ expiresAt })
      .where('apiKeyId', '=', workspace.apiKeyId)
      .where('userId', '=', userId)
      .execute();
  const later = Date.now() + 60_000;
  await expire('a', later);
  await expire('b', later);
  await expire('c', Date.now() - 1);
  expect(ids(await get(workspace))).toEqual(['a', 'b']);
  await add(workspace, [{ userId: 'a' }, { userId: 'b', accessRole: 'viewer' }, { userId: 'c' }]);
  const rows = await deps.db
    .selectFrom('grants')
    .select(['userId', 'expiresAt'])
    .where('apiKeyId', '=', workspace.apiKeyId)
    .orderBy('userId')
    .execute();
  expect(rows).toEqual([
    { userId: 'a', expiresAt: later },
    { userId: 'b', expiresAt: null },
    { userId: 'c', expiresAt: null },
  ]);
});

test('a user has an id that is no name of an object, and one place', async () => {
  const workspace = await newWorkspace();
  for (const data of [
    { users: [{ userId: '__proto__' }] },
    { documentId: 'd', folderId: 'f', users: [{ userId: 'u' }] },
  ]) {
    const { body } = await workspace.post('/v2/users/add', { organizationId, ...data });
    expect([data, body.error.status]).toEqual([data, 'INVALID_ARGUMENT']);
  }
});
