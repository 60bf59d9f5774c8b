import { expect, test } from 'vitest';
import {
  ADD,
  addNotes,
  ann,
  GET,
  note,
  PLACE,
  recordOfNote,
  UPDATE,
} from '../../../test/documents/annotations.ts';
import { newUserToken, type TestUser } from '../../../test/people/user-token.ts';
import { newWorkspace, type Reply } from '../../../test/service/harness.ts';

const idsIn = ({ body }: Reply): string[] =>
  body.result.data.map((row: { annotationId: string }) => row.annotationId).sort();
const memberOf = (id: string) => ({ type: 'organization', id, accessRole: 'editor' });
const update = (user: TestUser, annotationId: string, updatedData: object) =>
  user.post(UPDATE, { ...PLACE, annotationIds: [annotationId], updatedData });

test('an annotation for certain organizations is not visible to the organization of its document by default', async () => {
  const workspace = await newWorkspace();
  const closed = (more: object) => ({ visibility: { type: 'organizationPrivate', ...more } });
  await addNotes(workspace, [
    note('own', closed({})),
    note('one', closed({ organizationId: 'other' })),
    note('some', closed({ organizationIds: ['other'] })),
    note('both', closed({ organizationId: 'acme', organizationIds: ['other'] })),
    note('none', closed({ organizationIds: [] })),
  ]);
  const seenBy = async (organization: string) => {
    const user = await newUserToken(workspace, { userId: organization, resources: [memberOf(organization)] });
    return idsIn(await user.post(GET, PLACE));
  };
  expect(await seenBy('acme')).toEqual(['both', 'own']);
  expect(await seenBy('other')).toEqual(['both', 'one', 'some']);
});

test('after a user is replaced, their restricted annotations are visible only to the new user', async () => {
  const workspace = await newWorkspace();
  await addNotes(workspace, [note('a1', { visibility: { type: 'restricted', userIds: ['old', 'kim'] } })]);
  await workspace.must(UPDATE, {
    ...PLACE,
    updateUsers: [{ oldUser: { userId: 'old' }, newUser: { userId: 'new' } }],
  });
  const seenBy = async (userId: string) => {
    const user = await newUserToken(workspace, { userId });
    return idsIn(await user.post(GET, PLACE));
  };
  expect(await Promise.all(['old', 'new', 'kim'].map(seenBy))).toEqual([[], ['a1'], ['a1']]);
  const { visibilityConfig } = await recordOfNote(workspace, 'a1');
  expect(visibilityConfig.userIds).toEqual(['new', 'kim']);
});

test('server-managed fields of a caller are ignored, and the annotation stays valid', async () => {
  const workspace = await newWorkspace();
  const spoofed = { unsubscribedUsers: 'x', viewedByUserIds: ['z'], isDraft: 'x', hasDraftComments: 1 };
  await addNotes(workspace, [note('a1', spoofed)]);
  await workspace.must(UPDATE, { ...PLACE, annotationIds: ['a1'], updatedData: { ...spoofed, mine: 1 } });
  const commentData = [
    { commentText: 'x', from: ann },
    { commentText: 'y', from: ann },
  ];
  await workspace.must('/v2/commentannotations/comments/add', { ...PLACE, annotationId: 'a1', commentData });
  const record = await recordOfNote(workspace, 'a1');
  expect(record).toMatchObject({ isDraft: false, hasDraftComments: false, mine: 1 });
  expect(record).not.toHaveProperty('unsubscribedUsers');
  expect(record).not.toHaveProperty('viewedByUserIds');
});

test('a script URL is not accepted as the address of a page', async () => {
  const workspace = await newWorkspace();
  const pageInfo = { url: 'java\tscript:alert(1)', title: 'x' };
  const reply = await workspace.post(ADD, { ...PLACE, commentAnnotations: [note('a1', { pageInfo })] });
  expect(reply.body.error.message).toBe('commentAnnotations[0].pageInfo.url must not be a script.');
  await addNotes(workspace, [
    note('a1', { pageInfo: { url: '/prices?x=1', deviceInfo: {}, path: '/prices' } }),
  ]);
});

test('users decide about the suggestions of others unchanged, and only once', async () => {
  const workspace = await newWorkspace();
  const suggestion = { oldValue: { a: [1] }, newValue: 'good', summary: 'Better' };
  await addNotes(workspace, [note('s1', { type: 'suggestion', suggestion }), note('s2', { suggestion })]);
  const bob = await newUserToken(workspace, { userId: 'bob', name: 'Bob', email: 'bob@acme.com' });
  const author = await newUserToken(workspace, { ...ann });
  const changed = await update(bob, 's1', { suggestion: { status: 'accepted', newValue: 'evil' } });
  expect(changed.body.error.status).toBe('PERMISSION_DENIED');
  const before = Date.now();
  const decided = { ...suggestion, status: 'accepted', resolvedAt: 5, rejectReason: 'none' };
  expect((await update(bob, 's1', { suggestion: decided })).status).toBe(200);
  const record = await recordOfNote(workspace, 's1');
  expect(record.suggestion).toMatchObject({
    ...suggestion,
    status: 'accepted',
    resolvedBy: { userId: 'bob' },
  });
  expect(record.suggestion.resolvedAt).toBeGreaterThanOrEqual(before);

  await update(author, 's1', { suggestion: { status: 'accepted' } });
  expect((await recordOfNote(workspace, 's1')).suggestion).toEqual(record.suggestion);
  const late = await update(author, 's1', { suggestion: { newValue: 'evil' } });
  expect(late.body.result.data.s1).toMatchObject({
    success: false,
    message: 'Suggestion is already accepted.',
  });
  expect((await update(author, 's2', { suggestion: { newValue: 'best' } })).body.result.data.s2.success).toBe(
    true,
  );
  expect((await recordOfNote(workspace, 's2')).suggestion).toEqual({
    ...suggestion,
    newValue: 'best',
    status: 'pending',
  });
});
