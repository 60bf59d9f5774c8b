import { expect, test } from 'vitest';
import {
  ADD,
  addNotes,
  ann,
  annotationEventNames,
  bob,
  DELETE,
  GET,
  note,
  PLACE,
  recordOfNote,
} from '../../../test/documents/annotations.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { md5 } from '../../lib/ids.ts';

test('an annotation is added with its comments, and both are returned completely', async () => {
  const workspace = await newWorkspace();
  const status = {
    id: 'LATER',
    name: 'Later',
    type: 'ongoing',
    color: '#111',
    lightColor: '#eee',
    svg: '<svg></svg>',
  };
  const { status: code, body } = await workspace.post(ADD, {
    ...PLACE,
    createDocument: true,
    commentAnnotations: [
      {
        annotationId: 'a1',
        location: { id: 'prices', locationName: 'Prices' },
        targetElement: { elementId: 'p3', targetText: 'per month', occurrence: 2, selectAllContent: false },
        status,
        assignedTo: bob,
        priority: { id: 'P0', name: 'Now', color: '#f00' },
        context: { access: { deal: ['d1', 'd2'], floor: 3 }, of: 'ours' },
        pageInfo: { url: 'https://acme.com/', title: 'Acme' },
        positionX: 1.5,
        positionY: null,
        createdAt: 5_000,
        lastUpdated: 9_000,
        colour: 'red',
        commentData: [
          {
            commentText: 'Hello {{bob}}',
            from: ann,
            taggedUserContacts: [{ userId: 'bob', contact: bob }],
          },
          { commentId: 42, commentText: 'Yes?', from: bob },
        ],
      },
    ],
  });
  expect(code).toBe(200);
  expect(body.result.data).toEqual({
    a1: {
      success: true,
      annotationId: 'a1',
      commentIds: [expect.any(Number), 42],
      message: 'Added Successfully',
    },
  });
  expect(await recordOfNote(workspace, 'a1')).toMatchObject({
    annotationId: 'a1',
    annotationNumber: 1,
    annotationIndex: 1,
    type: 'comment',
    commentType: 'manual',
    sourceType: 'rest-api',
    from: ann,
    status,
    assignedTo: bob,
    priority: { id: 'P0', name: 'Now', color: '#f00' },
    location: { id: 'prices', locationName: 'Prices' },
    locationId: expect.any(Number),
    targetElement: { elementId: 'p3', targetText: 'per month', occurrence: 2, selectAllContent: false },
    context: {
      access: { deal: ['d1', 'd2'], floor: 3 },
      of: 'ours',
      accessFields: ['deal:d1', 'deal:d2', 'floor:3'],
    },
    visibilityConfig: { type: 'public' },
    involvedUserIds: ['ann', 'bob'],
    mentionedUserIds: ['bob'],
    subscribedUsers: {
      [md5('ann')]: { user: ann, type: 'auto' },
      [md5('bob')]: { user: bob, type: 'auto' },
    },
    metadata: { apiKey: workspace.apiKeyId, ...PLACE },
    pageInfo: { url: 'https://acme.com/', title: 'Acme' },
    positionX: 1.5,
    positionY: null,
    colour: 'red',
    createdAt: 5_000,
    lastUpdated: 9_000,
    comments: [
      { commentText: 'Hello {{bob}}', from: ann, to: [bob] },
      { commentId: 42, commentText: 'Yes?', from: bob },
    ],
  });
});

test('omitted fields of an annotation get their defaults', async () => {
  const workspace = await newWorkspace();
  const [id] = Object.keys(await addNotes(workspace, [note()]));
  expect(id).toMatch(/^ann_/);
  const record = await recordOfNote(workspace, id!);
  expect(record.status).toEqual({
    id: 'OPEN',
    name: 'Open',
    type: 'default',
    color: '#625DF5',
    lightColor: '#E7E8FA',
  });
  expect(record).not.toHaveProperty('isUnread');
  expect(record).not.toHaveProperty('locationId');
});

