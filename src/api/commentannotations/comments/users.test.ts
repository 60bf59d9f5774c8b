import { expect, test } from 'vitest';
import { newAnnotation } from '../../../../test/documents/annotated-document.ts';
import { newUserToken } from '../../../../test/people/user-token.ts';
import { newWorkspace, testApp } from '../../../../test/service/harness.ts';

const BASE = '/v2/commentannotations/comments';
const bob = { userId: 'bob', name: 'Bob', email: 'bob@acme.com' };
const onHome = (accessRole: string) => [{ type: 'document', id: 'home', organizationId: 'acme', accessRole }];

async function setUp(options?: Parameters<typeof newAnnotation>[1]) {
  const workspace = await newWorkspace();
  const at = await newAnnotation(workspace, options);
  await workspace.must(`${BASE}/add`, {
    ...at,
    commentData: [{ commentId: 1, commentText: 'b', from: bob }],
  });
  const ada = await newUserToken(workspace, { resources: onHome('editor') });
  return { workspace, at, ada };
}

test('a user writes under their own name, and always raises loud events', async () => {
  const { workspace, at, ada } = await setUp();
  const added = await ada.post(`${BASE}/add`, {
    ...at,
    commentData: [{ commentText: 'mine', createdAt: 5, from: { userId: 'ada', name: 'Somebody' } }],
  });
  expect(added.status).toBe(200);
  const [commentId] = added.body.result.data;
  const [comment] = await workspace.must(`${BASE}/get`, { ...at, commentIds: [commentId] });
  expect(comment).toMatchObject({
    commentText: 'mine',
    from: { userId: 'ada', name: 'Ada', email: 'ada@example.com' },
  });
  expect(comment.createdAt).toBeGreaterThan(5);
  const updated = await ada.post(`${BASE}/update`, {
    ...at,
    commentIds: [commentId],
    updatedData: { commentText: 'still mine' },
  });
  expect(updated.body.result.data[commentId].success).toBe(true);
  const deleted = await ada.post(`${BASE}/delete`, { ...at, commentIds: [commentId] });
  expect(deleted.body.result.data[commentId].success).toBe(true);
  const { deps } = await testApp();
  const events = await deps.db
    .selectFrom('events')
    .select(['name', 'payload'])
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('name', 'like', 'comment.%')
    .orderBy('seq')
    .execute();
  expect(events.slice(1).map(({ name, payload }) => [name, payload.loud, payload.actionUser])).toEqual(
    ['comment.add', 'comment.update', 'comment.delete'].map((name) => [
      name,
      true,
      { userId: 'ada', name: 'Ada', email: 'ada@example.com' },
    ]),
  );
});

test('a user cannot write for another user or an agent', async () => {
  const { at, ada } = await setUp();
  const agent = {
    agentSource: 'external',
    agentName: 'Robot',
    reason: { title: 't', description: 'd', severity: 'low' },
  };
  for (const commentData of [[{ from: bob }], [{ commentText: 'fine' }, { agent }]]) {
    const { status, body } = await ada.post(`${BASE}/add`, { ...at, commentData });
    expect(status).toBe(403);
    expect(body.error.status).toBe('PERMISSION_DENIED');
  }
  const { body } = await ada.post(`${BASE}/update`, { ...at, commentIds: [1], updatedData: { from: bob } });
  expect(body.error.status).toBe('PERMISSION_DENIED');
  expect((await ada.post(`${BASE}/get`, at)).body.result.data).toHaveLength(1);
});

