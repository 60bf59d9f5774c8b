import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../test/service/harness.ts';
import { emit } from '../events/emit.ts';
import type { EventName, EventPayload } from '../events/event-catalog.ts';
import { relayBatch } from '../events/outbox-relay.ts';
import { md5 } from '../lib/ids.ts';
import { followThreads } from './follow-threads.ts';
import { notifyOfComments } from './notify-of-comments.ts';

const place = { organizationId: 'acme', documentId: 'home' };
const ada = { userId: 'ada', name: 'Ada', email: 'ada@example.com' };
const thread = { annotationId: 'n1', type: 'comment', from: { userId: 'sam', name: 'Sam' } };
const reply = { commentId: 123456, commentText: 'Done.', from: ada };
const replied = {
  ...place,
  annotationId: 'n1',
  commentAnnotation: thread,
  targetComment: reply,
  actionUser: ada,
  loud: true,
};

/** Creates two threads without notifications. */
async function prepare(data: object = {}): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  const commentData = [123456, 1].map((commentId) => ({ commentId, commentText: 'x', from: thread.from }));
  await workspace.must('/v2/commentannotations/add', {
    ...place,
    createDocument: true,
    commentAnnotations: ['n1', 'n2'].map((annotationId) => ({ annotationId, commentData, ...data })),
  });
  return workspace;
}

const relay = async () => {
  const { deps } = await testApp();
  while ((await relayBatch(deps.db, [notifyOfComments, followThreads])) > 0);
};

async function emitAndRelay<Name extends EventName>(
  workspace: TestWorkspace,
  name: Name,
  payload: EventPayload<Name>,
): Promise<void> {
  const { deps } = await testApp();
  await deps.db.transaction().execute((tx) => emit(tx, workspace, name, payload));
  await relay();
}

const get = (workspace: TestWorkspace, filter: object = { documentId: 'home' }) =>
  workspace.must('/v2/notifications/get', { organizationId: 'acme', order: 'asc', ...filter });
/** The candidates among these users that the notification names. */
const named = async (workspace: TestWorkspace, ...userIds: string[]) => {
  const [record] = await get(workspace);
  return userIds.filter((userId) => record?.notifyUsersByUserId?.[md5(userId)]);
};

test('a long text is cut at a whole character', async () => {
  const workspace = await prepare();
  const commentText = '🙂'.repeat(600);
  await emitAndRelay(workspace, 'comment.add', { ...replied, targetComment: { ...reply, commentText } });
  expect(await get(workspace)).toMatchObject([{ displayBodyMessage: `${'🙂'.repeat(499)}…` }]);
});

test('a reply notifies all users of the document, and names those in the thread', async () => {
  const workspace = await prepare();
  await emitAndRelay(workspace, 'comment.add', replied);
  expect(await get(workspace)).toMatchObject([
    {
      id: expect.stringMatching(/^ntf_/),
      notificationSource: 'comment',
      actionType: 'added',
      actionUser: ada,
      displayHeadlineMessage: 'Ada replied',
      displayBodyMessage: 'Done.',
      targetAnnotationId: 'n1',
      notificationSourceData: { annotationId: 'n1', commentId: 123456 },
      metadata: place,
    },
  ]);
  expect(await get(workspace, { userId: 'sam' })).toMatchObject([{ forYou: true, isUnread: true }]);
  expect(await get(workspace, { userId: 'kim' })).toMatchObject([{ forYou: false }]);
  expect(await get(workspace, { userId: 'ada' })).toEqual([]);
});

