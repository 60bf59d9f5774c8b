import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
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

describe('updating', () => {
  test('changes only users of the place, and their record everywhere', async () => {
    const workspace = await newWorkspace();
    await add(workspace, [{ userId: 'u', name: 'Ada', accessRole: 'viewer' }]);
    await add(workspace, [{ userId: 'u' }], { documentId: 'd', createDocument: true });
    expect(
      await workspace.must('/v2/users/update', {
        organizationId,
        documentId: 'd',
        users: [
          { userId: 'u', name: 'Éva', accessRole: 'viewer' },
          { userId: 'x', name: 'Nobody' },
        ],
      }),
    ).toEqual({
      u: { success: true, id: md5('u'), message: 'User updated.' },
      x: { success: false, id: md5('x'), message: 'User does not exist.' },
    });
    expect(await get(workspace)).toMatchObject([
      { userId: 'u', name: 'Éva', initial: 'É', accessRole: 'viewer' },
    ]);
    expect(await get(workspace, { documentId: 'd' })).toMatchObject([{ name: 'Éva', accessRole: 'viewer' }]);
    expect((await eventsOf(workspace)).at(-1)).toEqual([
      'user.update',
      { organizationId, documentId: 'd', userId: 'u', name: 'Éva', accessRole: 'viewer' },
    ]);
    const { deps } = await testApp();
    const unknown = deps.db.selectFrom('users').selectAll().where('apiKeyId', '=', workspace.apiKeyId);
    expect(await unknown.where('userId', '=', 'x').execute()).toEqual([]);
  });

  test('in one place keeps the role in others', async () => {
    const workspace = await newWorkspace();
    await add(workspace, [{ userId: 'u', accessRole: 'editor' }]);
    await add(workspace, [{ userId: 'u', accessRole: 'editor' }], { folderId: 'f' });
    await workspace.must('/v2/users/update', {
      organizationId,
      users: [{ userId: 'u', accessRole: 'viewer' }],
    });
    expect((await get(workspace, { folderId: 'f' }))[0].accessRole).toBe('editor');
    expect((await get(workspace))[0].accessRole).toBe('viewer');
  });

  test('with version 1 never sets a role', async () => {
    const workspace = await newWorkspace();
    await workspace.must('/v1/users/add', { organizationId, users: [{ userId: 'u', accessRole: 'viewer' }] });
    expect((await get(workspace))[0].accessRole).toBe('editor');
    await workspace.must('/v1/users/update', {
      organizationId,
      users: [{ userId: 'u', name: 'Ada', accessRole: 'viewer' }],
    });
    expect(await get(workspace)).toEqual([
      { userId: 'u', name: 'Ada', initial: 'A', organizationId, accessRole: 'editor' },
    ]);
    const { body } = await workspace.post('/v1/users/get', { organizationId });
    expect(body.result.data).toEqual([{ userId: 'u', name: 'Ada', initial: 'A', organizationId }]);
  });

  test('does not reach other organizations', async () => {
    const workspace = await newWorkspace();
    await add(workspace, [{ userId: 'u', name: 'Ada' }]);
    await workspace.must('/v2/organizations/add', { organizations: [{ organizationId: 'else' }] });
    const data = { organizationId: 'else', users: [{ userId: 'u', name: 'Eve' }] };
    expect((await workspace.must('/v2/users/update', data)).u.success).toBe(false);
    expect((await get(workspace))[0].name).toBe('Ada');
  });
});

describe('deleting', () => {
  test('from an organization removes all access within it, and nothing else', async () => {
    const workspace = await newWorkspace();
    await add(workspace, [{ userId: 'u', name: 'Ada' }, { userId: 'v' }]);
    await add(workspace, [{ userId: 'u' }, { userId: 'w' }], { documentId: 'd', createDocument: true });
    await add(workspace, [{ userId: 'u' }], { folderId: 'f' });
    await workspace.must('/v2/users/add', { organizationId: 'other', users: [{ userId: 'u' }] });
    expect(
      await workspace.must('/v2/users/delete', {
        organizationId,
        userIds: ['u', 'w', 'x', 'u'],
      }),
    ).toEqual({
      u: { success: true, id: md5('u'), message: 'User removed.' },
      w: { success: true, id: md5('w'), message: 'User removed.' },
      x: { success: false, id: md5('x'), message: 'User does not exist.' },
    });
    expect(ids(await get(workspace))).toEqual(['v']);
    expect(await get(workspace, { documentId: 'd' })).toEqual([]);
    expect(await get(workspace, { folderId: 'f' })).toEqual([]);
    expect(await workspace.must('/v2/users/get', { organizationId: 'other' })).toMatchObject([
      { name: 'Ada' },
    ]);
    expect((await eventsOf(workspace)).slice(-2).map(([name, payload]) => [name, payload])).toEqual(
      expect.arrayContaining([
        ['user.delete', { organizationId, userId: 'u' }],
        ['user.delete', { organizationId, userId: 'w' }],
      ]),
    );
  });

  test('from a document keeps everything else', async () => {
    const workspace = await newWorkspace();
    await add(workspace, [{ userId: 'u' }]);
    await add(workspace, [{ userId: 'u' }], { documentId: 'd', createDocument: true });
    const remove = () =>
      workspace.must('/v2/users/delete', { organizationId, documentId: 'd', userIds: ['u'] });
    expect((await remove()).u.message).toBe('User removed.');
    expect((await remove()).u.message).toBe('User does not exist.');
    expect(ids(await get(workspace))).toEqual(['u']);
    expect((await eventsOf(workspace)).at(-1)).toEqual([
      'user.delete',
      { organizationId, documentId: 'd', userId: 'u' },
    ]);
  });

  test('while adding causes no error', async () => {
    const workspace = await newWorkspace();
    const users = Array.from({ length: 50 }, (_, index) => ({ userId: `u${index}` }));
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 2
          ? workspace.post('/v2/users/delete', { organizationId, userIds: ids(users).toReversed() })
          : workspace.post('/v2/users/add', { organizationId, users }),
      ),
    );
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
  });
});
