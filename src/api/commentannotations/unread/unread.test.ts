import { beforeAll, expect, test } from 'vitest';
import { addNotes, ann, bob, COUNT, note, PLACE, UPDATE } from '../../../../test/documents/annotations.ts';
import { addMember } from '../../../../test/people/members.ts';
import { newUserToken } from '../../../../test/people/user-token.ts';
import { newWorkspace, send, type TestWorkspace } from '../../../../test/service/harness.ts';

const UNREAD = '/v2/commentannotations/unread/get';
const CLEAR = '/v2/commentannotations/unread/clear';
const { organizationId } = PLACE;
const ABOUT = { organizationId, documentId: 'about' };

let workspace: TestWorkspace;
const unreadOf = (userId: string, more: object = {}) =>
  workspace.must(UNREAD, { organizationId, userId, ...more });

beforeAll(async () => {
  workspace = await newWorkspace();
  await addNotes(workspace, [
    note('a1', { lastUpdated: 2_000, createdAt: 1_000 }),
    note('a2', {
      commentData: [
        { commentText: 'One', from: bob },
        { commentText: 'Two', from: ann },
      ],
    }),
    note('hidden', { visibility: { type: 'restricted', userIds: ['ann'] } }),
  ]);
  await addNotes(workspace, [note('b1'), note('b2')], ABOUT);
  await addNotes(workspace, [note('c1')], { organizationId, documentId: 'closed' });
  await workspace.must('/v2/organizations/documents/access/update', {
    organizationId,
    documentIds: ['closed'],
    accessType: 'restricted',
  });
});

test('unread annotations and comments of others are counted, on documents that the user may open', async () => {
  const carol = await unreadOf('carol');
  expect(carol).toMatchObject({ annotations: 4, comments: 5 });
  expect(carol.documents).toEqual([
    { documentId: 'about', annotations: 2, comments: 2, lastUpdated: expect.any(Number) },
    { documentId: 'home', annotations: 2, comments: 3, lastUpdated: expect.any(Number) },
  ]);
  expect(await unreadOf('bob', { documentIds: ['home', 'none'] })).toMatchObject({
    annotations: 1,
    comments: 1,
    documents: [{ documentId: 'home' }],
  });
});

test('documents are paged, and the totals stay', async () => {
  const first = (await workspace.post(UNREAD, { organizationId, userId: 'carol', pageSize: 1 })).body.result;
  expect(first.data).toMatchObject({ annotations: 4, documents: [{ documentId: 'about' }] });
  const pageToken = first.nextPageToken;
  const second = (await workspace.post(UNREAD, { organizationId, userId: 'carol', pageSize: 1, pageToken }))
    .body.result;
  expect(second.data).toMatchObject({ annotations: 4, documents: [{ documentId: 'home' }] });
  expect(second).not.toHaveProperty('nextPageToken');
  const { status } = await workspace.post(UNREAD, { organizationId, userId: 'dora', pageSize: 1, pageToken });
  expect(status).toBe(400);
});

test('a document is marked as read in one request, and later changes are unread again', async () => {
  const clear = () => workspace.must(CLEAR, { ...PLACE, userId: 'dora' });
  expect(await clear()).toEqual({ marked: 2 });
  expect(await clear()).toEqual({ marked: 0 });
  expect(await unreadOf('dora', { documentIds: ['home'] })).toEqual({
    annotations: 0,
    comments: 0,
    documents: [],
  });
  const counted = await workspace.must(COUNT, { organizationId, documentIds: ['home'], userId: 'dora' });
  expect(counted.home).toEqual({ total: 2, unread: 0 });
  await workspace.must(UPDATE, {
    ...PLACE,
    annotationIds: ['a1'],
    updatedData: { priority: { id: 'P0', name: 'P0' }, unviewedByUserIds: ['dora'] },
  });
  expect(await unreadOf('dora', { documentIds: ['home'] })).toMatchObject({ annotations: 1 });
});

test('users count and clear for themselves alone, and viewers may', async () => {
  const resources = [{ type: 'document', id: 'home', organizationId, accessRole: 'viewer' }];
  const user = await newUserToken(workspace, { userId: 'eli', resources });
  const before = await user.post(UNREAD, { organizationId, documentIds: ['home'] });
  expect(before.body.result.data).toMatchObject({ annotations: 2 });
  expect((await user.post(CLEAR, PLACE)).body.result.data).toEqual({ marked: 2 });
  for (const path of [UNREAD, CLEAR]) {
    const { body } = await user.post(path, { ...PLACE, userId: 'ann' });
    expect(body.error).toMatchObject({
      status: 'PERMISSION_DENIED',
      message: 'A user can only act as themselves: userId names somebody else.',
    });
  }
  expect((await user.post(CLEAR, { organizationId, documentId: 'closed' })).status).toBe(403);
});

test('an API key names the user, and the document exists', async () => {
  const { body } = await workspace.post(UNREAD, { organizationId });
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', message: 'userId is required.' });
  const missing = await workspace.post(CLEAR, { organizationId, documentId: 'none', userId: 'ann' });
  expect(missing.body.error.status).toBe('NOT_FOUND');
});

test('a member who is a viewer clears their own marks alone, and no token that reads does', async () => {
  const { session } = await addMember(workspace, 'viewer');
  const { accountId } = session.data.account;
  const unread = async () =>
    (await session.post(UNREAD, { organizationId, documentIds: ['home'] })).body.result.data.annotations;
  expect(await unread()).toBe(2);
  const refused = await session.post(CLEAR, { ...PLACE, userId: 'ann' });
  expect(refused.body.error).toMatchObject({
    status: 'PERMISSION_DENIED',
    message: 'A viewer can only mark annotations as read for themselves: userId names another person.',
  });
  const { token } = (await session.post('/v2/tokens/create', { name: 'reads', scopes: ['read'] })).body.result
    .data;
  const byToken = await send(CLEAR, { data: PLACE }, { authorization: `Bearer ${token}` });
  expect([byToken.status, await unread()]).toEqual([403, 2]);
  expect((await session.post(CLEAR, PLACE)).body.result.data).toEqual({ marked: 2 });
  expect(await unread()).toBe(0);
  expect((await session.post(CLEAR, { ...PLACE, userId: accountId })).body.result.data).toEqual({
    marked: 0,
  });
  const { session: editor } = await addMember(workspace, 'editor');
  expect((await editor.post(CLEAR, { ...PLACE, userId: 'fay' })).body.result.data).toEqual({ marked: 2 });
});
