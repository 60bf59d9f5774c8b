import { beforeEach, expect, test } from 'vitest';
import {
  addNotes,
  ann,
  bob,
  eventPayloads,
  GET,
  note,
  PLACE,
  recordOfNote,
} from '../../../../test/documents/annotations.ts';
import { newUserToken } from '../../../../test/people/user-token.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { logComments } from '../../../activities/log-comments.ts';
import { relayBatch } from '../../../events/outbox-relay.ts';
import { MAX_KINDS, MAX_OF_USER } from '../../../shapes/annotations/reaction.ts';
import { runDeletion } from '../../../store/privacy/data-deletions.ts';

const ADD_REACTION = '/v2/commentannotations/reactions/add';
const LIST = '/v2/commentannotations/reactions/get';
const REMOVE = '/v2/commentannotations/reactions/delete';
const COMMENTS = '/v2/commentannotations/comments/get';
const ON = { ...PLACE, annotationId: 'a1' };
const ON_COMMENT = { ...ON, commentId: 7 };

let workspace: TestWorkspace;
const react = (data: object = {}) =>
  workspace.must(ADD_REACTION, { ...ON_COMMENT, reactionId: '👍', from: bob, ...data });
const countRows = async () => {
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('reactions')
    .select('userId')
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  return rows.length;
};

beforeEach(async () => {
  workspace = await newWorkspace();
  await addNotes(workspace, [note('a1', { commentData: [{ commentId: 7, commentText: 'x', from: ann }] })]);
});

test('reactions are in the records of annotations and comments, by kind, with the users', async () => {
  const before = await recordOfNote(workspace, 'a1');
  expect(before).not.toHaveProperty('reactions');
  expect(before.comments[0]).not.toHaveProperty('reactions');
  expect(await react()).toEqual({ reactionId: '👍', added: true, count: 1 });
  expect(await react({ from: ann })).toEqual({ reactionId: '👍', added: true, count: 2 });
  await react({ reactionId: 'agree', from: undefined, userId: 'carol' });
  await react({ commentId: undefined, reactionId: '🎉' });
  await workspace.must('/v2/users/add', {
    organizationId: PLACE.organizationId,
    users: [{ userId: 'bob', name: 'Robert', email: 'bob@acme.com' }],
  });
  const record = await recordOfNote(workspace, 'a1');
  const robert = { ...bob, name: 'Robert' };
  expect(record.reactions).toEqual([{ reactionId: '🎉', count: 1, users: [robert] }]);
  const ofComment = [
    { reactionId: '👍', count: 2, users: [robert, ann] },
    { reactionId: 'agree', count: 1, users: [{ userId: 'carol' }] },
  ];
  expect(record.comments[0].reactions).toEqual(ofComment);
  expect((await workspace.must(COMMENTS, ON))[0].reactions).toEqual(ofComment);
  expect(record.lastUpdated).toBe(before.lastUpdated);
});

test('a reaction is there once, and removing it twice changes nothing', async () => {
  await react();
  expect(await react()).toEqual({ reactionId: '👍', added: false, count: 1 });
  const remove = () => workspace.must(REMOVE, { ...ON_COMMENT, reactionId: '👍', from: bob });
  expect(await remove()).toEqual({ reactionId: '👍', removed: true, count: 0 });
  expect(await remove()).toEqual({ reactionId: '👍', removed: false, count: 0 });
  const added = await eventPayloads(workspace, 'comment.reaction_add');
  expect(added).toHaveLength(1);
  expect(added[0]).toMatchObject({
    ...ON,
    actionUser: bob,
    targetComment: { commentId: 7 },
    reaction: { reactionId: '👍', commentId: 7, from: bob },
    loud: false,
  });
  expect(await eventPayloads(workspace, 'comment.reaction_delete')).toMatchObject([
    { reaction: { reactionId: '👍', commentId: 7 } },
  ]);
});

test('reactions are listed, newest first, in pages, by comment and by kind', async () => {
  for (const reactionId of ['a', 'b', 'c']) await react({ reactionId });
  await react({ commentId: undefined, reactionId: 'a' });
  const page = async (data: object) => (await workspace.post(LIST, { ...ON, ...data })).body.result;
  const first = await page({ pageSize: 3 });
  const second = await page({ pageSize: 3, pageToken: first.nextPageToken });
  const all = [...first.data, ...second.data];
  expect(all).toHaveLength(4);
  expect(all.map(({ createdAt }: { createdAt: number }) => -createdAt)).toEqual(
    all.map(({ createdAt }: { createdAt: number }) => -createdAt).toSorted((a, b) => a - b),
  );
  expect((await page({ commentId: 7, reactionId: 'a' })).data).toEqual([
    { reactionId: 'a', commentId: 7, from: bob, createdAt: expect.any(Number) },
  ]);
  expect(second).not.toHaveProperty('nextPageToken');
});

