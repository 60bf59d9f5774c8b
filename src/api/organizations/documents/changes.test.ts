import { expect, test } from 'vitest';
import { newWorkspace } from '../../../../test/service/harness.ts';

test('update renames documents, merges their metadata and reports missing ones', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'o',
    documents: [{ documentId: 'a', documentName: 'A', owner: 'Ada', tags: [1] }],
  });
  expect(
    await workspace.must('/v2/organizations/documents/update', {
      organizationId: 'o',
      documents: [
        { documentId: 'a', tags: [2], accessType: 'restricted', disabled: true },
        { documentId: 'none', documentName: 'None' },
      ],
    }),
  ).toEqual({
    a: { success: true, id: expect.stringMatching(/^\d{16}$/), message: 'Updated Successfully' },
    none: {
      success: false,
      id: expect.stringMatching(/^\d{16}$/),
      message: 'Document does not exist',
      code: 'not-found',
    },
  });
  expect(await workspace.must('/v2/organizations/documents/get', { organizationId: 'o' })).toEqual([
    { id: 'a', documentName: 'A', owner: 'Ada', tags: [2], accessType: 'restricted', disabled: false },
  ]);
});

test('a document inherits the access type of its folder, and can override it and inherit it again', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/folders/add', {
    organizationId: 'o',
    folders: [{ folderId: 'f', accessType: 'restricted' }],
  });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'o',
    folderId: 'f',
    documents: [{ documentId: 'd' }],
  });
  const accessType = async () =>
    (await workspace.must('/v2/organizations/documents/get', { organizationId: 'o' }))[0].accessType;
  expect(await accessType()).toBe('restricted');
  expect(
    await workspace.must('/v1/organizations/documents/access/update', {
      organizationId: 'o',
      documentIds: ['d', 'none'],
      accessType: 'organizationPrivate',
    }),
  ).toEqual({
    d: { success: true, accessType: 'organizationPrivate', message: 'Document access type updated.' },
    none: { success: false, accessType: null, message: 'Document does not exist', code: 'not-found' },
  });
  expect(await accessType()).toBe('organizationPrivate');
  expect(
    await workspace.must('/v2/organizations/documents/access/update', {
      organizationId: 'o',
      documentIds: ['d'],
    }),
  ).toEqual({ d: { success: true, accessType: null, message: 'Document access type updated.' } });
  expect(await accessType()).toBe('restricted');
});

test('documents and organizations can be disabled and enabled', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'o',
    documents: [{ documentId: 'd' }],
  });
  for (const disabled of [true, false]) {
    const documents = await workspace.post('/v2/organizations/documents/access/disablestate/update', {
      organizationId: 'o',
      documentIds: ['d', 'none'],
      disabled,
    });
    expect(documents.body.result.data).toEqual({
      d: { success: true, disabled, message: 'Document disabled state updated.' },
      none: { success: false, disabled, message: 'Document does not exist', code: 'not-found' },
    });
    const organizations = await workspace.post('/v2/organizations/access/disablestate/update', {
      organizationIds: ['o', 'none'],
      disabled,
    });
    expect(organizations.body.result.data).toMatchObject({
      o: { success: true, message: 'Updated disable state for organization Successfully' },
      none: { success: false, message: 'Organization does not exist' },
    });
    expect(await workspace.must('/v2/organizations/documents/get', { organizationId: 'o' })).toMatchObject([
      { disabled },
    ]);
    expect(await workspace.must('/v2/organizations/get')).toMatchObject([{ disabled }]);
  }
});

test('documents are moved into a folder and out of it, all or none', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/folders/add', {
    organizationId: 'o',
    folders: [{ folderId: 'f' }],
  });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'o',
    documents: [{ documentId: 'a' }, { documentId: 'b' }],
  });
  const move = (documentIds: string[], folderId: string) =>
    workspace.post('/v2/organizations/documents/move', { organizationId: 'o', documentIds, folderId });
  const inFolder = async (folderId: string) =>
    (await workspace.must('/v2/organizations/documents/get', { organizationId: 'o', folderId })).map(
      (document: { id: string }) => document.id,
    );
  expect((await move(['a'], 'f')).body).toEqual({
    result: { status: 'success', message: 'Documents moved successfully.' },
  });
  expect([await inFolder('f'), await inFolder('root')]).toEqual([['a'], ['b']]);
  expect((await move(['b', 'none'], 'f')).body.error.message).toBe('Document does not exist');
  expect((await move(['b'], 'none')).body.error.message).toBe('Folder not found.');
  expect(await inFolder('f')).toEqual(['a']);
  await move(['a'], 'root');
  expect([await inFolder('f'), await inFolder('root')]).toEqual([[], ['a', 'b']]);
});

test('a folder is created for documents unless the request forbids it', async () => {
  const workspace = await newWorkspace();
  const add = (createFolder: boolean) =>
    workspace.post('/v2/organizations/documents/add', {
      organizationId: 'o',
      folderId: 'f',
      createFolder,
      documents: [{ documentId: 'd' }],
    });
  expect((await add(false)).body.error).toMatchObject({ status: 'NOT_FOUND', message: 'Folder not found.' });
  expect((await add(true)).status).toBe(200);
  expect((await workspace.must('/v2/organizations/folders/get', { organizationId: 'o' }))[0].folderId).toBe(
    'f',
  );
});
