import { expect, test } from 'vitest';
import { loseJobs } from '../../../../test/database/lost-jobs.ts';
import { addResults } from '../../../../test/every-operation/reviewed-run.ts';
import {
  ada,
  bo,
  findTraces,
  organizationId,
  place,
  traces,
  world,
} from '../../../../test/people/forgettable-user.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import type { Db } from '../../../db/tables.ts';
import { DELETED_USER } from '../../../lib/erase-people.ts';
import { requeueDeletions, runDeletion } from '../../../store/privacy/data-deletions.ts';

const begin = async (workspace: TestWorkspace, data: object = {}) =>
  (await workspace.post('/v2/users/data/delete', { userIds: [ada.userId], ...data })).body;
const refOf = (workspace: TestWorkspace, jobId: string) => ({
  workspaceId: workspace.workspaceId,
  apiKeyId: workspace.apiKeyId,
  jobId,
});
const statusOf = (workspace: TestWorkspace, jobId: string) =>
  workspace.must('/v2/users/data/delete/status', { jobId });

async function forget(workspace: TestWorkspace, data: object = {}): Promise<string> {
  const { deps } = await testApp();
  const { jobId } = (await begin(workspace, data)).data;
  await runDeletion(deps.db, deps.jobs, refOf(workspace, jobId), new AbortController().signal);
  return jobId;
}

const commentsOf = (annotation: { comments: { commentText: string; from: object }[] }) =>
  annotation.comments.map(({ commentText, from }) => [commentText, from]);

test('the data of a user is returned by kind', async () => {
  const workspace = await world();
  const { body } = await workspace.post('/v2/users/data/get', { organizationId, userId: ada.userId });
  expect(body.result).toMatchObject({
    status: 'success',
    message: 'Data fetched successfully.',
    nextPageToken: null,
    data: { reactions: [], recordings: [] },
  });
  const { comments, notifications } = body.result.data;
  expect(comments.map((comment: { commentText: string }) => comment.commentText).sort()).toEqual(
    ['first', 'hello', 'mine', 'mine again'].sort(),
  );
  expect(comments[0]).toMatchObject({ annotationId: 'alone', from: ada, metadata: place });
  expect(notifications.map((notification: { id: string }) => notification.id).sort()).toEqual(
    ['to-ada', 'to-all', 'to-both'].sort(),
  );
});

test('data is returned in pages of a hundred per kind', async () => {
  const workspace = await newWorkspace();
  const commentData = Array.from({ length: 230 }, (_, index) => ({ from: ada, commentText: `c${index}` }));
  await workspace.must('/v2/commentannotations/add', {
    ...place,
    createDocument: true,
    commentAnnotations: [{ annotationId: 'a', commentData }],
  });
  const seen: string[] = [];
  const sizes: number[] = [];
  let pageToken: string | null = null;
  do {
    const { body } = await workspace.post('/v2/users/data/get', {
      organizationId,
      userId: ada.userId,
      pageToken,
    });
    sizes.push(body.result.data.comments.length);
    seen.push(...body.result.data.comments.map((comment: { commentText: string }) => comment.commentText));
    pageToken = body.result.nextPageToken;
  } while (pageToken !== null);
  expect(sizes).toEqual([100, 100, 30]);
  expect(seen.sort()).toEqual(commentData.map((comment) => comment.commentText).sort());
});

