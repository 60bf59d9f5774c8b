import { expect, test } from 'vitest';
import {
  ADD,
  addNotes,
  ann,
  bob,
  GET,
  namesTold,
  note,
  PLACE,
  recordOfNote,
  told,
} from '../../../test/annotations.ts';
import { newWorkspace, testApp } from '../../../test/harness.ts';
import { md5 } from '../../lib/ids.ts';

test.each(['v1', 'v2'])(
  '%s adds an annotation with its comments, and both come back whole',
  async (version) => {
    const workspace = await newWorkspace();
    const status = {
      id: 'LATER',
      name: 'Later',
      type: 'ongoing',
      color: '#111',
      lightColor: '#eee',
      svg: '<svg/>',
    };
    const { status: code, body } = await workspace.post(`/${version}/commentannotations/add`, {
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
    expect(body.result).toEqual({
      status: 'success',
      message: 'Comment Annotation(s) added successfully.',
      data: {
        a1: {
          success: true,
          annotationId: 'a1',
          commentIds: [expect.any(Number), 42],
          message: 'Added Successfully',
        },
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
  },
);

test('what nobody says of an annotation is as lists expect it', async () => {
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

test('a caller cannot say what is the service’s to say', async () => {
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
      visibilityConfig: { type: 'restricted', userIds: ['eve'] },
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

test('a thousand annotations in one call are numbered in order, and numbers are never given twice', async () => {
  const workspace = await newWorkspace();
  const thousand = Array.from({ length: 1_000 }, (_, index) => note(`n${999 - index}`));
  const items = await addNotes(workspace, thousand);
  expect(Object.values(items).every((item) => (item as { success: boolean }).success)).toBe(true);
  expect((await recordOfNote(workspace, 'n999')).annotationNumber).toBe(1);
  expect((await recordOfNote(workspace, 'n0')).annotationNumber).toBe(1_000);
  await workspace.must('/v2/commentannotations/delete', { ...PLACE, annotationIds: ['n0'] });
  await addNotes(workspace, [note('later')]);
  expect((await recordOfNote(workspace, 'later')).annotationNumber).toBe(1_001);
  const { body } = await workspace.post(ADD, { ...PLACE, commentAnnotations: [...thousand, note('x')] });
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT' });
});

test('adding at once from many sides gives every annotation its own number', async () => {
  const workspace = await newWorkspace();
  await addNotes(workspace, [note()]);
  await Promise.all(Array.from({ length: 8 }, () => addNotes(workspace, [note(), note(), note()])));
  const rows: { annotationNumber: number }[] = await workspace.must(GET, PLACE);
  expect(rows.map((row) => row.annotationNumber).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 25 }, (_, index) => index + 1),
  );
});

test('an id that is taken fails alone, uses no number and changes nothing', async () => {
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
  expect(await namesTold(workspace)).toHaveLength(2);
  await addNotes(workspace, [note('a1')], { ...PLACE, documentId: 'other' });
  expect((await recordOfNote(workspace, 'a1', { ...PLACE, documentId: 'other' })).annotationNumber).toBe(1);
});

test('the same new id in many calls at once is added once', async () => {
  const workspace = await newWorkspace();
  await addNotes(workspace, [note()]);
  const answers = await Promise.all(Array.from({ length: 6 }, () => addNotes(workspace, [note('same')])));
  expect(answers.filter((items) => items.same.success)).toHaveLength(1);
  const row = await recordOfNote(workspace, 'same');
  expect(row.comments).toHaveLength(1);
});

test('of an id that is sent twice the later one counts', async () => {
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

test('documents and organizations are made where that is wanted, and only then', async () => {
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

test('what an agent kept here says is a record of that agent, under the finding’s id', async () => {
  const workspace = await newWorkspace();
  const reason = { title: 'Typo', description: 'teh', severity: 'low', findingId: 'f7', confidence: 80 };
  const agent = {
    agentSource: 'platform',
    agentId: 'spell-check',
    executionId: 'e1',
    url: 'https://acme.com/a#b',
    reason,
  };
  const items = await addNotes(workspace, [
    note('a1', { type: 'suggestion', commentData: [{ commentText: 'teh', agent }] }),
  ]);
  expect(items.a1).toMatchObject({ success: true, findingId: 'f7' });
  expect(await recordOfNote(workspace, 'a1')).toMatchObject({
    sourceType: 'agent',
    suggestion: { status: 'pending' },
    agent: {
      agentId: 'spell-check',
      agentType: 'built-in',
      agentSource: 'platform',
      executionId: 'e1',
      reason,
    },
    comments: [{ sourceType: 'agent', from: { userId: 'spell-check' } }],
  });
  for (const filter of [
    { agentId: 'spell-check' },
    { executionId: 'e1' },
    { agentType: 'built-in' },
    { agentSource: 'platform' },
    { agentSuggestions: true },
  ]) {
    expect(await workspace.must(GET, { ...PLACE, ...filter })).toHaveLength(1);
  }
  expect(await workspace.must(GET, { ...PLACE, agentComments: true })).toEqual([]);
});

test('an agent that is not kept here has to say its name, and one that should be has to be there', async () => {
  const workspace = await newWorkspace();
  const reason = { title: 'Typo', description: 'teh', severity: 'low' };
  const from = { userId: 'bot' };
  const added = (agent: object) =>
    workspace.post(ADD, {
      ...PLACE,
      createDocument: true,
      commentAnnotations: [note('a1', { commentData: [{ commentText: 'teh', from, agent }] })],
    });
  const unknown = await added({ agentSource: 'platform', agentId: 'nobody', reason });
  expect(unknown.body.error).toEqual({ status: 'NOT_FOUND', message: 'Agent not found: nobody' });
  expect((await added({ agentSource: 'external', reason })).body.error.message).toContain(
    'agentName is required',
  );
  expect((await added({ agentSource: 'external', agentName: 'Hawk', reason })).status).toBe(200);
  expect(await workspace.must(GET, { ...PLACE, agentSource: 'external' })).toMatchObject([
    { agent: { agentType: 'external', agentName: 'Hawk' } },
  ]);
});

test('of authors who may not write only their own annotations are refused, and the answer tells which', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home', accessType: 'restricted' }],
  });
  const by = (userId: string) => ({ commentData: [{ commentText: 'x', from: { userId } }] });
  for (const [userId, accessRole] of [
    ['ann', 'editor'],
    ['bob', 'viewer'],
  ]) {
    await workspace.must('/v2/users/add', { ...PLACE, users: [{ userId, accessRole }] });
  }
  const { status, body } = await workspace.post(ADD, {
    ...PLACE,
    verifyUserPermissions: true,
    commentAnnotations: [note('a1', by('ann')), note(undefined, by('bob')), note('a3', by('eve'))],
  });
  const refusal = {
    success: false,
    message: 'User does not have access to document',
    code: 'permission-denied',
  };
  expect(status).toBe(403);
  expect(body.error).toEqual({
    status: 'PERMISSION_DENIED',
    message: 'User does not have access to document',
    details: {
      a1: {
        success: true,
        annotationId: 'a1',
        commentIds: [expect.any(Number)],
        message: 'Added Successfully',
      },
      '__redpen_denied:1': refusal,
      a3: { ...refusal, annotationId: 'a3' },
    },
  });
  const rows: { annotationId: string }[] = await workspace.must(GET, PLACE);
  expect(rows.map((row) => row.annotationId)).toEqual(['a1']);
});

test('each annotation is told of with its record, and its further comments by themselves', async () => {
  const workspace = await newWorkspace();
  await addNotes(workspace, [
    note('a1', {
      visibility: { type: 'restricted', userIds: ['bob'] },
      commentData: [
        { commentText: 'one', from: ann, triggerNotification: true },
        { commentText: 'two', from: bob },
      ],
    }),
    note('a2'),
  ]);
  const [first, second] = await told(workspace, 'comment_annotation.add');
  expect(first).toMatchObject({
    ...PLACE,
    annotationId: 'a1',
    commentAnnotation: { annotationId: 'a1', annotationNumber: 1, from: ann },
    targetComment: { commentText: 'one', commentId: expect.any(Number) },
    actionUser: ann,
    visibility: { type: 'restricted', userIds: ['bob'] },
    loud: true,
  });
  expect(first.commentAnnotation).not.toHaveProperty('comments');
  expect(second).toMatchObject({ annotationId: 'a2', loud: false });
  expect(second).not.toHaveProperty('visibility');
  expect(await told(workspace, 'comment.add')).toMatchObject([
    { annotationId: 'a1', targetComment: { commentText: 'two' }, actionUser: bob, loud: false },
  ]);
});

test.each([
  [{ annotationId: 'a:b' }, 'commentAnnotations[0].annotationId must not contain a colon.'],
  [{ commentData: [] }, 'commentAnnotations[0].commentData must not be empty.'],
  [{ commentData: [{ commentText: 'x' }] }, 'commentAnnotations[0].commentData[0].from is required.'],
  [{ status: { id: 'MINE' } }, 'commentAnnotations[0].status.name is required.'],
  [
    { status: { id: 'MINE', name: 'Mine', type: 'odd' } },
    'status.type must be default, ongoing or terminal.',
  ],
  [{ visibility: { type: 'secret' } }, 'visibility.type must be public, organizationPrivate or restricted.'],
  [{ visibility: { type: 'restricted', userIds: [] } }, 'visibility.userIds must not be empty.'],
  [{ type: 'remark' }, 'type must be comment or suggestion.'],
  [{ location: { locationName: 'x' } }, 'location.id is required.'],
  [{ pageInfo: 5 }, 'pageInfo must be an object.'],
  [{ createdAt: -1 }, 'createdAt must be at least 0.'],
])('%j is refused', async (wrong, message) => {
  const workspace = await newWorkspace();
  const { body } = await workspace.post(ADD, {
    ...PLACE,
    createDocument: true,
    commentAnnotations: [note('a1', wrong)],
  });
  expect(body.error.status).toBe('INVALID_ARGUMENT');
  expect(body.error.message).toContain(message);
  expect(await workspace.must('/v2/organizations/get')).toEqual([]);
});

test('an annotation without an author is told of for each', async () => {
  const workspace = await newWorkspace();
  const anonymous = note(undefined, { commentData: [{ commentText: 'x' }] });
  const { body } = await workspace.post(ADD, {
    ...PLACE,
    createDocument: true,
    commentAnnotations: [anonymous, note(), anonymous],
  });
  expect(body.error.message.split('\n')).toEqual([
    'commentAnnotations[0].commentData[0].from is required.',
    'commentAnnotations[2].commentData[0].from is required.',
  ]);
});

test('ids like those of object properties are ids like any other', async () => {
  const workspace = await newWorkspace();
  const odd = ['toString', 'hasOwnProperty', ' x ', 'é/😀', '0'];
  const items = await addNotes(
    workspace,
    odd.map((id) => note(id)),
  );
  expect(Object.keys(items).sort()).toEqual([...odd].sort());
  const rows = await workspace.must(GET, { ...PLACE, annotationIds: odd });
  expect(rows.map((row: { annotationId: string }) => row.annotationId)).toEqual(odd);
});

test('two keys may use the same ids without meeting', async () => {
  const [mine, other] = [await newWorkspace(), await newWorkspace()];
  await addNotes(mine, [note('a1')]);
  await addNotes(other, [note('a1', { colour: 'blue' })]);
  expect(await recordOfNote(mine, 'a1')).not.toHaveProperty('colour');
  expect((await recordOfNote(other, 'a1')).annotationNumber).toBe(1);
});

test('an annotation is seen by its authors, and is never older than it was made', async () => {
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
