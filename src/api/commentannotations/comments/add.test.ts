import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newAnnotation } from '../../../../test/documents/annotated-document.ts';
import { eventPayloads } from '../../../../test/documents/annotations.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { presentAnnotation } from '../../../annotations/present-annotation.ts';
import { md5 } from '../../../lib/ids.ts';

const BASE = '/v2/commentannotations/comments';
const ann = { userId: 'u1', name: 'Ann', email: 'ann@acme.com' };
const bob = { userId: 'u2', name: 'Bob', email: 'bob@acme.com' };

const setUp = async (options?: Parameters<typeof newAnnotation>[1]) => {
  const workspace = await newWorkspace();
  return { workspace, at: await newAnnotation(workspace, options) };
};

const annotationOf = async (workspace: TestWorkspace, annotationId = 'headline') => {
  const { deps } = await testApp();
  return await deps.db
    .selectFrom('annotations')
    .selectAll()
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('annotationId', '=', annotationId)
    .executeTakeFirstOrThrow();
};

test('a comment is added and returned completely', async () => {
  const { workspace, at } = await setUp();
  const attachment = { attachmentId: 7, name: 'plan.png', size: 10, url: 'https://files.example.com/7' };
  const tag = { userId: 'u2', contact: bob, text: '@Bob' };
  const { body } = await workspace.post(`${BASE}/add`, {
    ...at,
    commentData: [
      {
        commentText: 'Look, {{u2}}',
        commentHtml: '<p>Look, {{u2}}<script>alert(1)</script></p>',
        context: { colour: 'red' },
        from: ann,
        attachments: [attachment],
        taggedUserContacts: [tag],
      },
    ],
  });
  const [commentId] = body.result.data;
  expect(commentId).toBeGreaterThanOrEqual(100_000);
  const got = await workspace.post(`${BASE}/get`, at);
  expect(got.body.result.data).toEqual([
    {
      commentId,
      type: 'text',
      status: 'added',
      sourceType: 'rest-api',
      isDraft: false,
      isEdited: false,
      isCommentResolverUsed: false,
      isCommentTextAvailable: true,
      commentText: 'Look, {{u2}}',
      commentHtml: '<p>Look, {{u2}}</p>',
      context: { colour: 'red' },
      from: ann,
      to: [bob],
      taggedUserContacts: [tag],
      attachments: [attachment],
      createdAt: expect.any(Number),
      lastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    },
  ]);
});

test('version 1 gives the same comments', async () => {
  const { workspace, at } = await setUp();
  const commentData = [{ commentText: 'a', from: ann }];
  const [commentId] = await workspace.must(`${BASE}/add`, { ...at, commentData });
  const got = await workspace.must('/v1/commentannotations/comments/get', at);
  expect(got).toMatchObject([{ commentId, commentText: 'a' }]);
});

test('adding a comment involves its users in the annotation, which its authors have seen', async () => {
  const { workspace, at } = await setUp({
    body: { unsubscribedUsers: { [md5('u3')]: {} }, subscribedUsers: { [md5('u9')]: { type: 'manual' } } },
  });
  const carl = { userId: 'u3', name: 'Carl', email: 'carl@acme.com' };
  await workspace.must(`${BASE}/add`, {
    ...at,
    commentData: [
      { commentText: 'a', from: ann, taggedUserContacts: [{ userId: 'u2', contact: bob }] },
      { commentText: 'b', from: ann, taggedUserContacts: [{ userId: 'u3', contact: carl }] },
    ],
  });
  const { body, lastUpdated } = await annotationOf(workspace);
  expect(lastUpdated).toBeGreaterThan(1_000);
  expect(body).toMatchObject({
    involvedUserIds: ['author', 'u1', 'u2', 'u3'],
    mentionedUserIds: ['u2', 'u3'],
    subscribedUsers: {
      [md5('u1')]: { user: ann, type: 'auto' },
      [md5('u2')]: { user: bob, type: 'auto' },
      [md5('u9')]: { type: 'manual' },
    },
  });
  expect(body.subscribedUsers).not.toHaveProperty(md5('u3'));
  const { deps } = await testApp();
  const views = await deps.db
    .selectFrom('annotationViews')
    .select(['userId', 'viewedAt'])
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  expect(views).toEqual([{ userId: 'u1', viewedAt: lastUpdated }]);
});

