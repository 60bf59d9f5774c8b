import { expect, test } from 'vitest';
import { newAnnotation } from '../../../../test/documents/annotated-document.ts';
import { eventPayloads } from '../../../../test/documents/annotations.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { presentAnnotation } from '../../../annotations/present-annotation.ts';

const BASE = '/v2/commentannotations/comments';
const ann = { userId: 'u1', name: 'Ann', email: 'ann@acme.com' };
const bob = { userId: 'u2', name: 'Bob', email: 'bob@acme.com' };
const tagOf = (user: typeof ann) => ({ userId: user.userId, contact: user, text: `@${user.name}` });

async function setUp() {
  const workspace = await newWorkspace();
  const at = await newAnnotation(workspace);
  await workspace.must(`${BASE}/add`, {
    ...at,
    commentData: [
      { commentId: 1, commentText: 'one', commentHtml: '<p>one</p>', context: { a: 1 }, from: ann },
      { commentId: 2, commentText: 'two', from: bob, taggedUserContacts: [tagOf(ann)] },
      { commentId: 3, commentText: 'three', from: ann, taggedUserContacts: [tagOf(bob)] },
    ],
  });
  const { deps } = await testApp();
  await deps.db
    .updateTable('annotations')
    .set({ lastUpdated: 1_000 })
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  return { workspace, at };
}

const annotationOf = async (workspace: TestWorkspace) => {
  const { deps } = await testApp();
  return await deps.db
    .selectFrom('annotations')
    .selectAll()
    .where('apiKeyId', '=', workspace.apiKeyId)
    .executeTakeFirstOrThrow();
};

test('an update overwrites the sent fields, and marks the comment as edited', async () => {
  const { workspace, at } = await setUp();
  const before = await workspace.must(`${BASE}/get`, at);
  expect(
    await workspace.must(`${BASE}/update`, {
      ...at,
      commentIds: [1, 99],
      updatedData: { commentText: 'first', context: { b: 2 }, attachments: [{ attachmentId: 4 }], from: ann },
    }),
  ).toEqual({
    1: { success: true, id: 1, message: 'Updated successfully' },
    99: { success: false, id: 99, message: 'Not found' },
  });
  const [first, ...others] = await workspace.must(`${BASE}/get`, at);
  expect(first).toEqual({
    ...before[0],
    commentText: 'first',
    context: { b: 2 },
    attachments: [{ attachmentId: 4 }],
    status: 'updated',
    isEdited: true,
    editedAt: expect.any(Number),
    lastUpdated: expect.any(String),
  });
  expect(first.editedAt).toBeGreaterThanOrEqual(before[0].createdAt);
  expect(others).toEqual(before.slice(1));
  const annotation = await annotationOf(workspace);
  expect(annotation.lastUpdated).toBeGreaterThan(1_000);
  expect(await eventPayloads(workspace, 'comment.update')).toEqual([
    {
      ...at,
      commentAnnotation: presentAnnotation(annotation),
      targetComment: first,
      actionUser: ann,
      loud: false,
    },
  ]);
});

test('the mentioned users of an annotation follow its comments', async () => {
  const { workspace, at } = await setUp();
  const carl = { userId: 'u3', name: 'Carl', email: 'carl@acme.com' };
  const mentioned = async () =>
    [...((await annotationOf(workspace)).body.mentionedUserIds as string[])].sort();
  expect(await mentioned()).toEqual(['u1', 'u2']);
  await workspace.must(`${BASE}/update`, {
    ...at,
    commentIds: [2],
    updatedData: { from: bob, taggedUserContacts: [tagOf(carl)] },
  });
  expect(await mentioned()).toEqual(['u2', 'u3']);
  expect((await annotationOf(workspace)).body).toMatchObject({
    involvedUserIds: ['author', 'u1', 'u2', 'u3'],
  });
  expect(await workspace.must(`${BASE}/get`, { ...at, commentIds: [2] })).toMatchObject([{ to: [carl] }]);
  await workspace.must(`${BASE}/update`, { ...at, commentIds: [2], updatedData: { from: bob } });
  expect(await mentioned()).toEqual(['u2', 'u3']);
  await workspace.must(`${BASE}/delete`, { ...at, commentIds: [3] });
  expect(await mentioned()).toEqual(['u3']);
  await workspace.must(`${BASE}/delete`, at);
  expect(await mentioned()).toEqual([]);
});

test('a comment can get another author, and is found by that author', async () => {
  const { workspace, at } = await setUp();
  await workspace.must(`${BASE}/update`, { ...at, commentIds: [1, 3], updatedData: { from: bob } });
  const ofBob = await workspace.must(`${BASE}/get`, { ...at, userIds: ['u2'] });
  expect(ofBob.map((comment: { commentId: number }) => comment.commentId)).toEqual([1, 2, 3]);
  expect(ofBob[0].from).toEqual(bob);
});

