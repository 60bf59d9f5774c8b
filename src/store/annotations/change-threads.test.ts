import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { untilBlocks } from '../../../test/database/lock-waits.ts';
import { newAnnotation } from '../../../test/documents/annotated-document.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import type { Tx } from '../../db/tables.ts';
import { newId } from '../../lib/ids.ts';
import { backfillJudgments } from '../memory/backfill-judgments.ts';

const ADD = '/v2/commentannotations/comments/add';
const UPDATE_COMMENTS = '/v2/commentannotations/comments/update';
const UPDATE = '/v2/commentannotations/update';
const PLACE = { organizationId: 'acme', documentId: 'home' };
const ann = { userId: 'ann', name: 'Ann', email: 'ann@acme.com' };
const bob = { userId: 'bob', name: 'Bob', email: 'bob@acme.com' };
const carl = { userId: 'carl', name: 'Carl', email: 'carl@acme.com' };
const agent = {
  agentSource: 'external',
  agentName: 'Checker',
  reason: { title: 'Too long', description: 'It has ten words.', severity: 'low', confidence: 80 },
};

/** Adds an annotation with three comments, whose judgments have vectors. */
async function newThread(workspace: TestWorkspace, annotationId: string) {
  const body = {
    targetElement: { targetText: 'per month' },
    suggestion: { summary: 'Say per year', status: 'pending' },
    status: { id: 'OPEN', name: 'Open', type: 'default' },
    unsubscribedUsers: { '9c6ec49c5e0c5a8a0a2d6a1c2b6c1f1e': { user: carl, type: 'manual' } },
    note: 'n',
  };
  await newAnnotation(workspace, { annotationId, body });
  await workspace.must(ADD, {
    ...PLACE,
    annotationId,
    commentData: [
      { commentId: 1, commentText: 'The headline is too long.', from: ann },
      { commentId: 2, commentText: 'I agree.', commentHtml: '<p>I agree.</p>', from: bob },
      { commentId: 3, commentText: '', from: carl, agent },
    ],
  });
  const { deps } = await testApp();
  const here = sql`api_key_id = ${workspace.apiKeyId} and annotation_id = ${annotationId}`;
  await sql`update judgments set embedded_with = 'some:model', created_at = created_at + comment_id where ${here}`.execute(
    deps.db,
  );
  await sql`insert into judgment_vectors (api_key_id, judgment_id, kind, window_index, model, embedding)
    select api_key_id, judgment_id, 'review', 0, 'some:model', '' from judgments where ${here}`.execute(
    deps.db,
  );
}

/** All rows of an annotation, without ids and times. */
async function rowsOf(workspace: TestWorkspace, annotationId: string): Promise<unknown> {
  const { deps } = await testApp();
  const here = sql`api_key_id = ${workspace.apiKeyId} and annotation_id = ${annotationId}`;
  const { rows } = await sql<{ rows: unknown }>`select jsonb_build_object(
    'annotation', (select to_jsonb(annotations) from annotations where ${here}),
    'comments', (select jsonb_agg(to_jsonb(comments) order by comment_id) from comments where ${here}),
    'judgments', (select jsonb_agg(to_jsonb(judgments) - 'changed' || jsonb_build_object('vectors', (select count(*)
          from judgment_vectors where judgment_vectors.judgment_id = judgments.judgment_id))
        order by created_at, comment_id, origin, decision, reasoning) from judgments where ${here}),
    'views', (select jsonb_agg(to_jsonb(annotation_views) order by user_id) from annotation_views where ${here}),
    'events', (select jsonb_agg(jsonb_build_array(name, payload) order by seq) from events
      where api_key_id = ${workspace.apiKeyId} and payload ->> 'annotationId' = ${annotationId})) as rows`.execute(
    deps.db,
  );
  const text = JSON.stringify(rows[0]!.rows)
    .replaceAll(annotationId, 'annotation')
    .replaceAll(/\bjdg_\w+/g, 'judgment')
    .replaceAll(/\b1\d{12}\b/g, '1')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
  return JSON.parse(text) as unknown;
}

const commentChange = (commentIds: number[], updatedData: object) =>
  [UPDATE_COMMENTS, { commentIds, updatedData }] as const;
const change = (updatedData: object) => [UPDATE, { updatedData }] as const;

