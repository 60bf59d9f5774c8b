import { expect, test } from 'vitest';
import { siteOf, small } from '../../../test/reviews/runs.ts';
import { expectLog } from '../../../test/run/log-watch.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { deleteWaitingJobs, isWaiting } from '../../jobs/waiting.ts';
import { claimExecution, expireAllLeases, requeueExpiredRuns } from '../../store/agents/execution-leases.ts';
import { runReview } from './run-review.ts';

async function dispatch(w: TestWorkspace, url: string) {
  const { deps } = await testApp();
  const request = { urls: [url], agents: ['broken-links', 'og-image-checker'], crossPageExecute: true };
  const { reviewId, executionIds } = await w.must('/v2/reviews/run', request);
  const ref = { workspaceId: w.workspaceId, apiKeyId: w.apiKeyId, reviewId };
  const waits = () => isWaiting(deps.db, 'review.run', reviewId);
  const work = (signal = new AbortController().signal) => runReview(ref, deps, signal);
  const shown = async () => (await w.must('/v2/reviews/get', { reviewId })).review;
  const begin = () => deps.db.transaction().execute((tx) => deleteWaitingJobs(tx, 'review.run', reviewId));
  return { deps, executionIds, waits, work, shown, begin };
}

test('a review whose process died is enqueued once, and goes on where it was', async () => {
  expectLog(/run resumed after its process was lost/);
  const site = await siteOf(small);
  const w = await newWorkspace();
  const { deps, executionIds, waits, work, shown, begin } = await dispatch(w, `${site.url}/`);
  await begin();
  for (const executionId of executionIds)
    await claimExecution(deps.db, { apiKeyId: w.apiKeyId, executionId }, 'dead');
  expect(await waits()).toBe(false);
  await expireAllLeases(deps.db);
  expect(await requeueExpiredRuns(deps.db, deps.jobs)).toEqual(expect.arrayContaining(executionIds));
  expect(await waits()).toBe(true);
  await expireAllLeases(deps.db);
  expect(await requeueExpiredRuns(deps.db, deps.jobs)).not.toEqual(expect.arrayContaining(executionIds));
  await work();
  expect(await shown()).toMatchObject({ status: 'ended', verdict: 'findings', counts: { pages: 3 } });
});

test('a process that is stopped hands the executions of a review back with one job', async () => {
  const site = await siteOf(small);
  const w = await newWorkspace();
  const { waits, work, shown, begin } = await dispatch(w, `${site.url}/`);
  await begin();
  await work(AbortSignal.abort(new Error('stop')));
  expect(await shown()).toMatchObject({ status: 'running' });
  expect(await waits()).toBe(true);
  await work();
  expect(await shown()).toMatchObject({ status: 'ended', verdict: 'findings' });
});

test('the executions that another process works on are left to it', async () => {
  const site = await siteOf(small);
  const w = await newWorkspace();
  const { deps, executionIds, work, shown } = await dispatch(w, `${site.url}/`);
  await claimExecution(deps.db, { apiKeyId: w.apiKeyId, executionId: executionIds[0] }, 'other');
  await work();
  const { status, executions } = await shown();
  expect(status).toBe('running');
  expect(executions.map((run: { status: string }) => run.status)).toEqual(['running', 'failed']);
});