test('server-managed fields of a caller are ignored', async () => {
  const workspace = await newWorkspace();
  await addNotes(workspace, [
    note('a1', {
      annotationNumber: 99,
      annotationIndex: 99,
      sourceType: 'agent',
      agent: { agentId: 'spell-check' },
      from: bob,
      comments: [{ commentId: 1 }],
      involvedUserIds: ['eve'],
      subscribedUsers: 'none',
      locationId: 5,
      resolvedByUserId: 'eve',
      metadata: { apiKey: 'another', documentId: 'another', mine: 1 },
      type: 'suggestion',
      suggestion: { status: 'accepted', newValue: 'x' },
    }),
  ]);
  const record = await recordOfNote(workspace, 'a1');
  expect(record).toMatchObject({
    annotationNumber: 1,
    annotationIndex: 1,
    sourceType: 'rest-api',
    from: ann,
    involvedUserIds: ['ann'],
    visibilityConfig: { type: 'public' },
    metadata: { apiKey: workspace.apiKeyId, documentId: 'home', mine: 1 },
    suggestion: { status: 'pending', newValue: 'x' },
    comments: [{ commentText: 'Shorter, please.' }],
  });
  expect(record).not.toHaveProperty('agent');
  expect(record).not.toHaveProperty('resolvedByUserId');
  expect(record).not.toHaveProperty('locationId');
});

test('visibility is accepted under its name in records, so that a returned record keeps its visibility', async () => {
  const workspace = await newWorkspace();
  const restricted = { type: 'restricted', userIds: ['bob'] };
  await addNotes(workspace, [note('a1', { visibility: restricted })]);
  const { visibilityConfig } = await recordOfNote(workspace, 'a1');
  expect(visibilityConfig).toEqual(restricted);
  await addNotes(workspace, [
    note('a2', { visibilityConfig }),
    note('a3', { visibilityConfig, visibility: restricted }),
  ]);
  for (const id of ['a2', 'a3']) {
    const record = await recordOfNote(workspace, id);
    expect(record.visibilityConfig).toEqual(restricted);
    expect(record).not.toHaveProperty('visibility');
  }
  const eve = await newUserToken(workspace, {
    userId: 'eve',
    resources: [{ type: 'organization', id: 'acme' }],
  });
  expect((await eve.post(GET, PLACE)).body.result.data).toEqual([]);
});

test('both names of the visibility must say the same', async () => {
  const workspace = await newWorkspace();
  const more = { visibility: { type: 'restricted', userIds: ['bob'] }, visibilityConfig: { type: 'public' } };
  const sent = { ...PLACE, createDocument: true, commentAnnotations: [note('a1', more)] };
  const { body } = await workspace.post(ADD, sent);
  expect(body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message: expect.stringContaining(
      'visibility and visibilityConfig must say the same where both are sent.',
    ),
  });
});

test('a thousand annotations of one call are numbered in order, and numbers are never reused', async () => {
  const workspace = await newWorkspace();
  const thousand = Array.from({ length: 1_000 }, (_, index) => note(`n${999 - index}`));
  const items = await addNotes(workspace, thousand);
  expect(Object.values(items).every((item) => (item as { success: boolean }).success)).toBe(true);
  expect((await recordOfNote(workspace, 'n999')).annotationNumber).toBe(1);
  expect((await recordOfNote(workspace, 'n0')).annotationNumber).toBe(1_000);
  await workspace.must('/v2/commentannotations/delete', { ...PLACE, annotationIds: ['n0'] });
  await addNotes(workspace, [note('later')]);
  expect((await recordOfNote(workspace, 'later')).annotationNumber).toBe(1_001);
});

test('concurrent additions give every annotation its own number', async () => {
  const workspace = await newWorkspace();
  await addNotes(workspace, [note()]);
  await Promise.all(Array.from({ length: 8 }, () => addNotes(workspace, [note(), note(), note()])));
  const rows: { annotationNumber: number }[] = await workspace.must(GET, PLACE);
  expect(rows.map((row) => row.annotationNumber).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 25 }, (_, index) => index + 1),
  );
});

test('an id already in use fails on its own, uses no number and changes nothing', async () => {
  const workspace = await newWorkspace();
  await addNotes(workspace, [note('a1')]);
  const items = await addNotes(workspace, [note('a1', { priority: { id: 'P1', name: 'P1' } }), note('a2')]);
  expect(items.a1).toEqual({
    success: false,
    annotationId: 'a1',
    message: 'Annotation already exists',
    code: 'already-exists',
  });
  expect(items.a2.success).toBe(true);
  expect(await recordOfNote(workspace, 'a1')).not.toHaveProperty('priority');
  expect((await recordOfNote(workspace, 'a2')).annotationNumber).toBe(2);
  expect(await annotationEventNames(workspace)).toHaveLength(2);
  await addNotes(workspace, [note('a1')], { ...PLACE, documentId: 'other' });
  expect((await recordOfNote(workspace, 'a1', { ...PLACE, documentId: 'other' })).annotationNumber).toBe(1);
});