const changes = {
  'new words of the first comment': commentChange([1], {
    commentText: 'The headline is far too long.',
    from: ann,
  }),
  'another author with the same words': commentChange([1], { from: carl }),
  'HTML in the place of a text': commentChange([2], {
    commentText: '',
    commentHtml: '<p>I <i>do not</i> agree.</p>',
    from: bob,
  }),
  'a field without words': commentChange([2], { context: { big: 12 }, from: bob, triggerNotification: true }),
  'a finding of an agent': commentChange([3], { commentText: 'Ten words.', from: carl }),
  'several comments': commentChange([1, 2, 99], { commentText: 'Both.', from: { userId: 'dora' } }),
  'a comment that loses its words': commentChange([2], { commentText: '', commentHtml: '', from: bob }),
  'a status': change({ status: { id: 'RESOLVED' }, resolvedByUserId: 'ann' }),
  'a status again': change({ status: { id: 'RESOLVED' }, resolvedByUserId: 'ann' }),
  'another status': change({ status: { id: 'OPEN' }, statusUpdatedByUserId: 'ann' }),
  'a status by no one': change({ status: { id: 'IN_PROGRESS' } }),
  'a decision on a suggestion': change({
    suggestion: { status: 'rejected', rejectReason: 'No.', resolvedBy: bob },
  }),
  'a late decision': change({ suggestion: { status: 'accepted', resolvedBy: bob } }),
  'an assignee and a priority': change({ assignedTo: carl, priority: { id: 'P1', name: 'High' }, from: ann }),
  'other fields': change({ mine: { a: [1] }, location: null, note: null, viewedByUserIds: ['bob', 'bob'] }),
  'another audience': change({ visibility: { type: 'restricted', userIds: ['ann'] } }),
  views: change({ viewedByUserIds: ['dora'], unviewedByUserIds: ['bob'] }),
};

test('every change leaves the same rows and events alone, together with others, and in a transaction', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/users/add', { organizationId: 'acme', users: [{ ...ann, name: 'Ann of Acme' }] });
  const names = ['truth', 'alone', 'first', 'second', 'third'];
  for (const name of names) await newThread(workspace, name);
  for (const [what, [path, data]] of Object.entries(changes)) {
    const make = async (name: string, headers = {}) => {
      const named = path === UPDATE ? { annotationIds: [name] } : { annotationId: name };
      const { status, body } = await workspace.post(path, { ...PLACE, ...named, ...data }, headers);
      expect(status).toBe(200);
      return JSON.parse(JSON.stringify(body).replaceAll(name, 'annotation'));
    };
    // With an idempotency key, the change is made in a transaction.
    const expected = await make('truth', { 'idempotency-key': newId('idem') });
    expect(await make('alone')).toEqual(expected);
    expect(await Promise.all(names.slice(2).map((name) => make(name)))).toEqual([
      expected,
      expected,
      expected,
    ]);
    const rows = await rowsOf(workspace, 'truth');
    for (const name of names.slice(1)) expect([what, await rowsOf(workspace, name)]).toEqual([what, rows]);
  }
});

test('ordinary changes take no transaction, also those of a user', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  await newThread(workspace, 'a1');
  const resources = [{ type: 'organization', id: 'acme', accessRole: 'editor' }];
  const user = await newUserToken(workspace, { userId: 'ann', resources });
  const at = { ...PLACE, annotationId: 'a1' };
  const transaction = vi.spyOn(deps.db, 'transaction');
  try {
    for (const caller of [workspace, user]) {
      const from = caller === user ? undefined : ann;
      const text = { commentIds: [1], updatedData: { commentText: 'Shorter.', from } };
      expect((await caller.post(UPDATE_COMMENTS, { ...at, ...text })).status).toBe(200);
      const status = { annotationIds: ['a1'], updatedData: { status: { id: 'RESOLVED' } } };
      expect((await caller.post(UPDATE, { ...PLACE, ...status })).status).toBe(200);
    }
    expect(transaction).not.toHaveBeenCalled();
    const ofBob = { commentIds: [2], updatedData: { commentText: 'Mine.' } };
    expect((await user.post(UPDATE_COMMENTS, { ...at, ...ofBob })).status).toBe(403);
    expect(transaction).toHaveBeenCalled();
  } finally {
    transaction.mockRestore();
  }
});

/** Makes a change while a transaction holds a row that it has changed, and returns the annotation's rows afterwards. */
async function changeDuring(
  work: (tx: Tx, workspace: TestWorkspace) => Promise<unknown>,
  [path, data]: readonly [string, object],
) {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  await newThread(workspace, 'a1');
  let late: ReturnType<TestWorkspace['post']> | undefined;
  await deps.db.transaction().execute(async (tx) => {
    await work(tx, workspace);
    const named = path === UPDATE ? { annotationIds: ['a1'] } : { annotationId: 'a1' };
    late = workspace.post(path, { ...PLACE, ...named, ...data });
    await untilBlocks(tx);
  });
  expect((await late)?.status).toBe(200);
  // biome-ignore lint/suspicious/noExplicitAny: rows of several tables.
  return (await rowsOf(workspace, 'a1')) as any;
}