test('a user cannot change or delete comments of others, not even together with their own', async () => {
  const { workspace, at, ada } = await setUp();
  const own = (await ada.post(`${BASE}/add`, { ...at, commentData: [{ commentText: 'a' }] })).body.result
    .data;
  const attempts = [
    await ada.post(`${BASE}/update`, { ...at, commentIds: [1], updatedData: { commentText: 'x' } }),
    await ada.post(`${BASE}/update`, { ...at, commentIds: [...own, 1], updatedData: { commentText: 'x' } }),
    await ada.post(`${BASE}/delete`, { ...at, commentIds: [1, ...own] }),
    await ada.post(`${BASE}/delete`, at),
  ];
  for (const { status, body } of attempts) {
    expect(status).toBe(403);
    expect(body.error).toEqual({
      status: 'PERMISSION_DENIED',
      message: 'A user can only change their own comments.',
    });
  }
  expect(await workspace.must(`${BASE}/get`, at)).toMatchObject([
    { commentText: 'b', status: 'added' },
    { commentText: 'a', status: 'added' },
  ]);
});

test('an admin can change comments of others, which keep their authors', async () => {
  const { workspace, at } = await setUp();
  const resources = [{ type: 'organization', id: 'acme' }];
  const admin = await newUserToken(workspace, { userId: 'root', isAdmin: true, resources });
  const { body } = await admin.post(`${BASE}/update`, {
    ...at,
    commentIds: [1],
    updatedData: { commentText: 'moderated' },
  });
  expect(body.result.data[1].success).toBe(true);
  expect(await workspace.must(`${BASE}/get`, at)).toMatchObject([{ commentText: 'moderated', from: bob }]);
  expect((await admin.post(`${BASE}/delete`, at)).body.result.data[1].success).toBe(true);
});

test('a user without a role on the document cannot find out that it exists', async () => {
  const { workspace, at } = await setUp();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'secret', accessType: 'restricted' }],
  });
  const eve = await newUserToken(workspace, {
    userId: 'eve',
    resources: [{ type: 'organization', id: 'acme' }],
  });
  const replies = [
    await eve.post(`${BASE}/get`, { ...at, documentId: 'secret' }),
    await eve.post(`${BASE}/get`, { ...at, documentId: 'missing' }),
    await eve.post(`${BASE}/add`, { ...at, documentId: 'secret', commentData: [{ commentText: 'x' }] }),
    await eve.post(`${BASE}/add`, {
      ...at,
      documentId: 'missing',
      createDocument: true,
      commentData: [{ commentText: 'x' }],
    }),
  ];
  for (const { body } of replies) expect(body.error.status).toBe('PERMISSION_DENIED');
  expect(replies[0]!.body).toEqual(replies[1]!.body);
});

test('an annotation that a user may not see is treated like a missing one', async () => {
  const { workspace, at, ada } = await setUp({ visibility: { type: 'restricted', userIds: ['bob'] } });
  expect((await ada.post(`${BASE}/get`, at)).body.result.data).toEqual([]);
  expect((await ada.post(`${BASE}/get`, { ...at, commentIds: [1] })).body.result.data).toEqual([null]);
  const added = await ada.post(`${BASE}/add`, { ...at, commentData: [{ commentText: 'x' }] });
  expect(added.body.error).toEqual({ status: 'NOT_FOUND', message: 'Annotation not found.' });
  const updated = await ada.post(`${BASE}/update`, { ...at, commentIds: [1], updatedData: {} });
  expect(updated.body.result.data).toEqual({ 1: { success: false, id: 1, message: 'Not found' } });
  const deleted = await ada.post(`${BASE}/delete`, at);
  expect(deleted.body.result.data).toEqual({});
  const shown = await newUserToken(workspace, { ...bob, resources: onHome('editor') });
  expect((await shown.post(`${BASE}/get`, at)).body.result.data).toMatchObject([{ commentId: 1 }]);
  expect((await shown.post(`${BASE}/delete`, at)).body.result.data[1].success).toBe(true);
});

