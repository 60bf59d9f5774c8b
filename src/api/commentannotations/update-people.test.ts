import { expect, test } from 'vitest';
import {
  addNotes,
  ann,
  annotationEventNames,
  bob,
  COUNT,
  GET,
  note,
  PLACE,
  recordOfNote,
  UPDATE,
} from '../../../test/documents/annotations.ts';
import { newWorkspace, type TestWorkspace } from '../../../test/service/harness.ts';
import { md5 } from '../../lib/ids.ts';

const done = (id: string) => ({ success: true, id, message: 'Annotations updated successfully' });
const withNotes = async (...notes: object[]) => {
  const workspace = await newWorkspace();
  await addNotes(workspace, notes);
  return workspace;
};
const update = (workspace: TestWorkspace, data: object) => workspace.must(UPDATE, { ...PLACE, ...data });
const change = (workspace: TestWorkspace, updatedData: object) =>
  update(workspace, { annotationIds: ['a1'], updatedData });

test('a user is replaced by another in annotations and comments', async () => {
  const eve = { userId: 'eve', name: 'Eve' };
  const workspace = await withNotes(
    note('a1', { assignedTo: ann }),
    note('a2', {
      commentData: [
        { commentText: 'x', from: bob },
        { commentText: 'y', from: ann },
      ],
    }),
    note('a3', { commentData: [{ commentText: 'x', from: bob }] }),
  );
  expect(await update(workspace, { updateUsers: [{ oldUser: { userId: 'ann' }, newUser: eve }] })).toEqual({
    a1: done('a1'),
    a2: done('a2'),
  });
  expect(await recordOfNote(workspace, 'a1')).toMatchObject({
    from: eve,
    assignedTo: eve,
    involvedUserIds: ['eve'],
    subscribedUsers: { [md5('eve')]: { user: eve } },
    comments: [{ from: eve }],
  });
  expect((await recordOfNote(workspace, 'a2')).comments).toMatchObject([{ from: bob }, { from: eve }]);
  expect(await workspace.must(GET, { ...PLACE, userIds: ['ann'] })).toEqual([]);
  expect(await workspace.must(GET, { ...PLACE, userIds: ['eve'] })).toHaveLength(1);
});

test('a new author is involved and subscribed', async () => {
  const workspace = await withNotes(note('a1'));
  await change(workspace, { from: bob, assignedTo: { userId: 'eve' } });
  const record = await recordOfNote(workspace, 'a1');
  expect(record).toMatchObject({ from: bob, involvedUserIds: ['ann', 'bob', 'eve'] });
  expect(Object.keys(record.subscribedUsers).sort()).toEqual(['ann', 'bob', 'eve'].map(md5).sort());
});

test('a view is not a change, and an annotation is unread again after a change', async () => {
  const workspace = await withNotes(note('a1'), note('a2'));
  const before = await recordOfNote(workspace, 'a1');
  const unread = async (userId: string) =>
    (await workspace.must(COUNT, { organizationId: 'acme', documentIds: ['home'], userId })).home.unread;
  expect([await unread('ann'), await unread('bob')]).toEqual([0, 2]);
  expect(await change(workspace, { viewedByUserIds: ['bob', 'eve'] })).toEqual({ a1: done('a1') });
  expect([await unread('bob'), await unread('eve')]).toEqual([1, 1]);
  await change(workspace, { unviewedByUserIds: ['bob'] });
  expect(await unread('bob')).toBe(2);
  expect(await recordOfNote(workspace, 'a1')).toEqual(before);
  expect(await annotationEventNames(workspace)).toHaveLength(2);
  await change(workspace, { viewedByUserIds: ['bob'] });
  await change(workspace, { status: { id: 'RESOLVED' } });
  expect(await unread('bob')).toBe(2);
});

test('users in a record are shown with their current names', async () => {
  const workspace = await withNotes(note('a1', { assignedTo: bob }));
  const users = [
    { userId: 'ann', name: 'Ann Smith', email: 'smith@acme.com' },
    { userId: 'bob', name: 'Robert' },
  ];
  await workspace.must('/v2/users/add', { organizationId: 'acme', users });
  expect(await recordOfNote(workspace, 'a1')).toMatchObject({
    from: { userId: 'ann', name: 'Ann Smith', email: 'smith@acme.com' },
    assignedTo: { userId: 'bob', name: 'Robert', email: 'bob@acme.com' },
    subscribedUsers: { [md5('bob')]: { user: { name: 'Robert' } } },
    comments: [{ from: { name: 'Ann Smith' } }],
  });
});
