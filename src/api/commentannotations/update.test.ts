import { expect, test } from 'vitest';
import {
  addNotes,
  ann,
  annotationEventNames,
  bob,
  eventPayloads,
  GET,
  note,
  PLACE,
  recordOfNote,
  UPDATE,
} from '../../../test/documents/annotations.ts';
import { newWorkspace, type TestWorkspace } from '../../../test/service/harness.ts';
import { md5 } from '../../lib/ids.ts';

const done = (id: string) => ({ success: true, id, message: 'Annotations updated successfully' });
const missing = (id: string) => ({
  success: false,
  id,
  message: 'Annotation not found.',
  code: 'not-found',
});
const withNotes = async (...notes: object[]) => {
  const workspace = await newWorkspace();
  await addNotes(workspace, notes);
  return workspace;
};
const update = (workspace: TestWorkspace, data: object) => workspace.must(UPDATE, { ...PLACE, ...data });
const change = (workspace: TestWorkspace, updatedData: object) =>
  update(workspace, { annotationIds: ['a1'], updatedData });

test('the sent fields are changed, and the others kept', async () => {
  const workspace = await withNotes(
    note('a1', { priority: { id: 'P2', name: 'P2' }, location: { id: 'top' }, createdAt: 1_000 }),
  );
  expect(
    await workspace.must(UPDATE, {
      ...PLACE,
      annotationIds: ['a1', 'none'],
      updatedData: {
        assignedTo: bob,
        location: { id: 'prices' },
        targetElement: { targetText: 'per year' },
        context: { access: { deal: 'd1' } },
        colour: 'red',
      },
    }),
  ).toEqual({ a1: done('a1'), none: missing('none') });
  const record = await recordOfNote(workspace, 'a1');
  expect(record).toMatchObject({
    from: ann,
    assignedTo: bob,
    priority: { id: 'P2' },
    location: { id: 'prices' },
    targetElement: { targetText: 'per year' },
    context: { access: { deal: 'd1' }, accessFields: ['deal:d1'] },
    colour: 'red',
    involvedUserIds: ['ann', 'bob'],
    subscribedUsers: { [md5('bob')]: { user: bob, type: 'auto' } },
    createdAt: 1_000,
    comments: [{ commentText: 'Shorter, please.' }],
  });
  expect(record.lastUpdated).toBeGreaterThan(1_000);
  expect(await workspace.must(GET, { ...PLACE, locationIds: ['top'] })).toEqual([]);
  expect(await workspace.must(GET, { ...PLACE, locationIds: ['prices'] })).toHaveLength(1);
});

test('null removes fields', async () => {
  const workspace = await withNotes(
    note('a1', {
      assignedTo: bob,
      priority: { id: 'P2', name: 'P2' },
      location: { id: 'top' },
      context: { a: 1 },
    }),
  );
  await change(workspace, {
    assignedTo: null,
    priority: null,
    location: null,
    context: null,
    targetElement: null,
  });
  const record = await recordOfNote(workspace, 'a1');
  for (const field of ['assignedTo', 'priority', 'location', 'locationId', 'context', 'targetElement']) {
    expect(record).not.toHaveProperty(field);
  }
});

test('a terminal status keeps its resolver, and any other status removes it', async () => {
  const workspace = await withNotes(note('a1'));
  await workspace.must('/v2/users/add', { organizationId: 'acme', users: [bob] });
  await change(workspace, {
    status: { id: 'RESOLVED' },
    resolvedByUserId: 'bob',
    statusUpdatedByUserId: 'bob',
  });
  const resolved = { resolvedByUserId: 'bob', statusUpdatedByUserId: 'bob', resolvedByUser: bob };
  expect(await recordOfNote(workspace, 'a1')).toMatchObject({ ...resolved, status: { type: 'terminal' } });
  expect(await workspace.must(GET, { ...PLACE, resolvedBy: 'bob' })).toHaveLength(1);

  await change(workspace, { status: { id: 'DONE', name: 'Done', type: 'terminal' } });
  expect(await recordOfNote(workspace, 'a1')).toMatchObject({ ...resolved, status: { id: 'DONE' } });

  await change(workspace, { status: { id: 'IN_PROGRESS' }, resolvedByUserId: 'bob' });
  const reopened = await recordOfNote(workspace, 'a1');
  expect(reopened).toMatchObject({
    statusUpdatedByUserId: 'bob',
    status: { name: 'In Progress', type: 'ongoing' },
  });
  expect(reopened).not.toHaveProperty('resolvedByUserId');
  expect(reopened).not.toHaveProperty('resolvedByUser');
  expect(await workspace.must(GET, { ...PLACE, resolvedBy: 'bob' })).toEqual([]);
  expect(await workspace.must(GET, { ...PLACE, statusIds: ['IN_PROGRESS'] })).toHaveLength(1);

  await change(workspace, { statusUpdatedByUserId: null });
  expect(await recordOfNote(workspace, 'a1')).not.toHaveProperty('statusUpdatedByUserId');
});

