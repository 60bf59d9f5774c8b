import { expect, test } from 'vitest';
import { newWorkspace } from '../../../../test/service/harness.ts';

test('documents are counted by folder and by their fields', async () => {
  const workspace = await newWorkspace();
  const add = (documents: object[], more = {}) =>
    workspace.must('/v2/organizations/documents/add', { organizationId: 'o', documents, ...more });
  await workspace.must('/v2/organizations/folders/add', {
    organizationId: 'o',
    folders: [{ folderId: 'f', accessType: 'restricted' }],
  });
  await add([{ documentId: 'a', owner: 'Ada', size: 5, tags: ['x'] }], { folderId: 'f' });
  await add([
    { documentId: 'b', owner: 'Ada', size: 9, tags: ['x', 'y'] },
    { documentId: 'c', documentName: 'Home', owner: 'Bob', tags: 'x' },
    { documentId: 'd', owner: null },
  ]);
  for (const [request, count] of [
    [{}, 4],
    [{ folderId: 'f' }, 1],
    [{ excludeFolderDocs: true }, 3],
    [{ filters: [{ key: 'owner', operator: '==', value: 'Ada' }] }, 2],
    [{ filters: [{ key: 'owner', operator: '!=', value: 'Ada' }] }, 2],
    [{ filters: [{ key: 'size', operator: '>', value: 5 }] }, 1],
    [{ filters: [{ key: 'size', operator: '<=', value: 5 }] }, 1],
    [{ filters: [{ key: 'size', operator: '>=', value: '5' }] }, 0],
    [{ filters: [{ key: 'owner', operator: 'in', value: ['Ada', 'Bob', 7] }] }, 3],
    [{ filters: [{ key: 'owner', operator: 'not-in', value: ['Ada'] }] }, 2],
    [{ filters: [{ key: 'tags', operator: 'array-contains', value: 'x' }] }, 2],
    [{ filters: [{ key: 'tags', operator: 'array-contains-any', value: ['y', 'z'] }] }, 1],
    [{ filters: [{ key: 'documentName', operator: '==', value: 'Home' }] }, 1],
    [{ filters: [{ key: 'accessType', operator: '==', value: 'restricted' }] }, 1],
    [{ filters: [{ key: 'folderId', operator: '==', value: 'f' }] }, 1],
    [{ filters: [{ key: 'disabled', operator: '==', value: false }] }, 4],
    [
      {
        filters: [
          { key: 'owner', operator: '==', value: 'Ada' },
          { key: 'size', operator: '==', value: 9 },
        ],
      },
      1,
    ],
    [{ filters: [{ key: "owner' or true --", operator: '==', value: "'" }] }, 0],
  ] as const) {
    const data = { organizationId: 'o', ...request };
    expect([request, await workspace.must('/v2/organizations/documents/count', data)]).toEqual([
      request,
      { count, ...('filters' in request && { filtersApplied: request.filters.length }) },
    ]);
  }
});

test('a filter by several values has a list', async () => {
  const workspace = await newWorkspace();
  const { body } = await workspace.post('/v2/organizations/documents/count', {
    organizationId: 'o',
    filters: [{ key: 'size', operator: 'in', value: 1 }],
  });
  const message = 'filters[0].value must be a list.';
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', message });
});

test('filters and excludeFolderDocs exclude each other', async () => {
  const workspace = await newWorkspace();
  const { body } = await workspace.post('/v2/organizations/documents/count', {
    organizationId: 'o',
    excludeFolderDocs: true,
    filters: [{ key: 'a', operator: '==', value: 1 }],
  });
  expect(body.error.message).toBe('filters and excludeFolderDocs exclude each other.');
});
