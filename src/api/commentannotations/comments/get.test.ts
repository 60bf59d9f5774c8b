import { expect, test } from 'vitest';
import { newAnnotation } from '../../../../test/documents/annotated-document.ts';
import { newWorkspace } from '../../../../test/service/harness.ts';

const BASE = '/v2/commentannotations/comments';
const ann = { userId: 'u1', name: 'Ann', email: 'ann@acme.com' };
const bob = { userId: 'u2', name: 'Bob', email: 'bob@acme.com' };

async function setUp() {
  const workspace = await newWorkspace();
  return { workspace, at: await newAnnotation(workspace) };
}

test('an annotation without comments, and a missing one, have an empty list', async () => {
  const { workspace, at } = await setUp();
  expect(await workspace.must(`${BASE}/get`, at)).toEqual([]);
  expect(await workspace.must(`${BASE}/get`, { ...at, annotationId: 'none' })).toEqual([]);
  expect(await workspace.must(`${BASE}/get`, { ...at, commentIds: [1, 2] })).toEqual([null, null]);
});

test('requested ids are returned in their order, and can be filtered by author', async () => {
  const { workspace, at } = await setUp();
  await workspace.must(`${BASE}/add`, {
    ...at,
    commentData: [
      { commentId: 1, from: ann },
      { commentId: 2, from: bob },
      { commentId: 3, from: ann },
    ],
  });
  const get = async (filter: object) =>
    (await workspace.must(`${BASE}/get`, { ...at, ...filter })).map(
      (comment: { commentId: number } | null) => comment?.commentId ?? null,
    );
  expect(await get({})).toEqual([1, 2, 3]);
  expect(await get({ userIds: ['u1'] })).toEqual([1, 3]);
  expect(await get({ commentIds: [3, 99, 1, 3] })).toEqual([3, null, 1]);
  expect(await get({ commentIds: [2, 1], userIds: ['u2', 'nobody'] })).toEqual([2, null]);
});

test('an author is shown with their current name', async () => {
  const { workspace, at } = await setUp();
  await workspace.must(`${BASE}/add`, { ...at, commentData: [{ from: { ...ann, colour: 'red' } }] });
  await workspace.must('/v2/users/add', {
    organizationId: 'acme',
    users: [{ userId: 'u1', name: 'Ann Other', email: 'other@acme.com' }],
  });
  expect(await workspace.must(`${BASE}/get`, at)).toMatchObject([
    { from: { userId: 'u1', name: 'Ann Other', email: 'other@acme.com', colour: 'red' } },
  ]);
});
