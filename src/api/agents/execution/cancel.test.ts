import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { newAgent, start } from '../../../../test/reviews/executions.ts';
import {
  dispatch,
  links,
  onDocument,
  siteOf,
  work,
  workspaceWithDocument,
} from '../../../../test/reviews/runs.ts';
import { newWorkspace, testApp } from '../../../../test/service/harness.ts';
import { startJobQueue } from '../../../jobs/queue.ts';
import { cleanUp, serve } from '../../../outside/net/testing-servers.ts';
import { JOBS } from '../../../roles/jobs/index.ts';
import { claimExecution } from '../../../store/agents/execution-leases.ts';
import { planPages } from '../../../store/agents/execution-pages.ts';

const CANCEL = '/v2/agents/execution/cancel';

test('a run that has not started ends at once, with one event, and cannot be cancelled again', async () => {
  const w = await newWorkspace();
  const executionId = await start(w, { agentId: await newAgent(w) });
  const cancelled = await w.post(CANCEL, { executionId, reason: ' The wrong page. ' });
  const { execution } = cancelled.body.result.data;
  expect(execution).toMatchObject({
    status: 'error',
    error: { code: 'CANCELLED', message: 'The run was cancelled: The wrong page.', retryable: true },
    resultsSummary: { urlsProcessed: 0 },
    tokenUsage: { totalTokens: 0 },
  });
  expect(execution.completedAt).toBe(execution.error.occurredAt);
  const again = await w.post(CANCEL, { executionId });
  expect(again.body.error).toMatchObject({ status: 'FAILED_PRECONDITION' });
  expect(again.body.error.message).toContain('error');
  const { deps } = await testApp();
  const events = await deps.db
    .selectFrom('events')
    .select('payload')
    .where('apiKeyId', '=', w.apiKeyId)
    .where('name', '=', 'agent_execution.completed')
    .execute();
  expect(events).toMatchObject([
    { payload: { executionId, status: 'error', error: { code: 'CANCELLED', retryable: true } } },
  ]);
  expect((await work(w, executionId)).execution).toEqual(execution);
});

test('a run that is cancelled while it waits does not count towards the limit of waiting jobs', async () => {
  const w = await newWorkspace();
  const { database } = await testApp();
  const queue = await startJobQueue(database, JOBS, (error) => process.stderr.write(`${error.stack}\n`), {
    maxWaiting: 2,
  });
  onTestFinished(() => queue.stop(0));
  const executionIds = [
    await start(w, { agentId: await newAgent(w) }),
    await start(w, { agentId: await newAgent(w) }),
  ];
  const enqueue = () =>
    database.db.transaction().execute((tx) =>
      queue.enqueue(tx, 'agent.run', {
        workspaceId: w.workspaceId,
        apiKeyId: w.apiKeyId,
        executionId: 'exec_more',
      }),
    );
  await expect(enqueue()).rejects.toMatchObject({ status: 'RESOURCE_EXHAUSTED' });
  for (const executionId of executionIds) await w.must(CANCEL, { executionId });
  await enqueue();
  await enqueue();
  await expect(enqueue()).rejects.toMatchObject({ status: 'RESOURCE_EXHAUSTED' });
});

test('a running run stops soon after it is cancelled, and keeps its earlier results', async () => {
  const w = await workspaceWithDocument();
  const site = await siteOf({ '/': '<a href="/gone">x</a>' });
  let isRequested = false;
  let isClosed = false;
  const hung = await serve((_request, response) => {
    isRequested = true;
    response.once('close', () => {
      isClosed = true;
    });
  });
  onTestFinished(cleanUp);
  const executionId = await dispatch(w, links, { url: site.url, ...onDocument });
  const { deps } = await testApp();
  const ref = { apiKeyId: w.apiKeyId, executionId };
  await deps.db.transaction().execute((tx) => planPages(tx, ref, [`${site.url}/`, `${hung.url}/`]));
  const working = work(w, executionId);
  const done = async () =>
    (await w.must('/v2/agents/execution/get', { executionId })).execution.progress?.urlsProcessed;
  await expect.poll(async () => isRequested && (await done()), { timeout: 300_000 }).toBe(1);
  await w.must(CANCEL, { executionId });
  const { execution, results, log } = await working;
  await expect.poll(() => isClosed).toBe(true);
  expect(execution).toMatchObject({
    error: { code: 'CANCELLED' },
    resultsSummary: { urlsProcessed: 1, totalFindings: 1, totalAnnotationsCreated: 1 },
  });
  expect(results).toHaveLength(1);
  expect(log.at(-1)).toMatchObject({ kind: 'result', message: 'The run was cancelled.' });
});

test('if a run ends while it is cancelled, exactly one of the two takes effect', async () => {
  const w = await newWorkspace();
  const site = await siteOf({ '/': 'fine' });
  // The delays only vary which of the two comes first. The outcome must be consistent either way.
  for (const waitMs of [0, 5, 15, 30]) {
    const executionId = await dispatch(w, links, { url: site.url });
    const [{ execution }, { status }] = await Promise.all([
      work(w, executionId),
      sleep(waitMs).then(() => w.post(CANCEL, { executionId })),
    ]);
    const final = (await w.must('/v2/agents/execution/get', { executionId })).execution;
    expect([status, final.status]).toEqual(status === 200 ? [200, 'error'] : [400, 'passed']);
    expect(final.error?.code).toBe(status === 200 ? 'CANCELLED' : undefined);
    if (execution.status !== 'running') expect(execution).toEqual(final);
    const { deps } = await testApp();
    const claimed = await claimExecution(deps.db, { apiKeyId: w.apiKeyId, executionId }, 'late');
    expect(claimed).toBeUndefined();
  }
});
