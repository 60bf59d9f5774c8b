import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';

const add = (workspace: TestWorkspace, ...folders: object[]) =>
  workspace.must('/v2/organizations/folders/add', { organizationId: 'o', folders });

const get = (workspace: TestWorkspace, data: object = {}) =>
  workspace.must('/v2/organizations/folders/get', { organizationId: 'o', maxDepth: 30, ...data });

// biome-ignore lint/suspicious/noExplicitAny: folders of an answer.
type Any = any;
const all = (folders: Any[]): Any[] => folders.flatMap((folder) => [folder, ...all(folder.subFolders ?? [])]);
const byId = async (workspace: TestWorkspace): Promise<Map<string, Any>> =>
  new Map(all(await get(workspace)).map((folder) => [folder.folderId, folder]));

test('folders can be added in any order, and are returned as a tree', async () => {
  const workspace = await newWorkspace();
  const { body } = await workspace.post('/v2/organizations/folders/add', {
    organizationId: 'o',
    folders: [
      { folderId: 'c', parentFolderId: 'b' },
      { folderId: 'b', parentFolderId: 'a', folderName: 'Bee', colour: 'red', ancestors: ['forged'] },
      { folderId: 'a', parentFolderId: 'root', accessType: 'restricted' },
    ],
  });
  expect(body.result).toEqual({
    status: 'success',
    message: 'Folder created successfully.',
    data: Object.fromEntries(
      ['a', 'b', 'c'].map((id) => [id, { success: true, id, message: 'Folder added.' }]),
    ),
  });
  const listed = await workspace.post('/v2/organizations/folders/get', { organizationId: 'o' });
  expect(listed.body.result).toEqual({
    status: 'success',
    message: 'Folders retrieved successfully.',
    data: [
      {
        folderId: 'a',
        folderName: 'a',
        organizationId: 'o',
        parentFolderId: 'root',
        apiKey: workspace.apiKeyId,
        createdAt: expect.any(Number),
        lastUpdated: expect.any(Number),
        ancestors: ['root'],
        accessType: 'restricted',
        inheritAccessFromParent: false,
      },
    ],
  });
  const one = await workspace.post('/v1/organizations/folders/get', { organizationId: 'o', folderId: 'b' });
  expect(one.body.result).toMatchObject({
    message: 'Folder(s) retrieved successfully.',
    data: [
      {
        folderId: 'b',
        folderName: 'Bee',
        colour: 'red',
        ancestors: ['root', 'a'],
        accessType: 'restricted',
        inheritAccessFromParent: true,
        subFolders: [{ folderId: 'c', ancestors: ['root', 'a', 'b'], accessType: 'restricted' }],
      },
    ],
  });
});

test('maxDepth limits the levels of the tree', async () => {
  const workspace = await newWorkspace();
  await add(workspace, { folderId: 'a' }, { folderId: 'b', parentFolderId: 'a' });
  await add(workspace, { folderId: 'c', parentFolderId: 'b' });
  expect((await get(workspace, { maxDepth: 1 }))[0].subFolders).toBeUndefined();
  const two = await get(workspace, { maxDepth: 2 });
  expect(all(two).map((folder) => folder.folderId)).toEqual(['a', 'b']);
  expect(all(await get(workspace)).map((folder) => folder.folderId)).toEqual(['a', 'b', 'c']);
  const leaf = await workspace.post('/v2/organizations/folders/get', { organizationId: 'o', folderId: 'c' });
  expect(leaf.body.result).toMatchObject({
    message: 'Folder(s) retrieved successfully.',
    data: [{ folderId: 'c', subFolders: [] }],
  });
});

test('the pages together contain the whole list', async () => {
  const workspace = await newWorkspace();
  const ids = Array.from({ length: 7 }, (_, index) => `f${index}`);
  await add(workspace, { folderId: 'in' }, ...ids.map((folderId) => ({ folderId, parentFolderId: 'in' })));
  const seen: string[] = [];
  let pageToken: string | undefined;
  do {
    const { body } = await workspace.post('/v2/organizations/folders/get', {
      organizationId: 'o',
      folderId: 'in',
      pageSize: 3,
      pageToken,
    });
    expect(body.result.data).toHaveLength(1);
    seen.push(...body.result.data[0].subFolders.map((folder: Any) => folder.folderId));
    pageToken = body.result.nextPageToken;
  } while (pageToken);
  expect(seen).toEqual(ids);
});

test('an existing folder is kept, and a folder without its parent is refused with its subfolders', async () => {
  const workspace = await newWorkspace();
  await add(workspace, { folderId: 'a', folderName: 'first' });
  const data = await add(
    workspace,
    { folderId: 'a', folderName: 'second' },
    { folderId: 'lost', parentFolderId: 'nowhere' },
    { folderId: 'child', parentFolderId: 'lost' },
    { folderId: 'fine', parentFolderId: 'a' },
  );
  expect(data).toEqual({
    a: { success: false, id: 'a', message: 'Folder already exists', code: 'already-exists' },
    lost: { success: false, id: 'lost', message: 'Parent folder not found.', code: 'not-found' },
    child: { success: false, id: 'child', message: 'Parent folder not found.', code: 'not-found' },
    fine: { success: true, id: 'fine', message: 'Folder added.' },
  });
  const folders = await byId(workspace);
  expect([...folders.keys()]).toEqual(['a', 'fine']);
  expect(folders.get('a').folderName).toBe('first');
});