test('a deletion reports each comment, and without ids deletes all, but keeps the annotation', async () => {
  const { workspace, at } = await setUp();
  expect(await workspace.must(`${BASE}/delete`, { ...at, commentIds: [2, 99, 2] })).toEqual({
    2: { success: true, id: 2, message: 'Deleted successfully' },
    99: { success: false, id: 99, message: 'Not found' },
  });
  expect(await workspace.must(`${BASE}/delete`, at)).toEqual({
    1: { success: true, id: 1, message: 'Deleted successfully' },
    3: { success: true, id: 3, message: 'Deleted successfully' },
  });
  expect(await workspace.must(`${BASE}/get`, at)).toEqual([]);
  expect(await workspace.must(`${BASE}/delete`, at)).toEqual({});
  const annotation = await annotationOf(workspace);
  expect(annotation.annotationId).toBe('headline');
  const events = await eventPayloads(workspace, 'comment.delete');
  expect(events).toHaveLength(3);
  expect(events[0]).toMatchObject({
    ...at,
    targetComment: { commentId: 2, commentText: 'two' },
    loud: false,
  });
  expect(events[0]).not.toHaveProperty('actionUser');
});

test('a thousand comments can be changed and deleted in one call each', async () => {
  const { workspace, at } = await setUp();
  const commentIds = Array.from({ length: 1_000 }, (_, index) => index + 1_000);
  await workspace.must(`${BASE}/add`, {
    ...at,
    commentData: commentIds.map((commentId) => ({ commentId, from: ann })),
  });
  const updatedData = { commentText: 'same', from: ann };
  const updated = await workspace.must(`${BASE}/update`, { ...at, commentIds, updatedData });
  expect(Object.values(updated).filter((item) => (item as { success: boolean }).success)).toHaveLength(1_000);
  const deleted = await workspace.must(`${BASE}/delete`, { ...at, commentIds });
  expect(Object.keys(deleted)).toHaveLength(1_000);
  expect(await workspace.must(`${BASE}/get`, at)).toHaveLength(3);
});

test('concurrent changes and deletions leave no comment half done', async () => {
  const { workspace, at } = await setUp();
  const work = Array.from({ length: 12 }, (_, index) =>
    index % 3 === 2
      ? workspace.post(`${BASE}/delete`, { ...at, commentIds: [3, 1] })
      : workspace.post(`${BASE}/update`, {
          ...at,
          commentIds: index % 2 ? [1, 2, 3] : [3, 2, 1],
          updatedData: { commentText: `${index}`, from: ann },
        }),
  );
  for (const { status } of await Promise.all(work)) expect(status).toBe(200);
  expect(await workspace.must(`${BASE}/get`, at)).toMatchObject([{ commentId: 2, status: 'updated' }]);
});

test('comments without an author, and content that is not safe or not whole, are refused', async () => {
  const { workspace, at } = await setUp();
  const agent = { agentSource: 'external', reason: { title: 'a', description: 'b', severity: 'low' } };
  const added = (...commentData: object[]) => ['add', { commentData }] as const;
  const updated = (updatedData: object) => ['update', { commentIds: [1], updatedData }] as const;
  for (const [[operation, data], message] of [
    [added({ from: ann }, { commentText: 'x' }), 'commentData[1].from is required.'],
    [
      added({ from: ann, commentId: 7 }, { from: ann, commentId: 7 }),
      'commentData[1].commentId is used twice.',
    ],
    [
      added({ from: ann, attachments: [{ name: 'x' }] }),
      'commentData[0].attachments[0].attachmentId is required.',
    ],
    [
      added({ from: ann, attachments: [{ attachmentId: 1, url: 'java\nscript:alert(1)' }] }),
      'commentData[0].attachments[0].url must not be a script.',
    ],
    [
      added({ from: ann, commentHtml: '<b>'.repeat(5_001) }),
      'commentData[0].commentHtml must not have more than 5000 tags.',
    ],
    [added({ agent }), 'commentData[0].agent.agentName is required.'],
    [updated({ commentText: 'x' }), 'updatedData.from is required.'],
    [
      updated({ from: ann, taggedUserContacts: [{ userId: 'u2', contact: { userId: 'u2' }, text: 'x' }] }),
      'updatedData.taggedUserContacts[0].contact.name is required.\nupdatedData.taggedUserContacts[0].contact.email is required.',
    ],
  ] as const) {
    const { body } = await workspace.post(`${BASE}/${operation}`, { ...at, ...data });
    expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', message });
  }
});