test('users react as themselves, viewers see it, and hidden annotations cannot be found', async () => {
  const resources = (accessRole: string) => [
    { type: 'document', id: PLACE.documentId, organizationId: PLACE.organizationId, accessRole },
  ];
  const editor = await newUserToken(workspace, { userId: 'eve', resources: resources('editor') });
  const viewer = await newUserToken(workspace, { userId: 'vic', resources: resources('viewer') });
  const data = { ...ON_COMMENT, reactionId: '👍' };
  expect((await editor.post(ADD_REACTION, data)).body.result.data).toMatchObject({ added: true });
  for (const named of [{ from: bob }, { userId: 'bob' }]) {
    expect((await editor.post(ADD_REACTION, { ...data, ...named })).status).toBe(403);
    expect((await editor.post(REMOVE, { ...data, ...named })).status).toBe(403);
  }
  const seen = (await viewer.post(LIST, ON)).body.result.data;
  expect(seen).toMatchObject([{ from: { userId: 'eve', name: 'Ada' } }]);
  const isOwn = async (user: typeof editor) =>
    (await user.post(GET, PLACE)).body.result.data[0].comments[0].reactions[0].isOwn;
  expect([await isOwn(editor), await isOwn(viewer)]).toEqual([true, false]);
  await addNotes(workspace, [note('hidden', { visibility: { type: 'restricted', userIds: ['ann'] } })]);
  const hidden = { ...PLACE, annotationId: 'hidden' };
  for (const path of [ADD_REACTION, LIST, REMOVE]) {
    const { body } = await editor.post(path, { ...hidden, ...(path !== LIST && { reactionId: 'x' }) });
    expect(body.error.status).toBe('NOT_FOUND');
  }
  expect(await countRows()).toBe(1);
});

test('a reaction has a name and a user, and is on a comment that is there', async () => {
  for (const [data, status] of [
    [{ reactionId: 'a\nb' }, 'INVALID_ARGUMENT'],
    [{ from: undefined }, 'INVALID_ARGUMENT'],
    [{ commentId: 8 }, 'NOT_FOUND'],
    [{ annotationId: 'none' }, 'NOT_FOUND'],
    [{ documentId: 'none' }, 'NOT_FOUND'],
  ] as const) {
    const sent = { ...ON_COMMENT, reactionId: '👍', from: bob, ...data };
    expect([data, (await workspace.post(ADD_REACTION, sent)).body.error.status]).toEqual([data, status]);
  }
  expect(await countRows()).toBe(0);
});

test('kinds of reactions, and those of a user, are limited', async () => {
  for (let at = 0; at < MAX_OF_USER; at++) await react({ reactionId: `own-${at}` });
  const refused = async (data: object) =>
    (await workspace.post(ADD_REACTION, { ...ON_COMMENT, reactionId: 'more', ...data })).body.error?.status;
  expect(await refused({ from: bob })).toBe('FAILED_PRECONDITION');
  for (let at = MAX_OF_USER; at < MAX_KINDS; at++)
    await react({ reactionId: `kind-${at}`, from: { userId: `user-${at}` } });
  expect(await refused({ from: ann })).toBe('FAILED_PRECONDITION');
  expect(await refused({ from: ann, reactionId: 'own-0' })).toBeUndefined();
});

test('reactions go with their comment, annotation and document', async () => {
  await react();
  await react({ commentId: undefined });
  await workspace.must('/v2/commentannotations/comments/delete', { ...ON, commentIds: [7] });
  expect(await countRows()).toBe(1);
  await workspace.must('/v2/commentannotations/delete', { ...PLACE, annotationIds: ['a1'] });
  expect(await countRows()).toBe(0);
});

test("a user's reactions are exported, and erased with the user", async () => {
  await react();
  await react({ from: ann });
  const data = await workspace.must('/v2/users/data/get', {
    organizationId: PLACE.organizationId,
    userId: 'bob',
  });
  expect(data.reactions).toMatchObject([
    { reactionId: '👍', commentId: 7, annotationId: 'a1', from: bob, metadata: PLACE },
  ]);
  const { jobId } = (await workspace.post('/v2/users/data/delete', { userIds: ['bob'] })).body.data;
  const { deps } = await testApp();
  const { apiKeyId, workspaceId } = workspace;
  const { signal } = new AbortController();
  await runDeletion(deps.db, deps.jobs, { apiKeyId, workspaceId, jobId }, signal);
  expect(await countRows()).toBe(1);
  expect((await recordOfNote(workspace, 'a1')).comments[0].reactions).toMatchObject([{ count: 1 }]);
});

test('reactions are logged as activities once the trigger is on', async () => {
  await workspace.must('/v2/workspace/activityconfig/update', {
    activityServiceConfig: { isEnabled: true, triggers: { reaction: { 'comment.reaction_add': true } } },
  });
  const resources = [{ type: 'document', id: PLACE.documentId, organizationId: PLACE.organizationId }];
  const user = await newUserToken(workspace, { userId: 'eve', resources });
  await user.post(ADD_REACTION, { ...ON_COMMENT, reactionId: '👍' });
  const { deps } = await testApp();
  while ((await relayBatch(deps.db, [logComments])) > 0);
  const logged = await workspace.must('/v2/activities/get', { organizationId: PLACE.organizationId });
  expect(logged).toMatchObject([
    {
      featureType: 'reaction',
      actionType: 'comment.reaction_add',
      actionUser: { userId: 'eve' },
      targetEntityId: 'a1',
      targetSubEntityId: '7',
      entityData: { reactionId: '👍' },
    },
  ]);
});