test('each added comment raises an event, which is loud only on request', async () => {
  const { workspace, at } = await setUp({ visibility: { type: 'restricted', userIds: ['u1'] } });
  const [first, second] = await workspace.must(`${BASE}/add`, {
    ...at,
    commentData: [
      { commentText: 'a', from: ann },
      { commentText: 'b', from: bob, triggerNotification: true },
    ],
  });
  const events = await eventPayloads(workspace, 'comment.add');
  expect(events).toEqual([
    {
      ...at,
      commentAnnotation: presentAnnotation(await annotationOf(workspace)),
      targetComment: expect.objectContaining({ commentId: first, commentText: 'a' }),
      actionUser: ann,
      visibility: { type: 'restricted', userIds: ['u1'] },
      loud: false,
      logged: false,
    },
    expect.objectContaining({
      targetComment: expect.objectContaining({ commentId: second }),
      actionUser: bob,
      loud: true,
    }),
  ]);
});

test.each([
  ['whom it is new to', {}],
  [
    'whose author is involved',
    { involvedUserIds: ['u1'], subscribedUsers: { [md5('u1')]: { type: 'manual' } } },
  ],
  ['that its author left', { unsubscribedUsers: { [md5('u1')]: {} } }],
  ['without lists of its people', { involvedUserIds: undefined }],
])('a single comment on an annotation %s has the same effects as a batch', async (_what, body) => {
  const effects = [];
  for (const chosen of [{}, { commentId: 123_456 }]) {
    const { workspace, at } = await setUp({ body, visibility: { type: 'restricted', userIds: ['u1'] } });
    const commentData = [
      { commentText: 'a', from: ann, createdAt: 5_000, triggerNotification: true, ...chosen },
    ];
    const [commentId] = await workspace.must(`${BASE}/add`, { ...at, commentData });
    const [event] = await eventPayloads(workspace, 'comment.add');
    expect(event.commentAnnotation).toEqual(presentAnnotation(await annotationOf(workspace)));
    expect(event.targetComment.commentId).toBe(commentId);
    const { apiKeyId, ...annotation } = await annotationOf(workspace);
    effects.push({
      annotation: { ...annotation, body: { mentionedUserIds: [], ...annotation.body } },
      event: {
        ...event,
        commentAnnotation: undefined,
        targetComment: { ...event.targetComment, commentId: 0 },
      },
    });
  }
  expect(effects[0]).toEqual(effects[1]);
});

test('times and ids of the backend are kept', async () => {
  const { workspace, at } = await setUp();
  const ids = await workspace.must(`${BASE}/add`, {
    ...at,
    commentData: [
      { commentId: 5, commentText: 'late', from: ann, createdAt: 3_000, lastUpdated: '1970-01-01T00:00:04Z' },
      { commentId: 0, commentText: 'early', from: ann, createdAt: 2_000 },
    ],
  });
  expect(ids).toEqual([5, 0]);
  expect(await workspace.must(`${BASE}/get`, at)).toMatchObject([
    { commentId: 0, createdAt: 2_000, lastUpdated: '1970-01-01T00:00:02.000Z' },
    { commentId: 5, createdAt: 3_000, lastUpdated: '1970-01-01T00:00:04.000Z' },
  ]);
  expect((await annotationOf(workspace)).lastUpdated).toBe(4_000);
});

test('a comment id already in use is refused, and nothing else of the call is written', async () => {
  const { workspace, at } = await setUp();
  await workspace.must(`${BASE}/add`, { ...at, commentData: [{ commentId: 5, from: ann }] });
  const before = await annotationOf(workspace);
  const { status, body } = await workspace.post(`${BASE}/add`, {
    ...at,
    commentData: [
      { commentText: 'new', from: bob },
      { commentId: 5, from: bob },
    ],
  });
  expect(status).toBe(409);
  expect(body.error).toEqual({ status: 'ALREADY_EXISTS', message: 'Comment already exists: 5' });
  expect(await annotationOf(workspace)).toEqual(before);
  expect(await workspace.must(`${BASE}/get`, at)).toHaveLength(1);
  expect(await eventPayloads(workspace, 'comment.add')).toHaveLength(1);
});

