import { expect, test } from 'vitest';
import { newWorkspace, send, type TestWorkspace } from '../../../test/service/harness.ts';

const organizationId = 'acme';

const add = (workspace: TestWorkspace, userIds: string[], place: object = {}) =>
  workspace.must('/v2/users/add', {
    organizationId,
    createDocument: true,
    ...place,
    users: userIds.map((userId) => ({ userId })),
  });

/** Returns a function that gets contacts as a user with these grants. */
async function asUser(workspace: TestWorkspace, userId: string, resources: object[] = []) {
  const { token } = await workspace.must('/v2/auth/generate_token', {
    userId,
    userProperties: { name: 'Ada', email: 'ada@example.com' },
    permissions: { resources },
  });
  return async (place: object) => {
    const { status, body } = await send(
      '/v2/users/get',
      { data: { organizationId, ...place } },
      { authorization: `Bearer ${token}` },
    );
    return status === 200
      ? body.result.data.map((user: { userId: string }) => user.userId)
      : body.error.message;
  };
}

test('a user can read the contacts of their own organization only', async () => {
  const workspace = await newWorkspace();
  await add(workspace, ['a', 'b']);
  const refusal = 'User does not have access to organization';
  expect(await (await asUser(workspace, 'a'))({})).toEqual(['a', 'b']);
  expect(await (await asUser(workspace, 'x'))({})).toBe(refusal);
  expect(await (await asUser(workspace, 'x', [{ type: 'organization', id: 'other' }]))({})).toBe(refusal);
  expect(await (await asUser(workspace, 'x', [{ type: 'organization', id: organizationId }]))({})).toEqual([
    'a',
    'b',
  ]);
});

test('a user can read the contacts of a document that they can read', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId,
    documents: [
      { documentId: 'open', accessType: 'public' },
      { documentId: 'closed', accessType: 'restricted' },
    ],
  });
  await add(workspace, ['a'], { documentId: 'open' });
  await add(workspace, ['b'], { documentId: 'closed' });
  await add(workspace, ['m']);
  const member = await asUser(workspace, 'm');
  expect(await member({ documentId: 'open' })).toEqual(['a']);
  expect(await member({ documentId: 'closed' })).toBe('User does not have access to document');
  expect(await member({ documentId: 'missing' })).toBe('User does not have access to document');
  expect(await (await asUser(workspace, 'b'))({ documentId: 'closed' })).toEqual(['b']);
});

test('a user can read the contacts of a folder with a grant on it, above it or on the organization', async () => {
  const workspace = await newWorkspace();
  await add(workspace, ['u'], { folderId: 'f' });
  await add(workspace, ['m']);
  const refusal = 'User does not have access to folder';
  expect(await (await asUser(workspace, 'u'))({ folderId: 'f' })).toEqual(['u']);
  expect(await (await asUser(workspace, 'm'))({ folderId: 'f' })).toEqual(['u']);
  expect(await (await asUser(workspace, 'm'))({ folderId: 'missing' })).toBe(refusal);
  expect(await (await asUser(workspace, 'x'))({ folderId: 'f' })).toBe(refusal);
  const named = [{ type: 'folder', id: 'f', organizationId }];
  expect(await (await asUser(workspace, 'x', named))({ folderId: 'f' })).toEqual(['u']);
});

test('a user cannot read the users of all documents', async () => {
  const workspace = await newWorkspace();
  await add(workspace, ['a']);
  const user = await asUser(workspace, 'a');
  expect(await user({ allDocuments: true })).toBe('allDocuments is not for users.');
});

test('a custom isAdmin field gives no rights', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/users/add', { organizationId, users: [{ userId: 'a', isAdmin: true }] });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId,
    documents: [{ documentId: 'closed', accessType: 'restricted' }],
  });
  const user = await asUser(workspace, 'a');
  expect(await user({ documentId: 'closed' })).toBe('User does not have access to document');
});
