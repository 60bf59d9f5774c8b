import { expect, test } from 'vitest';
import { dispatch, links } from '../../../test/reviews/runs.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { claimExecution } from '../../store/agents/execution-leases.ts';
import { startProgress } from './run-progress.ts';

const HOUR_MS = 3_600_000;

async function claimedRun() {
  const w = await newWorkspace();
  const { deps } = await testApp();
  const executionId = await dispatch(w, links, { url: 'http://127.0.0.1:9/' });
  const ref = { apiKeyId: w.apiKeyId, workspaceId: w.workspaceId, executionId };
  const row = (await claimExecution(deps.db, ref, 'me'))!;
  const announced = async () => {
    const events = await deps.db
      .selectFrom('events')
      .select('payload')
      .where('apiKeyId', '=', w.apiKeyId)
      .where('name', '=', 'agent_execution.progress')
      .orderBy('seq')
      .execute();
    return events.map(({ payload }) => payload.phase);
  };
  return { lease: { db: deps.db, ref, owner: 'me' }, row, announced };
}

const raise = (error: unknown) => {
  throw error;
};

test('the progress of a run is announced at once, and then no more often than agreed', async () => {
  const { lease, row, announced } = await claimedRun();
  const progress = startProgress(lease, row, raise, HOUR_MS);
  progress.enter('planning');
  progress.enter('reviewing');
  for (let page = 0; page < 100; page++) progress.note();
  await expect.poll(announced, { interval: 5 }).toHaveLength(1);
  progress.enter('comparing');
  await progress.stop();
  expect(await announced()).toHaveLength(1);
});

test('news in the meantime are announced together, in the newest phase', async () => {
  const { lease, row, announced } = await claimedRun();
  const progress = startProgress(lease, row, raise, 1);
  progress.enter('planning');
  progress.enter('reviewing');
  progress.enter('comparing');
  await expect.poll(announced, { interval: 5 }).toEqual(['planning', 'comparing']);
  await progress.stop();
});

test('a run whose lease is lost, or that has stopped, announces nothing', async () => {
  const { lease, row, announced } = await claimedRun();
  const lost = startProgress({ ...lease, owner: 'another' }, row, raise, 1);
  lost.enter('planning');
  await lost.stop();
  const stopped = startProgress(lease, row, raise, 1);
  await stopped.stop();
  stopped.note();
  await stopped.stop();
  expect(await announced()).toEqual([]);
});