test('a new id in concurrent calls is added once', async () => {
  const workspace = await newWorkspace();
  await addNotes(workspace, [note()]);
  const answers = await Promise.all(Array.from({ length: 6 }, () => addNotes(workspace, [note('same')])));
  expect(answers.filter((items) => items.same.success)).toHaveLength(1);
  const row = await recordOfNote(workspace, 'same');
  expect(row.comments).toHaveLength(1);
});

test('of an id that is sent twice, the later annotation is added', async () => {
  const workspace = await newWorkspace();
  const items = await addNotes(workspace, [
    note('a1', { commentData: [{ commentText: 'one', from: ann }] }),
    note('a1', { commentData: [{ commentText: 'two', from: bob }] }),
  ]);
  expect(Object.keys(items)).toEqual(['a1']);
  expect(await recordOfNote(workspace, 'a1')).toMatchObject({
    annotationNumber: 1,
    from: bob,
    comments: [{ commentText: 'two' }],
  });
});

test('documents and organizations are created only on request', async () => {
  const workspace = await newWorkspace();
  const missing = await workspace.post(ADD, { ...PLACE, commentAnnotations: [note('a1')] });
  expect(missing.body.error).toEqual({ status: 'NOT_FOUND', message: 'Document does not exist' });
  const homeless = await workspace.post(ADD, {
    ...PLACE,
    createDocument: true,
    createOrganization: false,
    commentAnnotations: [note('a1')],
  });
  expect(homeless.body.error).toEqual({ status: 'NOT_FOUND', message: 'Organization does not exist' });
  expect(await workspace.must('/v2/organizations/get')).toEqual([]);
  await addNotes(workspace, [note('a1')]);
  expect((await recordOfNote(workspace, 'a1')).annotationId).toBe('a1');
});

test('ids that are named like object methods are ordinary ids', async () => {
  const workspace = await newWorkspace();
  const ids = ['toString', 'hasOwnProperty', ' x ', 'é/😀', '0', 'NULL', '{a,"b\\c}', "it's", '%_'];
  const items = await addNotes(
    workspace,
    ids.map((id) => note(id)),
  );
  expect(Object.keys(items).sort()).toEqual([...ids].sort());
  const rows = await workspace.must(GET, { ...PLACE, annotationIds: ids });
  expect(rows.map((row: { annotationId: string }) => row.annotationId)).toEqual(ids);
  const again = await addNotes(
    workspace,
    ids.map((id) => note(id)),
  );
  expect(Object.values(again).map((item) => (item as { message: string }).message)).toEqual(
    ids.map(() => 'Annotation already exists'),
  );
  const gone = await workspace.must(DELETE, { ...PLACE, annotationIds: ids });
  expect(Object.keys(gone).sort()).toEqual([...ids].sort());
  expect(await workspace.must(GET, PLACE)).toEqual([]);
});

test('an annotation is seen by its authors, and lastUpdated is never before createdAt', async () => {
  const workspace = await newWorkspace();
  await addNotes(workspace, [note('a1', { createdAt: 5_000, lastUpdated: 1_000 })]);
  expect(await recordOfNote(workspace, 'a1')).toMatchObject({ createdAt: 5_000, lastUpdated: 5_000 });
  const { deps } = await testApp();
  const views = await deps.db
    .selectFrom('annotationViews')
    .select('userId')
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  expect(views).toEqual([{ userId: 'ann' }]);
});

test('concurrent additions of one key have their own results, whatever those beside them get', async () => {
  const workspace = await newWorkspace();
  await addNotes(workspace, [note('a1')]);
  const add = (documentId: string, annotationId: string) =>
    workspace.post('/v2/commentannotations/add', {
      ...PLACE,
      documentId,
      commentAnnotations: [note(annotationId)],
    });
  const replies = await Promise.all([
    add(PLACE.documentId, 'a2'),
    add(PLACE.documentId, 'a1'),
    add('none', 'a3'),
    add(PLACE.documentId, 'a3'),
    add(PLACE.documentId, 'a4'),
    add(PLACE.documentId, 'a4'),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 404, 200, 200, 200]);
  const added = replies
    .flatMap(({ body }) => Object.values(body.result?.data ?? {}) as { success: boolean }[])
    .map(({ success }) => success);
  expect(added.slice(0, 3)).toEqual([true, false, true]);
  expect(added.slice(3).sort()).toEqual([false, true]);
  const rows = await workspace.must(GET, PLACE);
  const numbers = rows.map((row: { annotationNumber: number }) => row.annotationNumber);
  expect(numbers.toSorted((a: number, b: number) => a - b)).toEqual([1, 2, 3, 4]);
});