test('a change of the annotation in between is not lost', async () => {
  const work = (tx: Tx, { apiKeyId }: TestWorkspace) =>
    sql`update annotations set body = body || '{"other": 1, "involvedUserIds": ["eve"]}' where api_key_id = ${apiKeyId}`.execute(
      tx,
    );
  const commented = await changeDuring(work, commentChange([1], { commentText: 'New.', from: bob }));
  expect(commented.annotation.body).toMatchObject({ other: 1, involvedUserIds: ['eve', 'bob'] });
  expect(commented.comments[0].body.commentText).toBe('New.');
  const changed = await changeDuring(work, change({ assignedTo: bob }));
  expect(changed.annotation.body).toMatchObject({
    other: 1,
    involvedUserIds: ['eve', 'bob'],
    assignedTo: bob,
  });
  expect(changed.events.at(-1)[1].commentAnnotation).toMatchObject({ other: 1, assignedTo: bob });
});

test('a change of a comment or a judgment in between is not lost', async () => {
  const shorter = commentChange([1], { commentText: 'Shorter.', from: ann });
  const { comments, events } = await changeDuring(
    (tx, { apiKeyId }) =>
      sql`update comments set body = body || '{"other": 1}' where api_key_id = ${apiKeyId} and comment_id = 1`.execute(
        tx,
      ),
    shorter,
  );
  expect(comments[0].body).toMatchObject({ other: 1, commentText: 'Shorter.' });
  expect(events.at(-1)[1].targetComment).toMatchObject({ other: 1, commentText: 'Shorter.' });
  expect(events.filter(([name]: [string]) => name === 'comment.update')).toHaveLength(1);
  const { judgments } = await changeDuring(
    (tx, { apiKeyId }) =>
      sql`update judgments set agent = '{"url": "x"}' where api_key_id = ${apiKeyId} and comment_id = 2`.execute(
        tx,
      ),
    shorter,
  );
  expect(judgments[1]).toMatchObject({
    agent: { url: 'x' },
    content: 'Shorter.\nSay per year\nper month',
    vectors: 0,
  });
  const left = await changeDuring(
    (tx, { apiKeyId }) =>
      sql`delete from judgments where api_key_id = ${apiKeyId} and comment_id = 2`.execute(tx),
    shorter,
  );
  expect(left.judgments.map((one: { comment_id: number }) => one.comment_id)).toEqual([1, 3]);
});

test('a judgment that is added in between is reworded', async () => {
  const { deps } = await testApp();
  const { judgments } = await changeDuring(
    async (tx, workspace) => {
      await sql`update comments set created_at = created_at + comment_id
        where api_key_id = ${workspace.apiKeyId}`.execute(deps.db);
      await deps.db.deleteFrom('judgments').where('apiKeyId', '=', workspace.apiKeyId).execute();
      await backfillJudgments(tx, workspace, undefined, 10);
    },
    commentChange([1], { commentText: 'Shorter.', from: ann }),
  );
  const reply = judgments.find((one: { comment_id: number }) => one.comment_id === 2);
  expect(reply.content).toBe('Shorter.\nSay per year\nper month');
});

test('concurrent changes and additions on one annotation neither deadlock nor lose anything', async () => {
  const workspace = await newWorkspace();
  await newThread(workspace, 'a1');
  const at = { ...PLACE, annotationId: 'a1' };
  const people = Array.from({ length: 12 }, (_, index) => ({
    userId: `u${index}`,
    name: 'U',
    email: 'u@acme.com',
  }));
  const calls = people.flatMap((from, index) => [
    workspace.post(UPDATE_COMMENTS, {
      ...at,
      commentIds: [(index % 2) + 1],
      updatedData: { commentText: `${index}`, from },
    }),
    workspace.post(ADD, {
      ...at,
      commentData: [{ commentText: 'More.', from: { ...from, userId: `added-${index}` } }],
    }),
    workspace.post(UPDATE, {
      ...PLACE,
      annotationIds: ['a1'],
      updatedData: { [`field${index}`]: index, status: { id: 'OPEN' } },
    }),
  ]);
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  // biome-ignore lint/suspicious/noExplicitAny: rows of several tables.
  const { annotation, comments, judgments, events } = (await rowsOf(workspace, 'a1')) as any;
  for (const index of people.keys()) expect(annotation.body).toHaveProperty(`field${index}`, index);
  const involved = people.flatMap(({ userId }, index) => [userId, `added-${index}`]);
  expect(annotation.body.involvedUserIds).toEqual(expect.arrayContaining(involved));
  expect(comments).toHaveLength(15);
  const named = (name: string) => events.filter(([one]: [string]) => one === name);
  expect(named('comment.update')).toHaveLength(12);
  expect(named('comment_annotation.update')).toHaveLength(12);
  const [, reply] = judgments.filter((one: { comment_id: number }) => one.comment_id <= 2);
  expect(reply.content).toBe(`${comments[0].body.commentText}\nSay per year\nper month`);
});