test('a thousand comments of one call get ids in order', async () => {
  const { workspace, at } = await setUp();
  const commentData = Array.from({ length: 1_000 }, (_, index) => ({ commentText: `${index}`, from: ann }));
  const ids = await workspace.must(`${BASE}/add`, { ...at, commentData });
  expect(new Set(ids).size).toBe(1_000);
  const got = await workspace.must(`${BASE}/get`, { ...at, commentIds: ids });
  expect(got.map((comment: { commentText: string }) => comment.commentText)).toEqual(
    commentData.map((comment) => comment.commentText),
  );
});

test('comments added to one annotation concurrently are all kept, with one event each', async () => {
  const { workspace, at } = await setUp();
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      workspace.must(`${BASE}/add`, {
        ...at,
        commentData: [{ commentText: `${index}`, from: { userId: `u${index}` } }],
      }),
    ),
  );
  expect(new Set(ids.flat()).size).toBe(20);
  const { body } = await annotationOf(workspace);
  expect(body.involvedUserIds).toHaveLength(21);
  expect(await eventPayloads(workspace, 'comment.add')).toHaveLength(20);
});

test('a batch with an id that another request takes meanwhile is refused as a whole', async () => {
  const { workspace, at } = await setUp();
  const { deps } = await testApp();
  const row = {
    apiKeyId: workspace.apiKeyId,
    ...at,
    commentId: 500,
    authorId: 'u1',
    body: sql<Record<string, unknown>>`'{}'::jsonb`,
    createdAt: 1,
    lastUpdated: 1,
  };
  const comment = { commentText: 'x', from: ann };
  const other = await deps.db.startTransaction().execute();
  await other
    .insertInto('comments')
    .values(row as never)
    .execute();
  const added = workspace.post(`${BASE}/add`, {
    ...at,
    commentData: [comment, { ...comment, commentId: 500 }, comment],
  });
  const isWaiting = async () => {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like '%with item as (%'`.execute(deps.db);
    return rows.length;
  };
  await expect.poll(isWaiting).toBe(1);
  await other.commit().execute();
  const { status, body } = await added;
  expect([status, body.error.status]).toEqual([409, 'ALREADY_EXISTS']);
  const { rows } = await sql<{ commentId: number }>`select comment_id from comments
    where api_key_id = ${workspace.apiKeyId} and comment_id <> 500`.execute(deps.db);
  expect(rows).toEqual([]);
});

test.each([['one comment'], ['two comments']])(
  'a comment is refused if its annotation is replaced meanwhile: %s',
  async (what) => {
    const { workspace, at } = await setUp();
    const { deps } = await testApp();
    const { apiKeyId } = workspace;
    const other = await deps.db.startTransaction().execute();
    const [row] = await other
      .deleteFrom('annotations')
      .where('apiKeyId', '=', apiKeyId)
      .returningAll()
      .execute();
    const comment = { commentText: 'x', from: ann };
    const added = workspace.post(`${BASE}/add`, {
      ...at,
      commentData: what === 'one comment' ? [comment] : [comment, comment],
    });
    const isWaiting = async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like '%update annotations set%'`.execute(deps.db);
      return rows.length;
    };
    await expect.poll(isWaiting).toBe(1);
    await other
      .insertInto('annotations')
      .values({ ...row, body: JSON.stringify(row!.body) } as never)
      .execute();
    await other.commit().execute();
    const { status, headers, body } = await added;
    expect([status, body.error, headers['retry-after']]).toEqual([
      409,
      { status: 'ABORTED', message: 'The annotation was replaced at the same time; nothing was added.' },
      '1',
    ]);
    expect(await workspace.must(`${BASE}/get`, at)).toEqual([]);
  },
);

test('only one of several concurrent calls can use an id', async () => {
  const { workspace, at } = await setUp();
  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      workspace.post(`${BASE}/add`, { ...at, commentData: [{ commentId: 9, from: ann }] }),
    ),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(7);
  expect(await eventPayloads(workspace, 'comment.add')).toHaveLength(1);
});

test('nothing is added to an annotation that is not there', async () => {
  const { workspace, at } = await setUp();
  for (const [elsewhere, message] of [
    [{ documentId: 'none' }, 'Document does not exist'],
    [{ organizationId: 'none' }, 'Document does not exist'],
    [{ annotationId: 'constructor' }, 'Annotation not found.'],
  ] as const) {
    const commentData = [{ commentText: 'a', from: ann }];
    const { body } = await workspace.post(`${BASE}/add`, { ...at, ...elsewhere, commentData });
    expect(body.error).toEqual({ status: 'NOT_FOUND', message });
  }
});