test('for a folder that is sent twice, the later fields win', async () => {
  const workspace = await newWorkspace();
  await add(workspace, { folderId: 'a', folderName: 'A', x: 1 }, { folderId: 'a', y: 2 });
  expect((await get(workspace))[0]).toMatchObject({ folderName: 'A', x: 1, y: 2 });
});

test('delete removes folders with their documents and grants, and nothing else', async () => {
  const workspace = await newWorkspace();
  await add(
    workspace,
    { folderId: 'a' },
    { folderId: 'b', parentFolderId: 'a' },
    { folderId: 'c', parentFolderId: 'b' },
    { folderId: 'beside' },
  );
  for (const [folderId, documentId] of [
    ['a', 'd1'],
    ['c', 'd2'],
    ['beside', 'd3'],
  ]) {
    await workspace.must('/v2/organizations/documents/add', {
      organizationId: 'o',
      folderId,
      documents: [{ documentId }],
    });
  }
  const { deps } = await testApp();
  const grants = [
    ['folder', 'c'],
    ['document', 'd2'],
    ['folder', 'beside'],
    ['document', 'd3'],
  ] as const;
  await deps.db
    .insertInto('grants')
    .values(
      grants.map(([resourceType, resourceId]) => ({
        apiKeyId: workspace.apiKeyId,
        organizationId: 'o',
        resourceType,
        resourceId,
        userId: 'u',
        accessRole: 'viewer' as const,
        expiresAt: null,
        accessFields: null,
        createdAt: 1,
        updatedAt: 1,
      })),
    )
    .execute();
  expect(
    await workspace.must('/v2/organizations/folders/delete', {
      organizationId: 'o',
      folderId: 'a',
    }),
  ).toBeNull();
  expect([...(await byId(workspace)).keys()]).toEqual(['beside']);
  const left = await workspace.must('/v2/organizations/documents/get', { organizationId: 'o' });
  expect(left.map((document: Any) => document.id)).toEqual(['d3']);
  const granted = await deps.db
    .selectFrom('grants')
    .select('resourceId')
    .where('apiKeyId', '=', workspace.apiKeyId)
    .orderBy('resourceId')
    .execute();
  expect(granted).toEqual([{ resourceId: 'beside' }, { resourceId: 'd3' }]);
  const events = await deps.db
    .selectFrom('events')
    .select(['name', 'payload'])
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('name', 'in', ['folder.delete', 'document.delete'])
    .execute();
  expect(events.map(({ name, payload }) => [name, payload.folderId ?? payload.documentId]).sort()).toEqual([
    ['document.delete', 'd1'],
    ['document.delete', 'd2'],
    ['folder.delete', 'a'],
    ['folder.delete', 'b'],
    ['folder.delete', 'c'],
  ]);
});

test('an unknown folder is not found', async () => {
  const workspace = await newWorkspace();
  await add(workspace, { folderId: 'a' });
  for (const path of ['delete', 'get']) {
    const data = { organizationId: 'o', folderId: 'none' };
    const { body } = await workspace.post(`/v2/organizations/folders/${path}`, data);
    expect(body.error).toEqual({ status: 'NOT_FOUND', message: 'Folder not found.', code: 'not-found' });
  }
});

test('update reports missing folders and organizations', async () => {
  const workspace = await newWorkspace();
  await add(workspace, { folderId: 'a' });
  expect(
    await workspace.must('/v2/organizations/folders/update', {
      organizationId: 'o',
      folders: [
        { folderId: 'none', folderName: 'x' },
        { folderId: 'a', parentFolderId: 'none' },
      ],
    }),
  ).toEqual({
    none: { success: false, id: 'none', message: 'Folder not found.', code: 'not-found' },
    a: { success: false, id: 'a', message: 'Parent folder not found.', code: 'not-found' },
  });
  const unknown = await workspace.post('/v2/organizations/folders/update', {
    organizationId: 'other',
    folders: [{ folderId: 'a' }],
  });
  expect(unknown.body.error).toEqual({ status: 'NOT_FOUND', message: 'Organization does not exist' });
});

test('root is the top level, and cannot be created as a folder', async () => {
  const workspace = await newWorkspace();
  for (const [path, data] of [
    ['folders/add', { folders: [{ folderId: 'root' }] }],
    ['folders/update', { folders: [{ folderId: 'root' }] }],
  ] as const) {
    const { body } = await workspace.post(`/v2/organizations/${path}`, { organizationId: 'o', ...data });
    expect(body.error.message).toContain('root');
  }
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'o',
    folderId: 'root',
    documents: [{ documentId: 'd' }],
  });
  expect(await get(workspace)).toEqual([]);
  const inNone = { organizationId: 'o', folderId: 'root' };
  expect(await workspace.must('/v2/organizations/documents/get', inNone)).toHaveLength(1);
});
