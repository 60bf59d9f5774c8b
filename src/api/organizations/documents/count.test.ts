import { expect, test } from 'vitest';
import { newWorkspace } from '../../../../test/harness.ts';

test.each([
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
])('of four documents, %j counts %d', async (request, count) => {
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
  const { body } = await workspace.post('/v2/organizations/documents/count', {
    organizationId: 'o',
    ...request,
  });
  expect(body.result).toEqual({
    status: 'success',
    message: 'Documents count retrieved successfully.',
    data: { count, ...('filters' in request && { filtersApplied: request.filters.length }) },
  });
});

test.each([
  [
    { key: 'size', operator: '~', value: 1 },
    'filters[0].operator must be ==, !=, <, <=, >, >=, array-contains, in, not-in or array-contains-any.',
  ],
  [{ key: 'size', operator: 'in', value: 1 }, 'filters[0].value must be a list.'],
])('%j is refused with the reason', async (filter, message) => {
  const workspace = await newWorkspace();
  const { body } = await workspace.post('/v2/organizations/documents/count', {
    organizationId: 'o',
    filters: [filter],
  });
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