test('a notification names authors, followers, assignee and mentioned people, without the actor and people who left', async () => {
  const workspace = await prepare();
  const follower = { user: { userId: 'follower' }, type: 'manual' };
  await emitAndRelay(workspace, 'comment.add', {
    ...replied,
    commentAnnotation: {
      ...thread,
      involvedUserIds: ['sam', 'ada', 'earlier', 'left'],
      assignedTo: { userId: 'assignee' },
      subscribedUsers: { [md5('follower')]: follower, [md5('ada')]: { user: ada, type: 'auto' } },
      unsubscribedUsers: { [md5('left')]: { user: { userId: 'left' } } },
    },
    targetComment: {
      ...reply,
      commentText: 'See {{m1}} and {{x}}.',
      taggedUserContacts: [
        { userId: 'm1', contact: { userId: 'm1', name: 'Mia' } },
        { contact: { userId: 'm2' } },
      ],
    },
  });
  const all = ['sam', 'ada', 'earlier', 'left', 'assignee', 'follower', 'm1', 'm2', 'x'];
  expect(await named(workspace, ...all)).toEqual(['sam', 'earlier', 'assignee', 'follower', 'm1', 'm2']);
  expect(await get(workspace)).toMatchObject([{ displayBodyMessage: 'See Mia and {{x}}.' }]);
});

test('a private thread notifies only users who may see it', async () => {
  const workspace = await prepare({ visibility: { type: 'restricted', userIds: ['sam'] } });
  await emitAndRelay(workspace, 'comment.add', {
    ...replied,
    commentAnnotation: { ...thread, involvedUserIds: ['sam', 'kim'] },
  });
  const lists = await Promise.all(['sam', 'kim', 'lee'].map((userId) => get(workspace, { userId })));
  expect(lists.map((list) => list.length)).toEqual([1, 0, 0]);
  await workspace.must('/v2/commentannotations/update', {
    ...place,
    annotationIds: ['n1'],
    updatedData: { visibility: { type: 'public' } },
  });
  await relay();
  expect(await get(workspace, { userId: 'lee' })).toHaveLength(1);
});

test('a user without access to the document is not notified, even if mentioned', async () => {
  const workspace = await prepare();
  await workspace.must('/v2/organizations/documents/access/update', {
    organizationId: 'acme',
    documentIds: ['home'],
    accessType: 'restricted',
  });
  await emitAndRelay(workspace, 'comment.add', replied);
  expect(await get(workspace, { userId: 'sam' })).toEqual([]);
});

test.each([
  ['it is quiet', { loud: false }, {}],
  ['its thread is gone', { annotationId: 'gone' }, {}],
  ['its comment is gone', { targetComment: { ...reply, commentId: 7 } }, {}],
  ['its document is gone', { documentId: 'gone' }, {}],
  ['there is no actor', { actionUser: undefined, targetComment: undefined, commentAnnotation: {} }, {}],
  [
    'it is a finding of an agent that concerns no user',
    { commentAnnotation: { ...thread, from: ada, sourceType: 'agent' } },
    {},
  ],
  ['the service is off', {}, { useNotificationService: false }],
  [
    'its trigger is off',
    {},
    { notificationServiceConfig: { triggers: { comment: { 'comment.add': false } } } },
  ],
])('no user is notified if %s', async (_, payload, config) => {
  const workspace = await prepare();
  if (Object.keys(config).length > 0) await workspace.must('/v2/workspace/notificationconfig/update', config);
  await emitAndRelay(workspace, 'comment.add', { ...replied, ...payload });
  expect(await get(workspace)).toEqual([]);
});

test('a change of status names the new status, and an assignment the assignee', async () => {
  const workspace = await prepare();
  await emitAndRelay(workspace, 'comment_annotation.status_change', {
    ...replied,
    targetComment: undefined,
    oldStatus: { id: 'OPEN', name: 'Open' },
    newStatus: { id: 'RESOLVED', name: 'Resolved' },
  });
  const assigned = { ...thread, assignedTo: { userId: 'kim', name: 'Kim' } };
  await emitAndRelay(workspace, 'comment_annotation.assign', { ...replied, commentAnnotation: assigned });
  expect(await get(workspace)).toMatchObject([
    { actionType: 'statusChanged', displayHeadlineMessage: 'Ada changed the status to Resolved' },
    { actionType: 'assigned', displayHeadlineMessage: 'Ada assigned a thread to Kim' },
  ]);
});

