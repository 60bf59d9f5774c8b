import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newAnnotation } from '../../../test/documents/annotated-document.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { prepareComments } from '../../annotations/comment-draft.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import { commentInsertion } from './insert-comments.ts';

const ann = { userId: 'ann', name: 'Ann', email: 'ann@acme.com' };
const bob = { userId: 'bob', name: 'Bob', email: 'bob@acme.com' };

const statementOf = async (
  workspace: TestWorkspace,
  at: AnnotationRef,
  commentText: string,
  from: typeof ann = ann,
) => {
  const { deps } = await testApp();
  const draft = {
    commentText,
    from,
    type: 'text' as const,
    triggerNotification: false,
    triggerActivities: false,
  };
  const comments = prepareComments([draft], { now: Date.now(), byUser: false, path: [] });
  const { statement } = await commentInsertion(deps.db, workspace, at, comments, {
    byUser: false,
    attempt: 0,
  });
  return statement;
};

/** The rows that comments leave, without ids and times, in the order in which they were written. */
const written = async (workspace: TestWorkspace, annotationId: string) => {
  const { deps } = await testApp();
  const { rows } = await sql<{ row: unknown }>`
    select jsonb_build_array('judgment', decision, reasoning, content, content_type, judge_type, reviewer_id, action_user,
      origin) as row, (select seq from events where api_key_id = judgments.api_key_id
        and payload ->> 'recordId' = judgment_id) as seq
    from judgments where api_key_id = ${workspace.apiKeyId} and annotation_id = ${annotationId}
    union all select jsonb_build_array(name, payload - array['recordId', 'createdAt', 'annotationId']
      #- '{targetComment,commentId}' #- '{targetComment,createdAt}' #- '{targetComment,lastUpdated}'
      #- '{commentAnnotation,lastUpdated}' #- '{commentAnnotation,annotationId}'), seq
    from events where api_key_id = ${workspace.apiKeyId} and payload ->> 'annotationId' = ${annotationId}
    union all select jsonb_build_array('comment', author_id, body), comment_id * 0 from comments
    where api_key_id = ${workspace.apiKeyId} and annotation_id = ${annotationId}
    union all select jsonb_build_array('view', user_id), 0 from annotation_views
    where api_key_id = ${workspace.apiKeyId} and annotation_id = ${annotationId}
    union all select jsonb_build_array('people', body -> 'involvedUserIds', body -> 'subscribedUsers'), 0 from annotations
    where api_key_id = ${workspace.apiKeyId} and annotation_id = ${annotationId}
    order by seq, row`.execute(deps.db);
  return rows.map(({ row }) => row);
};

test('a comment written together with others leaves the same rows as one that is written alone', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  // Without an endpoint there are no events of judgments.
  await workspace.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  await workspace.must('/v2/workspace/advancedwebhook/endpoints/create', { url: 'https://example.com/hook' });
  const body = {
    targetElement: { targetText: 'per month' },
    suggestion: { summary: 'Say per year' },
    involvedUserIds: ['carl'],
    subscribedUsers: {},
  };
  const names = ['alone', 'first', 'second', 'third'];
  const places: AnnotationRef[] = [];
  for (const annotationId of names) places.push(await newAnnotation(workspace, { annotationId, body }));
  const statements = await Promise.all(places.map((at) => statementOf(workspace, at, 'Too long.')));
  await Promise.all(statements.map((statement) => statement.run(deps.db)));
  const replies = await Promise.all(places.map((at) => statementOf(workspace, at, 'I agree.', bob)));
  await Promise.all(replies.map((statement) => statement.run(deps.db)));
  const expected = await written(workspace, 'alone');
  expect(expected).toHaveLength(4 + 2 + 2 + 2 + 1);
  for (const name of names.slice(1)) expect(await written(workspace, name)).toEqual(expected);
});

test('the first of several comments that are written on a thread together opens it', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  const other = await newAnnotation(workspace, { annotationId: 'other' });
  const at = await newAnnotation(workspace);
  const statements = [
    await statementOf(workspace, other, 'Runs alone.'),
    await statementOf(workspace, at, 'The headline is too long.'),
    await statementOf(workspace, at, 'I agree.', bob),
    await statementOf(workspace, at, ''),
  ];
  const rows = await Promise.all(statements.map((statement) => statement.run(deps.db)));
  expect(rows.map((own) => own.length)).toEqual([1, 1, 1, 1]);
  const judgments = await deps.db
    .selectFrom('judgments')
    .select(['decision', 'reasoning', 'content'])
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('annotationId', '=', 'headline')
    .orderBy('judgmentId')
    .execute();
  expect(judgments.toSorted((a, b) => (a.reasoning < b.reasoning ? 1 : -1))).toMatchObject([
    { decision: 'comment', reasoning: 'The headline is too long.' },
    {
      decision: 'agree',
      reasoning: 'I agree.',
      content: expect.stringContaining('The headline is too long.'),
    },
  ]);
});

test('a comment on a missing annotation writes nothing, and those beside it are written', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  const at = await newAnnotation(workspace);
  const statements = [
    await statementOf(workspace, at, 'Runs alone.'),
    await statementOf(workspace, { ...at, annotationId: 'none' }, 'Nowhere.'),
    await statementOf(workspace, at, 'Here.'),
  ];
  const rows = await Promise.all(statements.map((statement) => statement.run(deps.db)));
  expect(rows.map((own) => own.length)).toEqual([1, 0, 1]);
});

test('a comment on a locked annotation waits, and those beside it do not', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  const locked = await newAnnotation(workspace, { annotationId: 'locked' });
  const at = await newAnnotation(workspace);
  const [alone, waiting, beside] = [
    await statementOf(workspace, at, 'Runs alone.'),
    await statementOf(workspace, locked, 'Waits.'),
    await statementOf(workspace, at, 'Does not wait.'),
  ];
  let late: Promise<unknown[]> | undefined;
  await deps.db.transaction().execute(async (tx) => {
    await sql`select from annotations where api_key_id = ${workspace.apiKeyId} and annotation_id = 'locked'
      for update`.execute(tx);
    const first = alone!.run(deps.db);
    late = waiting!.run(deps.db);
    const [one, two] = await Promise.all([first, beside!.run(deps.db)]);
    expect([one.length, two.length]).toEqual([1, 1]);
  });
  expect(await late).toHaveLength(1);
});
