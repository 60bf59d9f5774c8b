import { expect, test } from 'vitest';
import {
  ADD,
  addNotes,
  ann,
  bob,
  eventPayloads,
  GET,
  note,
  PLACE,
  recordOfNote,
} from '../../../test/documents/annotations.ts';
import { newWorkspace } from '../../../test/service/harness.ts';

test('a comment of a custom agent is stored as a finding with its id', async () => {
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

test('an external agent needs a name, and a platform agent must exist', async () => {
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

test('annotations of authors without write access are refused one by one, and listed in the answer', async () => {
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

test('each annotation raises an event with its record, and further comments raise their own', async () => {
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
  const [first, second] = await eventPayloads(workspace, 'comment_annotation.add');
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
  expect(await eventPayloads(workspace, 'comment.add')).toMatchObject([
    { annotationId: 'a1', targetComment: { commentText: 'two' }, actionUser: bob, loud: false },
  ]);
});

test('an annotation is refused without its author, or with an id, status or visibility that is not whole', async () => {
  const workspace = await newWorkspace();
  for (const [wrong, message] of [
    [{ annotationId: 'a:b' }, 'commentAnnotations[0].annotationId must not contain a colon.'],
    [{ commentData: [{ commentText: 'x' }] }, 'commentAnnotations[0].commentData[0].from is required.'],
    [{ status: { id: 'MINE' } }, 'commentAnnotations[0].status.name is required.'],
    [{ visibility: { type: 'restricted', userIds: [] } }, 'visibility.userIds must not be empty.'],
  ] as const) {
    const { body } = await workspace.post(ADD, {
      ...PLACE,
      createDocument: true,
      commentAnnotations: [note('a1', wrong)],
    });
    expect(body.error.status).toBe('INVALID_ARGUMENT');
    expect(body.error.message).toContain(message);
  }
  expect(await workspace.must('/v2/organizations/get')).toEqual([]);
});

test('every annotation without an author is reported', async () => {
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