test('notifications about a comment or thread are deleted with it', async () => {
  const workspace = await prepare();
  await emitAndRelay(workspace, 'comment_annotation.add', {
    ...replied,
    targetComment: { ...reply, commentId: 1 },
  });
  await emitAndRelay(workspace, 'comment.add', replied);
  await emitAndRelay(workspace, 'comment.add', { ...replied, annotationId: 'n2' });
  await emitAndRelay(workspace, 'comment.delete', { ...replied, loud: false });
  const kinds = async () =>
    (await get(workspace)).map((one: { targetAnnotationId: string; actionType: string }) => [
      one.targetAnnotationId,
      one.actionType,
    ]);
  expect(await kinds()).toEqual([
    ['n1', 'newlyAdded'],
    ['n2', 'added'],
  ]);
  await emitAndRelay(workspace, 'comment_annotation.delete', { ...replied, loud: false });
  expect(await kinds()).toEqual([['n2', 'added']]);
});

test('a comment over the API notifies if the request asks for it', async () => {
  const workspace = await prepare();
  const comment = (triggerNotification: boolean) => ({
    commentText: `Is it ${triggerNotification}?`,
    from: ada,
    triggerNotification,
    taggedUserContacts: [{ userId: 'sam', contact: { userId: 'sam' } }],
  });
  await workspace.must('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [{ commentData: [comment(true)] }, { commentData: [comment(false)] }],
  });
  await relay();
  expect(await get(workspace)).toMatchObject([
    { displayBodyMessage: 'Is it true?', actionType: 'newlyAdded' },
  ]);
  expect(await named(workspace, 'sam', 'ada')).toEqual(['sam']);
});

test('notifications follow the present text and visibility of their comment', async () => {
  const workspace = await prepare();
  await emitAndRelay(workspace, 'comment.add', {
    ...replied,
    targetComment: { ...reply, commentText: 'hunter2' },
  });
  const update = { ...place, annotationId: 'n1', commentIds: [123456] };
  const change = (updatedData: object) =>
    workspace.must('/v2/commentannotations/comments/update', {
      ...update,
      updatedData: { from: ada, ...updatedData },
    });
  await change({ commentText: 'Withdrawn.' });
  await relay();
  expect(await get(workspace)).toMatchObject([{ displayBodyMessage: 'Withdrawn.' }]);
  await change({ commentText: '' });
  await relay();
  expect((await get(workspace))[0]).not.toHaveProperty('displayBodyMessage');
  expect(await get(workspace, { userId: 'kim' })).toHaveLength(1);
  await workspace.must('/v2/commentannotations/update', {
    ...place,
    annotationIds: ['n1'],
    updatedData: { context: { access: { team: 'red' } } },
  });
  await relay();
  expect(await get(workspace, { userId: 'kim' })).toEqual([]);
});

test('events of one batch notify in order, with the final text of comments', async () => {
  const workspaces = [await prepare(), await prepare()];
  const { deps } = await testApp();
  const comment = (commentText: string) => ({ ...replied, targetComment: { ...reply, commentText } });
  const texts = Array.from({ length: 40 }, (_, index) => `Text ${index}`);
  await deps.db.transaction().execute(async (tx) => {
    for (const text of texts) {
      for (const workspace of workspaces) await emit(tx, workspace, 'comment.add', comment(text));
    }
  });
  await relay();
  const bodies = async (workspace: TestWorkspace) =>
    (await get(workspace)).map((one: { displayBodyMessage: string }) => one.displayBodyMessage);
  for (const workspace of workspaces) expect(await bodies(workspace)).toEqual(texts);
  const [first, second] = workspaces as [TestWorkspace, TestWorkspace];
  await deps.db.transaction().execute(async (tx) => {
    for (const text of ['Once.', 'Twice.']) await emit(tx, first, 'comment.update', comment(text));
    await emit(tx, second, 'comment.delete', comment('Gone.'));
    await emit(tx, second, 'comment.update', comment('Too late.'));
  });
  await relay();
  expect(await bodies(first)).toEqual(texts.map(() => 'Twice.'));
  expect(await bodies(second)).toEqual([]);
});