test('a suggestion is replaced as a whole, and keeps its decision', async () => {
  const workspace = await withNotes(
    note('a1', { suggestion: { newValue: 'x', summary: 'because' } }),
    note('a2'),
  );
  await change(workspace, { suggestion: { newValue: 'y' } });
  expect((await recordOfNote(workspace, 'a1')).suggestion).toEqual({ newValue: 'y', status: 'pending' });
  await change(workspace, { suggestion: { status: 'accepted', resolvedBy: 'bob', resolvedAt: 7 } });
  const accepted = { status: 'accepted', resolvedBy: 'bob', resolvedAt: 7 };
  expect((await recordOfNote(workspace, 'a1')).suggestion).toEqual(accepted);
  for (const status of ['pending', 'rejected']) {
    expect(await change(workspace, { suggestion: { status }, priority: { id: 'P0', name: 'P0' } })).toEqual({
      a1: {
        success: false,
        id: 'a1',
        message: 'Suggestion is already accepted.',
        code: 'failed-precondition',
      },
    });
  }
  const record = await recordOfNote(workspace, 'a1');
  expect(record.suggestion).toEqual(accepted);
  expect(record).not.toHaveProperty('priority');
  await change(workspace, { suggestion: { newValue: 'z' } });
  expect((await recordOfNote(workspace, 'a1')).suggestion).toEqual({
    newValue: 'z',
    status: 'accepted',
    resolvedAt: 7,
  });
});

test('of two opposite concurrent decisions, one takes effect', async () => {
  const workspace = await withNotes(note('a1', { suggestion: {} }));
  const answers = await Promise.all(
    ['accepted', 'rejected', 'accepted', 'rejected'].map((status) =>
      change(workspace, { suggestion: { status } }),
    ),
  );
  const { status } = (await recordOfNote(workspace, 'a1')).suggestion;
  expect(answers.map(({ a1 }) => a1.success)).toEqual(
    ['accepted', 'rejected', 'accepted', 'rejected'].map((wanted) => wanted === status),
  );
  expect([
    ...(await eventPayloads(workspace, 'comment_annotation.suggestion_accept')),
    ...(await eventPayloads(workspace, 'comment_annotation.suggestion_reject')),
  ]).toHaveLength(1);
});

test('filters are combined, an empty filter changes nothing, and without filters the whole document is changed', async () => {
  const by = (user: object) => ({ commentData: [{ commentText: 'x', from: user }] });
  const workspace = await withNotes(
    note('a1', { ...by(ann), location: { id: 'top' } }),
    note('a2', { ...by(bob), location: { id: 'top' } }),
    note('a3', by(bob)),
  );
  await addNotes(workspace, [note('a1')], { ...PLACE, documentId: 'other' });
  const touched = async (selection: object) =>
    Object.keys(await update(workspace, { ...selection, updatedData: { mark: 1 } })).sort();
  expect(await touched({ userIds: ['bob'] })).toEqual(['a2', 'a3']);
  expect(await touched({ userIds: ['bob'], locationIds: ['top'] })).toEqual(['a2']);
  expect(await touched({ locationIds: [] })).toEqual([]);
  expect(await touched({ userIds: [] })).toEqual([]);
  expect(
    await update(workspace, { annotationIds: ['a1'], userIds: ['bob'], updatedData: { mark: 1 } }),
  ).toEqual({
    a1: missing('a1'),
  });
  expect(await touched({})).toEqual(['a1', 'a2', 'a3']);
  expect(await recordOfNote(workspace, 'a1', { ...PLACE, documentId: 'other' })).not.toHaveProperty('mark');
  expect(
    await update(workspace, { documentId: 'none', annotationIds: ['a1'], updatedData: { mark: 1 } }),
  ).toEqual({
    a1: missing('a1'),
  });
});

