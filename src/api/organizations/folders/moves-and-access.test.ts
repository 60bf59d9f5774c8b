import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace } from '../../../../test/service/harness.ts';

const add = (workspace: TestWorkspace, ...folders: object[]) =>
  workspace.must('/v2/organizations/folders/add', { organizationId: 'o', folders });

const get = (workspace: TestWorkspace, data: object = {}) =>
  workspace.must('/v2/organizations/folders/get', { organizationId: 'o', maxDepth: 30, ...data });

// biome-ignore lint/suspicious/noExplicitAny: folders of an answer.
type Any = any;
const all = (folders: Any[]): Any[] => folders.flatMap((folder) => [folder, ...all(folder.subFolders ?? [])]);
const byId = async (workspace: TestWorkspace): Promise<Map<string, Any>> =>
  new Map(all(await get(workspace)).map((folder) => [folder.folderId, folder]));

test('a folder is moved with its whole subtree and its access', async () => {
  const workspace = await newWorkspace();
  await add(
    workspace,
    { folderId: 'open', accessType: 'public' },
    { folderId: 'closed', accessType: 'restricted' },
    { folderId: 'moved', parentFolderId: 'open' },
    { folderId: 'below', parentFolderId: 'moved' },
    { folderId: 'own', parentFolderId: 'below', accessType: 'organizationPrivate' },
    { folderId: 'deep', parentFolderId: 'own' },
  );
  expect(
    await workspace.must('/v2/organizations/folders/update', {
      organizationId: 'o',
      folders: [{ folderId: 'moved', parentFolderId: 'closed', note: 'kept' }],
    }),
  ).toEqual({ moved: { success: true, id: 'moved', message: 'Folder Updated.' } });
  const folders = await byId(workspace);
  expect(folders.get('moved')).toMatchObject({
    parentFolderId: 'closed',
    accessType: 'restricted',
    note: 'kept',
  });
  expect(folders.get('below')).toMatchObject({
    ancestors: ['root', 'closed', 'moved'],
    accessType: 'restricted',
  });
  expect(folders.get('deep')).toMatchObject({
    ancestors: ['root', 'closed', 'moved', 'below', 'own'],
    accessType: 'organizationPrivate',
  });
});

test('nested folders can be reversed in one call', async () => {
  const workspace = await newWorkspace();
  await add(
    workspace,
    { folderId: 'a' },
    { folderId: 'b', parentFolderId: 'a' },
    { folderId: 'c', parentFolderId: 'b' },
  );
  await workspace.must('/v2/organizations/folders/update', {
    organizationId: 'o',
    folders: [
      { folderId: 'a', parentFolderId: 'b' },
      { folderId: 'b', parentFolderId: 'c' },
      { folderId: 'c', parentFolderId: 'root' },
    ],
  });
  expect((await byId(workspace)).get('a').ancestors).toEqual(['root', 'c', 'b']);
});

test('a folder cannot be moved into itself, a folder below it, or by two moves into one another', async () => {
  const workspace = await newWorkspace();
  await add(workspace, { folderId: 'a' }, { folderId: 'b', parentFolderId: 'a' }, { folderId: 'd' });
  await add(workspace, { folderId: 'c', parentFolderId: 'b' });
  const before = await get(workspace);
  const into = (folderId: string, parentFolderId: string) => ({ folderId, parentFolderId });
  for (const folders of [[into('a', 'a')], [into('a', 'c')], [into('a', 'd'), into('d', 'c')]]) {
    const data = { organizationId: 'o', folders };
    const { body } = await workspace.post('/v2/organizations/folders/update', data);
    expect(body.error.status).toBe('INVALID_ARGUMENT');
    expect(body.error.message).toMatch(/^Folder [ad] cannot lie in itself or in a folder below it\.$/);
    expect(await get(workspace)).toEqual(before);
  }
});

test('a batch whose folders form a cycle is refused', async () => {
  const workspace = await newWorkspace();
  const { body } = await workspace.post('/v2/organizations/folders/add', {
    organizationId: 'o',
    folders: [
      { folderId: 'a', parentFolderId: 'b' },
      { folderId: 'b', parentFolderId: 'a' },
    ],
  });
  expect(body.error.status).toBe('INVALID_ARGUMENT');
  expect(await get(workspace)).toEqual([]);
});

