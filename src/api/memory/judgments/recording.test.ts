import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { runDeletion } from '../../../store/privacy/data-deletions.ts';

const place = { organizationId: 'acme', documentId: 'home' };
const ana = { userId: 'ana', name: 'Ana', email: 'ana@example.com' };
const bo = { userId: 'bo', name: 'Bo' };
const NOTES = '/v2/commentannotations';

async function setUp(): Promise<TestWorkspace> {
  const w = await newWorkspace();
  await w.must('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] });
  await w.must('/v2/organizations/documents/add', { organizationId: 'acme', documents: [place] });
  return w;
}

/** Each judgment as `decision by: reasoning / content`, oldest first. */
async function judgmentsOf(w: TestWorkspace): Promise<string[]> {
  const { body } = await w.post('/v2/memory/judgments/query', { limit: 100 });
  return body.result.results
    .map((one: { decision: string; actionUser: { userId: string }; reasoning: string; content: string }) =>
      `${one.decision} by ${one.actionUser.userId}: ${one.reasoning} / ${one.content}`.replaceAll(
        '\n',
        ' | ',
      ),
    )
    .reverse();
}

const finding = {
  agentSource: 'external',
  agentName: 'Checker',
  agentId: 'checker',
  url: 'https://example.com/a',
  reason: {
    title: 'Too long',
    description: 'It has 90 letters.',
    severity: 'low',
    issueType: 'headline',
    confidence: 80,
  },
};

test('a thread produces judgments from its first comment, replies and status', async () => {
  const w = await setUp();
  const pageInfo = { url: 'https://example.com/' };
  await w.must(`${NOTES}/add`, {
    ...place,
    commentAnnotations: [
      {
        annotationId: 'a',
        pageInfo,
        targetElement: { targetText: 'A very long headline' },
        commentData: [
          { commentId: 1, commentText: 'Too long.', from: ana, createdAt: 1 },
          { commentId: 2, commentHtml: '<p>Not an <b>issue</b>.</p>', from: bo, createdAt: 2 },
        ],
      },
    ],
  });
  const add = (...commentData: object[]) =>
    w.must(`${NOTES}/comments/add`, { ...place, annotationId: 'a', commentData });
  await add({ commentText: 'Good catch!', from: bo, createdAt: 3 });
  await add(
    { commentId: 4, commentText: 'Hm.', from: ana, createdAt: 4 },
    {
      commentId: 5,
      commentText: 'False positive.',
      from: { userId: 'checker' },
      agent: finding,
      createdAt: 5,
    },
  );
  const headline = 'A very long headline | https://example.com/';
  const expected = [
    `comment by ana: Too long. / ${headline}`,
    `disagree by bo: Not an issue . / Too long. | ${headline}`,
    `agree by bo: Good catch! / Too long. | ${headline}`,
    `comment by ana: Hm. / Too long. | ${headline}`,
    `comment by checker: False positive. / Too long. | ${headline}`,
  ];
  expect(await judgmentsOf(w)).toEqual(expected);
  const { body } = await w.post('/v2/memory/judgments/query', { judgeType: 'agent' });
  expect(body.result.results).toMatchObject([
    {
      contentType: 'headline',
      confidence: 0.8,
      agent: { agentId: 'checker', url: finding.url },
      origin: 'finding',
    },
  ]);
  const set = (status: object, by?: string) =>
    w.must(`${NOTES}/update`, {
      ...place,
      annotationIds: ['a'],
      updatedData: { status, ...(by && { statusUpdatedByUserId: by }) },
    });
  await set({ id: 'IN_PROGRESS' }, 'bo');
  await set({ id: 'APPROVED', name: 'Approved', type: 'terminal' }, 'bo');
  await set({ id: 'RESOLVED' }, 'bo');
  await set({ id: 'REJECTED', name: 'Rejected', type: 'terminal' });
  expect((await judgmentsOf(w)).slice(5)).toEqual([
    `in_progress by bo: Good catch! / Too long. | ${headline}`,
    `resolve by bo: Good catch! / Too long. | ${headline}`,
    `reject by system: Set the status to Rejected: Too long. / Too long. | ${headline}`,
  ]);
});

test('a changed comment changes its judgment, and a deleted one is removed from all judgments', async () => {
  const w = await setUp();
  const commentData = [
    { commentId: 1, commentText: 'Secret beginning.', from: ana, createdAt: 1 },
    { commentId: 2, commentText: 'Secret reply.', from: bo, createdAt: 2 },
    { commentId: 3, commentText: 'Third.', from: ana, createdAt: 3 },
  ];
  await w.must(`${NOTES}/add`, { ...place, commentAnnotations: [{ annotationId: 'a', commentData }] });
  await w.must(`${NOTES}/update`, {
    ...place,
    annotationIds: ['a'],
    updatedData: { status: { id: 'RESOLVED' }, resolvedByUserId: 'bo' },
  });
  expect((await judgmentsOf(w)).at(-1)).toBe('resolve by bo: Secret reply. / Secret beginning.');
  const comments = { ...place, annotationId: 'a' };
  await w.must(`${NOTES}/comments/update`, {
    ...comments,
    commentIds: [2],
    updatedData: { commentText: 'Another reply.', from: bo },
  });
  expect((await judgmentsOf(w)).at(-1)).toBe('resolve by bo: Another reply. / Secret beginning.');
  await w.must(`${NOTES}/comments/delete`, { ...comments, commentIds: [1, 2] });
  expect(await judgmentsOf(w)).toEqual([
    'comment by ana: Third. / null',
    'resolve by bo: Set the status to Resolved: Third. / Third.',
  ]);
  await w.must(`${NOTES}/delete`, { ...place, annotationIds: ['a'] });
  expect(await judgmentsOf(w)).toEqual([]);
});

test('a decision about a suggestion of an agent survives the annotation, without texts of comments', async () => {
  const w = await setUp();
  const suggest = (annotationId: string) => ({
    annotationId,
    type: 'suggestion',
    suggestion: { summary: 'Shorten it.' },
    agent: finding,
    commentData: [{ commentText: 'Too long', from: { userId: 'checker' }, agent: finding, createdAt: 1 }],
  });
  await w.must(`${NOTES}/add`, { ...place, commentAnnotations: [suggest('a'), suggest('b')] });
  await w.must(`${NOTES}/comments/add`, {
    ...place,
    annotationId: 'a',
    commentData: [{ commentText: 'We like it long, says Jane.', from: ana, createdAt: 2 }],
  });
  const decide = (annotationId: string, suggestion: object) =>
    w.must(`${NOTES}/update`, { ...place, annotationIds: [annotationId], updatedData: { suggestion } });
  await decide('a', { summary: 'Shorten it.', status: 'rejected', resolvedBy: ana });
  await decide('b', {
    summary: 'Shorten it.',
    status: 'rejected',
    rejectReason: 'It is a quote.',
    resolvedBy: bo,
  });
  const content = 'Shorten it. | https://example.com/a';
  expect((await judgmentsOf(w)).slice(3).sort()).toEqual([
    `reject by ana: We like it long, says Jane. / Too long | ${content}`,
    `reject by bo: It is a quote. / Too long | ${content}`,
  ]);
  await w.must(`${NOTES}/delete`, { ...place, annotationIds: ['a', 'b'] });
  expect((await judgmentsOf(w)).sort()).toEqual([
    `reject by ana: Rejected the suggestion: Shorten it. / Too long | It has 90 letters. | ${content}`,
    `reject by bo: It is a quote. / Too long | It has 90 letters. | ${content}`,
  ]);
  await w.must('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['home'] });
  expect(await judgmentsOf(w)).toEqual([]);
});

test('an erased user is erased from judgments, too', async () => {
  const w = await setUp();
  const { deps } = await testApp();
  const commentData = [
    { commentId: 1, commentText: 'Words of Ana.', from: ana, createdAt: 1 },
    { commentId: 2, commentText: 'Words of Bo for {{ana}}.', from: bo, createdAt: 2 },
  ];
  await w.must(`${NOTES}/add`, { ...place, commentAnnotations: [{ annotationId: 'a', commentData }] });
  const judgment = { decision: 'approve', reasoning: 'As {{ana}} said.', createdAt: 3 };
  await w.must('/v2/memory/judgments/add', {
    judgments: [
      { ...judgment, actionUser: ana },
      { ...judgment, actionUser: bo },
      { ...judgment, organizationId: 'elsewhere', actionUser: ana },
    ],
  });
  const { jobId } = (await w.post('/v2/users/data/delete', { userIds: ['ana'] })).body.data;
  const ref = { apiKeyId: w.apiKeyId, workspaceId: w.workspaceId, jobId };
  await runDeletion(deps.db, deps.jobs, ref, new AbortController().signal);
  expect(await judgmentsOf(w)).toEqual([
    'comment by bo: Words of Bo for Deleted user. / null',
    'approve by bo: As Deleted user said. / null',
  ]);
  const { rows } = await sql`select 1 from judgments where api_key_id = ${w.apiKeyId}
    and concat(judgments) like '%ana%'`.execute(deps.db);
  expect(rows).toEqual([]);
});

test('earlier judgments can be backfilled, once', async () => {
  const w = await setUp();
  const { deps } = await testApp();
  const note = (annotationId: string) => ({
    annotationId,
    commentData: [
      { commentId: 1, commentText: `First of ${annotationId}.`, from: ana, createdAt: 1 },
      { commentId: 2, commentText: 'I agree.', from: bo, createdAt: 2 },
    ],
  });
  await w.must(`${NOTES}/add`, { ...place, commentAnnotations: ['a', 'b', 'c'].map(note) });
  await w.must(`${NOTES}/update`, {
    ...place,
    annotationIds: ['b'],
    updatedData: { status: { id: 'RESOLVED' }, resolvedByUserId: 'bo' },
  });
  const before = await judgmentsOf(w);
  await sql`delete from judgments where api_key_id = ${w.apiKeyId}`.execute(deps.db);
  const backfill = async (data: object) => (await w.post('/v2/memory/judgments/backfill', data)).body.result;
  const { nextPageToken: pageToken, ...first } = await backfill({ limit: 2 });
  expect(first).toEqual({ annotations: 2, added: 5 });
  expect(await backfill({ limit: 2, pageToken })).toEqual({ annotations: 1, added: 2 });
  expect((await judgmentsOf(w)).sort()).toEqual(before.sort());
  expect(await backfill({})).toEqual({ annotations: 3, added: 0 });
});