test('an erased user leaves no traces, and data of others survives', async () => {
  const workspace = await world();
  const tablesWithTexts = [
    'activities',
    'annotations',
    'comments',
    'crdt_editors',
    'crdt_snapshots',
    'crdt_updates',
    'events',
    'grants',
    'live_states',
    'notifications',
  ];
  const tablesWithIds = [
    'notification_recipients',
    'notification_settings',
    'presence',
    'user_group_members',
    'users',
  ];
  expect(Object.keys(await findTraces(workspace, traces))).toEqual(
    expect.arrayContaining([...tablesWithTexts, ...tablesWithIds]),
  );
  const started = await begin(workspace);
  expect(started).toEqual({
    status: 'success',
    message: 'Data deletion process has been initiated.',
    data: { jobId: expect.any(String), tasksCount: 2 },
    statusCode: 202,
  });
  const { jobId } = started.data;
  expect(await statusOf(workspace, jobId)).toEqual({
    isDeleteCompleted: false,
    tasksLeft: 2,
    lastTaskCompletedTime: null,
  });
  const { deps } = await testApp();
  await runDeletion(deps.db, deps.jobs, refOf(workspace, jobId), new AbortController().signal);
  expect(await statusOf(workspace, jobId)).toEqual({
    isDeleteCompleted: true,
    tasksLeft: 0,
    lastTaskCompletedTime: expect.any(Number),
  });
  // The event of the deletion names the erased user.
  expect(await findTraces(workspace, traces)).toEqual({ events: 1 });

  const annotations = await workspace.must('/v2/commentannotations/get', { ...place });
  const byId = Object.fromEntries(
    annotations.map((annotation: { annotationId: string }) => [annotation.annotationId, annotation]),
  );
  expect(Object.keys(byId).sort()).toEqual(['answered', 'of-bo', 'untouched']);
  expect(byId.answered.from).toEqual(DELETED_USER);
  expect(commentsOf(byId.answered)).toEqual([['an answer', bo]]);
  expect(commentsOf(byId['of-bo'])).toEqual([['Hi Deleted user, Deleted user', bo]]);
  expect(byId['of-bo']).toMatchObject({
    assignedTo: DELETED_USER,
    visibilityConfig: { type: 'restricted', userIds: ['bo'] },
  });
  const notifications = await workspace.must('/v2/notifications/get', place);
  expect(notifications.map((notification: { id: string }) => notification.id).sort()).toEqual([
    'to-all',
    'to-both',
  ]);
  expect(await workspace.must('/v2/activities/get', { organizationId, activityIds: ['act'] })).toMatchObject([
    { id: 'act', actionUser: DELETED_USER },
  ]);
  expect(await workspace.must('/v2/crdt/get', place)).toMatchObject([
    { data: 'text text ', lastUpdatedBy: DELETED_USER.userId },
  ]);
  expect((await workspace.must('/v2/livestate/get', place))[0].data).toEqual({
    leader: DELETED_USER,
    seats: [bo],
  });
  expect(await workspace.must('/v2/users/get', { organizationId })).toMatchObject([{ userId: 'bo' }]);
});

test('findings and causes of runs no longer name an erased person who decided on them', async () => {
  const workspace = await newWorkspace();
  const { executionId } = await workspace.must('/v2/agents/execution/run', {
    agentId: 'broken-links',
    url: 'http://127.0.0.1:9/',
  });
  await addResults(workspace, executionId, 'http://127.0.0.1:9/', 'a finding', {
    decision: 'rejected',
    decidedBy: { userId: ada.userId, name: 'Ada' },
  });
  const { findings: overRuns } = await workspace.must('/v2/agents/findings/list', {});
  await workspace.must('/v2/agents/findings/decide', {
    findingIds: [overRuns[0].id],
    decision: 'rejected',
    reason: `Says @${ada.name}.`,
    actionUser: ada,
  });
  expect(await findTraces(workspace, [ada.userId])).toEqual({
    execution_findings: 2,
    execution_causes: 2,
    finding_records: 1,
  });
  await forget(workspace);
  expect(Object.keys(await findTraces(workspace, [ada.userId]))).toEqual(['events']);
  const { causes } = await workspace.must('/v2/agents/execution/causes', { executionId });
  const { findings } = await workspace.must('/v2/agents/execution/findings', { executionId });
  const decided = await workspace.must('/v2/agents/findings/get', { findingId: overRuns[0].id });
  for (const one of [...causes, ...findings, decided.finding])
    expect(one).toMatchObject({ decision: 'rejected', decidedBy: DELETED_USER });
});

/** A database on which each transaction either is lost or is the last one of the process. */
const dyingDatabase = (db: Db, crash: 'before commit' | 'after commit', onCrash: () => void): Db =>
  ({
    transaction: () => ({
      execute: (work: (tx: unknown) => Promise<unknown>) => {
        if (crash === 'after commit')
          return db
            .transaction()
            .execute(work as never)
            .finally(onCrash);
        return db.transaction().execute(async (tx) => {
          await work(tx);
          throw new Error('The process died.');
        });
      },
    }),
  }) as unknown as Db;

