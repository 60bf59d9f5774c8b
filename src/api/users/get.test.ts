import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace } from '../../../test/service/harness.ts';

const organizationId = 'acme';
const ids = (rows: { userId: string }[]) => rows.map((row) => row.userId);

const add = (workspace: TestWorkspace, userIds: string[], place: object = {}) =>
  workspace.must('/v2/users/add', {
    organizationId,
    createDocument: true,
    ...place,
    users: userIds.map((userId) => ({ userId })),
  });

/** All pages of a list. */
async function pagesOf(workspace: TestWorkspace, path: string, data: object) {
  const pages: unknown[] = [];
  let pageToken: string | undefined;
  do {
    const { status, body } = await workspace.post(path, { organizationId, ...data, pageToken });
    expect(status).toBe(200);
    pages.push(body.result.data);
    pageToken = body.result.nextPageToken;
  } while (pageToken);
  return pages;
}

test('the pages together contain the whole list, in any place', async () => {
  const workspace = await newWorkspace();
  const users = Array.from({ length: 25 }, (_, index) => `u${index}`);
  for (const place of [{}, { documentId: 'd' }, { folderId: 'f' }]) {
    await add(workspace, users, place);
    const pages = (await pagesOf(workspace, '/v2/users/get', { ...place, pageSize: 10 })) as {
      userId: string;
    }[][];
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(ids(pages.flat()).sort()).toEqual(users.toSorted());
  }
});

test('users can be requested by id or by group', async () => {
  const workspace = await newWorkspace();
  await add(workspace, ['a', 'b', 'c']);
  const get = (filter: object) => workspace.must('/v2/users/get', { organizationId, ...filter });
  expect(ids(await get({ userIds: ['c', 'a', 'x'] }))).toEqual(['a', 'c']);
  expect(await get({ userIds: ['x'] })).toEqual([]);
  expect(await get({ organizationUserGroupIds: ['g'] })).toEqual([]);
});

test('users of all documents are listed once, or by document, without members of the organization only', async () => {
  const workspace = await newWorkspace();
  await add(workspace, ['o']);
  await add(workspace, ['a', 'b'], { documentId: 'd1' });
  await add(workspace, ['b', 'c'], { documentId: 'd2' });
  await add(workspace, ['f'], { folderId: 'f' });
  const once = (await pagesOf(workspace, '/v2/users/get', { allDocuments: true, pageSize: 2 })) as [];
  expect(once.map(ids)).toEqual([['a', 'b'], ['c']]);
  expect(once.flat()).not.toContainEqual(expect.objectContaining({ accessRole: expect.anything() }));
  const grouped = { allDocuments: true, groupByDocumentId: true };
  const [whole] = (await pagesOf(workspace, '/v2/users/get', grouped)) as [Record<string, []>];
  expect(Object.entries(whole).map(([id, users]) => [id, ids(users)])).toEqual([
    ['d1', ['a', 'b']],
    ['d2', ['b', 'c']],
  ]);
  const pages = (await pagesOf(workspace, '/v2/users/get', { ...grouped, pageSize: 3 })) as [];
  expect(pages.map((page) => Object.keys(page))).toEqual([['d1', 'd2'], ['d2']]);
});

test('users of documents are returned with their documents on request', async () => {
  const workspace = await newWorkspace();
  await add(workspace, ['a', 'b'], { documentId: 'd2' });
  await add(workspace, ['a'], { documentId: 'd1' });
  const get = (data: object) => workspace.post('/v2/users/documents/get', { organizationId, ...data });
  const { body } = await get({ userIds: ['b', 'a', 'x'], includeInvolvedDocuments: true });
  expect(body.result.data).toEqual([
    { userId: 'a', organizationId, involvedDocumentIds: ['d1', 'd2'] },
    { userId: 'b', organizationId, involvedDocumentIds: ['d2'] },
  ]);
  expect((await get({})).body.result.data).toEqual([
    { userId: 'a', organizationId },
    { userId: 'b', organizationId },
  ]);
  expect((await get({ includeInvolvedDocuments: true })).status).toBe(400);
  expect(
    (await get({ userIds: ['1', '2', '3', '4', '5', '6'], includeInvolvedDocuments: true })).status,
  ).toBe(400);
});

test('contradictory fields are refused, and a token is valid only for its list', async () => {
  const workspace = await newWorkspace();
  await add(workspace, ['a', 'b', 'c']);
  const refused = async (data: object) =>
    (await workspace.post('/v2/users/get', { organizationId, ...data })).body.error?.message;
  expect(await refused({ documentId: 'd', folderId: 'f' })).toBe(
    'documentId and folderId exclude each other.',
  );
  expect(await refused({ documentId: 'd', allDocuments: true })).toBe(
    'allDocuments excludes documentId and folderId.',
  );
  expect(await refused({ groupByDocumentId: true })).toBe('groupByDocumentId needs allDocuments.');
  const first = await workspace.post('/v2/users/get', { organizationId, pageSize: 2 });
  const pageToken = first.body.result.nextPageToken;
  expect(await refused({ pageToken, pageSize: 1 })).toBeUndefined();
  expect(await refused({ pageToken, userIds: ['a'] })).toBe('pageToken is not valid.');
  expect(await refused({ pageToken, allDocuments: true })).toBe('pageToken is not valid.');
});

test('users are counted per organization, folder or document', async () => {
  const workspace = await newWorkspace();
  await add(workspace, ['a', 'b', 'c']);
  await add(workspace, ['a'], { documentId: 'd' });
  const count = async (place: object) =>
    (await workspace.must('/v2/users/count', { organizationId, ...place })).count;
  expect(await count({})).toBe(3);
  expect(await count({ documentId: 'd' })).toBe(1);
  expect(await count({ folderId: 'f' })).toBe(0);
  expect(await count({ userIds: ['a', 'x'] })).toBe(1);
});