test('authors without write access are refused if the backend asks for it, and others are not', async () => {
  const { workspace, at } = await setUp();
  await workspace.must('/v2/organizations/documents/access/update', {
    organizationId: 'acme',
    documentIds: ['home'],
    accessType: 'restricted',
  });
  await workspace.must('/v2/users/add', {
    organizationId: 'acme',
    documentId: 'home',
    users: [{ userId: 'ed' }, { userId: 'vi', accessRole: 'viewer' }],
  });
  const commentData = [
    { commentId: 10, from: { userId: 'ed' } },
    { commentId: 11, from: { userId: 'vi' } },
    { from: { userId: 'nobody' } },
    { commentId: 13, from: { userId: 'ed' } },
  ];
  const { status, body } = await workspace.post(`${BASE}/add`, {
    ...at,
    commentData,
    verifyUserPermissions: true,
  });
  const message = 'User does not have access to document';
  const refused = { success: false, message, code: 'permission-denied' };
  expect(status).toBe(403);
  expect(body.error).toEqual({
    status: 'PERMISSION_DENIED',
    message,
    details: {
      10: { success: true, id: 10, message: 'Added Successfully' },
      11: refused,
      '__redpen_denied:2': refused,
      13: { success: true, id: 13, message: 'Added Successfully' },
    },
  });
  const ids = async () =>
    (await workspace.must(`${BASE}/get`, at)).map((comment: { commentId: number }) => comment.commentId);
  expect(await ids()).toEqual([1, 10, 13]);
  const again = await workspace.post(`${BASE}/add`, {
    ...at,
    commentData: [{ commentId: 20, from: { userId: 'ed' } }],
    verifyUserPermissions: true,
  });
  expect(again.body.result.data).toEqual([20]);
});

test('a repeated request with an idempotency key repeats the partial refusal', async () => {
  const { workspace, at } = await setUp();
  await workspace.must('/v2/organizations/documents/access/update', {
    organizationId: 'acme',
    documentIds: ['home'],
    accessType: 'restricted',
  });
  await workspace.must('/v2/users/add', {
    organizationId: 'acme',
    users: [{ userId: 'ed' }],
    documentId: 'home',
  });
  const data = {
    ...at,
    commentData: [{ commentId: 10, from: { userId: 'ed' } }, { from: { userId: 'nobody' } }],
    verifyUserPermissions: true,
  };
  const headers = { 'idempotency-key': 'once' };
  const first = await workspace.post(`${BASE}/add`, data, headers);
  const second = await workspace.post(`${BASE}/add`, data, headers);
  expect(first.status).toBe(403);
  expect(second.body).toEqual(first.body);
  expect(await workspace.must(`${BASE}/get`, at)).toHaveLength(2);
});

test('agents comment under their own names, and platform agents get the stored name', async () => {
  const { workspace, at } = await setUp();
  const { agentId } = await workspace.must('/v2/agents/create', { name: 'Proof reader' });
  const reason = { title: 'Typo', description: 'teh', severity: 'low', own: { kept: true } };
  await workspace.must(`${BASE}/add`, {
    ...at,
    commentData: [
      { commentId: 2, agent: { agentSource: 'platform', agentId, reason } },
      { commentId: 3, agent: { agentSource: 'platform', agentId: 'spell-check', reason } },
      { commentId: 4, from: bob, agent: { agentSource: 'external', agentName: 'Robot', reason } },
    ],
  });
  expect(await workspace.must(`${BASE}/get`, { ...at, commentIds: [2, 3, 4] })).toMatchObject([
    {
      sourceType: 'agent',
      from: { userId: agentId, name: 'Proof reader' },
      agent: { agentId, agentType: 'custom', agentName: 'Proof reader', reason },
    },
    { from: { userId: 'spell-check' }, agent: { agentType: 'built-in' } },
    { from: bob, agent: { agentType: 'external', agentName: 'Robot' } },
  ]);
  const { body } = await workspace.post(`${BASE}/add`, {
    ...at,
    commentData: [{ agent: { agentSource: 'platform', agentId: 'none', reason } }],
  });
  expect(body.error).toEqual({ status: 'NOT_FOUND', message: 'Agent not found: none' });
});