test('more annotations than one batch are all changed', async () => {
  const workspace = await withNotes(...Array.from({ length: 1_000 }, (_, index) => note(`n${index}`)));
  await addNotes(workspace, [note('last')]);
  const items = await update(workspace, { updatedData: { status: { id: 'RESOLVED' } } });
  expect(Object.keys(items)).toHaveLength(1_001);
  expect(await workspace.must(GET, { ...PLACE, statusIds: ['OPEN'] })).toEqual([]);
  expect(await eventPayloads(workspace, 'comment_annotation.status_change')).toHaveLength(1_001);
});

test('each kind of change has its event, and an unchanged value has none', async () => {
  const workspace = await withNotes(
    note('a1', { suggestion: {}, visibility: { type: 'restricted', userIds: ['bob'] } }),
  );
  await change(workspace, {
    status: { id: 'RESOLVED' },
    resolvedByUserId: 'bob',
    assignedTo: bob,
    priority: { id: 'P0', name: 'P0' },
    suggestion: { status: 'rejected' },
    targetElement: { targetText: 'x' },
  });
  expect((await annotationEventNames(workspace)).slice(1)).toEqual([
    'comment_annotation.assign',
    'comment_annotation.status_change',
    'comment_annotation.priority_change',
    'comment_annotation.suggestion_reject',
    'comment_annotation.update',
  ]);
  expect(await eventPayloads(workspace, 'comment_annotation.status_change')).toMatchObject([
    {
      ...PLACE,
      annotationId: 'a1',
      commentAnnotation: { status: { id: 'RESOLVED' }, resolvedByUserId: 'bob' },
      oldStatus: { id: 'OPEN' },
      newStatus: { id: 'RESOLVED' },
      actionUser: { userId: 'bob' },
      visibility: { type: 'restricted', userIds: ['bob'] },
      loud: false,
    },
  ]);
  expect(await eventPayloads(workspace, 'comment_annotation.priority_change')).toMatchObject([
    { newPriority: { id: 'P0' } },
  ]);
  await change(workspace, { status: { id: 'RESOLVED' } });
  expect(await eventPayloads(workspace, 'comment_annotation.status_change')).toHaveLength(1);
});

test('visibility can be changed under its name in records, and under both names if they agree', async () => {
  const restricted = { type: 'restricted', userIds: ['bob'] };
  const workspace = await withNotes(note('a1'));
  for (const sent of [
    { visibilityConfig: restricted },
    { visibility: restricted, visibilityConfig: restricted },
  ]) {
    await change(workspace, { visibility: { type: 'public' } });
    expect((await recordOfNote(workspace, 'a1')).visibilityConfig).toEqual({ type: 'public' });
    await change(workspace, sent);
    const record = await recordOfNote(workspace, 'a1');
    expect(record.visibilityConfig).toEqual(restricted);
    expect(record).not.toHaveProperty('visibility');
  }
  const { body } = await workspace.post(UPDATE, {
    ...PLACE,
    updatedData: { visibility: { type: 'public' }, visibilityConfig: restricted },
  });
  expect(body.error.message).toContain(
    'visibility and visibilityConfig must say the same where both are sent.',
  );
  expect((await recordOfNote(workspace, 'a1')).visibilityConfig).toEqual(restricted);
});

test('an update without a change, or with a status that is not whole, is refused', async () => {
  const workspace = await newWorkspace();
  for (const [data, message] of [
    [{}, 'At least one field of updatedData or one of updateUsers must be sent.'],
    [{ updatedData: {} }, 'At least one field of updatedData or one of updateUsers must be sent.'],
    [{ updatedData: { status: { id: 'MINE' } } }, 'updatedData.status.name is required.'],
    [{ updatedData: { visibility: { type: 'restricted' } } }, 'updatedData.visibility.userIds is required.'],
  ] as const) {
    const { body } = await workspace.post(UPDATE, { ...PLACE, ...data });
    expect(body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message),
    });
  }
});