test('a deletion that crashes at every step is continued to the same result', async () => {
  const workspace = await world();
  const { deps } = await testApp();
  const { jobId } = (await begin(workspace)).data;
  const ref = refOf(workspace, jobId);
  let runs = 0;
  do {
    const { signal } = new AbortController();
    await expect(
      runDeletion(
        dyingDatabase(deps.db, 'before commit', () => {}),
        deps.jobs,
        ref,
        signal,
      ),
    ).rejects.toThrow('The process died.');
    const stop = new AbortController();
    await runDeletion(
      dyingDatabase(deps.db, 'after commit', () => stop.abort()),
      deps.jobs,
      ref,
      stop.signal,
    );
    runs += 1;
  } while (!(await statusOf(workspace, jobId)).isDeleteCompleted && runs < 100);
  expect(runs).toBeGreaterThan(10);
  expect(runs).toBeLessThan(100);
  expect(await findTraces(workspace, traces)).toEqual({ events: 1 });
  expect(await workspace.must('/v2/commentannotations/get', { ...place })).toHaveLength(3);
});

test('only the named organizations are processed, and a profile is kept while it is needed', async () => {
  const workspace = await world();
  await workspace.must('/v2/users/add', { organizationId: 'other', users: [ada] });
  await forget(workspace, { organizationIds: [organizationId, 'unknown'] });
  expect(await workspace.must('/v2/users/get', { organizationId: 'other' })).toMatchObject([ada]);
  expect(await workspace.must('/v2/users/get', { organizationId })).toMatchObject([bo]);
  await forget(workspace);
  expect(await workspace.must('/v2/users/get', { organizationId: 'other' })).toEqual([]);
  const { users } = await findTraces(workspace, traces);
  expect(users).toBeUndefined();
});

test('repeated and concurrent deletions, and those of unknown users, complete', async () => {
  const workspace = await world();
  const { deps } = await testApp();
  const { jobId } = (await begin(workspace, { userIds: [ada.userId, ada.userId, 'nobody'] })).data;
  const run = () => runDeletion(deps.db, deps.jobs, refOf(workspace, jobId), new AbortController().signal);
  await Promise.all([run(), run(), run()]);
  await run();
  expect((await statusOf(workspace, jobId)).isDeleteCompleted).toBe(true);
  const again = await forget(workspace);
  expect((await statusOf(workspace, again)).tasksLeft).toBe(0);
});

test('an abandoned deletion is enqueued again', async () => {
  const workspace = await world();
  const { deps } = await testApp();
  const { jobId } = (await begin(workspace)).data;
  expect(await requeueDeletions(deps.db, deps.jobs)).not.toContain(jobId);
  await deps.db
    .updateTable('dataDeletions')
    .set({ updatedAt: Date.now() - 120_000 })
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  // The job still waits, so no second one is enqueued.
  expect(await requeueDeletions(deps.db, deps.jobs)).not.toContain(jobId);
  await loseJobs(deps.db, jobId);
  expect(await requeueDeletions(deps.db, deps.jobs)).toContain(jobId);
  await runDeletion(deps.db, deps.jobs, refOf(workspace, jobId), new AbortController().signal);
  expect(await requeueDeletions(deps.db, deps.jobs, -1_000)).not.toContain(jobId);
});

test('a deletion reaches no data of other tenants, and an unknown one is not found', async () => {
  const [one, other] = await Promise.all([world(), world()]);
  const before = await findTraces(one, traces);
  const jobId = await forget(other);
  expect(await findTraces(one, traces)).toEqual(before);
  const unknown = await one.post('/v2/users/data/delete/status', { jobId: `${jobId}x` });
  expect(unknown.body.error).toEqual({ status: 'NOT_FOUND', message: 'Data deletion job does not exist' });
});

test('unknown organizations are skipped without cost', async () => {
  const workspace = await world();
  const { deps } = await testApp();
  const unknown = Array.from({ length: 900 }, (_, index) => `unknown-${index}`);
  const { jobId } = (await begin(workspace, { organizationIds: [...unknown, organizationId] })).data;
  let transactions = 0;
  const db = Object.create(deps.db, {
    transaction: {
      value() {
        transactions += 1;
        return deps.db.transaction();
      },
    },
  }) as Db;
  await runDeletion(db, deps.jobs, refOf(workspace, jobId), new AbortController().signal);
  expect(await statusOf(workspace, jobId)).toMatchObject({ isDeleteCompleted: true, tasksLeft: 0 });
  expect(transactions).toBeGreaterThan(1);
  expect(transactions).toBeLessThan(100);
});