test('folders can be nested 30 deep, by adding or by moving', async () => {
  const workspace = await newWorkspace();
  const chain = Array.from({ length: 30 }, (_, index) => ({
    folderId: `d${index}`,
    parentFolderId: index === 0 ? 'root' : `d${index - 1}`,
  }));
  await add(workspace, ...chain.toReversed());
  await add(workspace, { folderId: 'x' }, { folderId: 'y', parentFolderId: 'x' });
  for (const folder of [
    { folderId: 'd30', parentFolderId: 'd29' },
    { folderId: 'x', parentFolderId: 'd28' },
  ]) {
    const path = folder.folderId === 'x' ? 'update' : 'add';
    const { body } = await workspace.post(`/v2/organizations/folders/${path}`, {
      organizationId: 'o',
      folders: [folder],
    });
    expect(body.error).toEqual({
      status: 'INVALID_ARGUMENT',
      message: 'At most 30 folders may lie in one another.',
    });
  }
  expect((await byId(workspace)).size).toBe(32);
});

test('access is inherited by subfolders and documents, and can be inherited again', async () => {
  const workspace = await newWorkspace();
  await add(workspace, { folderId: 'a' }, { folderId: 'b', parentFolderId: 'a' });
  await add(workspace, { folderId: 'c', parentFolderId: 'b' });
  const set = await workspace.post('/v2/organizations/folders/access/update', {
    organizationId: 'o',
    folderIds: ['b', 'a', 'none'],
    accessType: 'restricted',
  });
  const done = { success: true, accessType: 'restricted', message: 'Folder access type updated.' };
  expect(set.body.result).toEqual({
    status: 'success',
    message: 'Updated access for folders successfully.',
    data: {
      a: done,
      b: done,
      none: { success: false, accessType: null, message: 'Folder not found.', code: 'not-found' },
    },
  });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'o',
    folderId: 'c',
    documents: [{ documentId: 'd' }, { documentId: 'e', accessType: 'public' }],
  });
  const types = async () =>
    (await workspace.must('/v2/organizations/documents/get', { organizationId: 'o' })).map(
      (document: Any) => document.accessType,
    );
  expect(await types()).toEqual(['restricted', 'public']);
  const inherited = await workspace.post('/v2/organizations/folders/access/update', {
    organizationId: 'o',
    folderIds: ['a', 'b'],
    inheritFromParent: true,
  });
  expect(inherited.body.result).toEqual({
    status: 'success',
    message: 'Folder access type updated.',
    data: Object.fromEntries(
      ['a', 'b'].map((id) => [
        id,
        { success: true, accessType: null, inheritFromParent: true, message: 'Folder access type updated.' },
      ]),
    ),
  });
  await workspace.must('/v2/workspace/apikeyconfig/update', {
    defaultDocumentAccessType: 'organizationPrivate',
  });
  expect(await types()).toEqual(['organizationPrivate', 'public']);
  expect((await byId(workspace)).get('c').accessType).toBe('organizationPrivate');
});

test('an ambiguous change of the access is refused', async () => {
  const workspace = await newWorkspace();
  for (const change of [
    {},
    { inheritFromParent: false },
    { inheritFromParent: true, accessType: 'public' },
  ]) {
    const data = { organizationId: 'o', folderIds: ['a'], ...change };
    const { body } = await workspace.post('/v2/organizations/folders/access/update', data);
    expect(body.error.message).toBe('Either accessType or inheritFromParent: true is needed, and not both.');
  }
});

test('a thousand folders with unusual ids are added, moved and restricted at once', async () => {
  const workspace = await newWorkspace();
  const ids = [
    ...Array.from({ length: 997 }, (_, index) => `f${index}`),
    'constructor',
    "o'); --",
    '🙂 {"a"}',
  ];
  const folders = ids.map((folderId, index) => ({
    folderId,
    parentFolderId: index === 0 ? 'root' : ids[(index - 1) >> 1],
  }));
  const added = await add(workspace, ...folders);
  expect(Object.values(added).every((item) => (item as Any).success)).toBe(true);
  await workspace.must('/v2/organizations/folders/access/update', {
    organizationId: 'o',
    folderIds: ids,
    accessType: 'restricted',
  });
  const tree = await byId(workspace);
  expect(tree.size).toBe(1_000);
  expect(tree.get('🙂 {"a"}').ancestors).toEqual([
    'root',
    'f0',
    'f2',
    'f6',
    'f14',
    'f30',
    'f61',
    'f124',
    'f249',
    'f499',
  ]);
  expect([...tree.values()].every((folder) => folder.accessType === 'restricted')).toBe(true);
});

test('of two concurrent moves that would form a cycle, one is refused', async () => {
  const workspace = await newWorkspace();
  await add(workspace, { folderId: 'a' }, { folderId: 'b' });
  const move = (folderId: string, parentFolderId: string) =>
    workspace.post('/v2/organizations/folders/update', {
      organizationId: 'o',
      folders: [{ folderId, parentFolderId }],
    });
  const replies = await Promise.all([move('a', 'b'), move('b', 'a')]);
  expect(replies.map((reply) => reply.status).sort()).toEqual([200, 400]);
  expect((await byId(workspace)).size).toBe(2);
});
