import { expect, test } from 'vitest';
import {
  annotations,
  dispatch,
  links,
  onDocument,
  siteOf,
  small,
  work,
  workspaceWithDocument,
} from '../../../test/reviews/runs.ts';
import { expectLog } from '../../../test/run/log-watch.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { claimExecution, expireAllLeases } from '../../store/agents/execution-leases.ts';

test('a run whose process died is resumed where it was, and the old process can no longer write', async () => {
  expectLog(/run resumed after its process was lost/);
  const site = await siteOf(small);
  const w = await workspaceWithDocument();
  const { deps } = await testApp();
  const executionId = await dispatch(w, links, { url: site.url, crossPageExecute: true, ...onDocument });
  const ref = { apiKeyId: w.apiKeyId, executionId };
  expect(await claimExecution(deps.db, ref, 'dead')).toBeDefined();
  expect(await claimExecution(deps.db, ref, 'other')).toBeUndefined();
  await expireAllLeases(deps.db);
  const { execution, log } = await work(w, executionId);
  expect(execution.status).toBe('failed');
  expect(log[0].message).toContain('Resumed after');
  expect(await annotations(w)).toHaveLength(3);
});

test('a run whose process keeps dying ends with a retryable error', async () => {
  expectLog(/run resumed after its process was lost/);
  const w = await newWorkspace();
  const { deps } = await testApp();
  const executionId = await dispatch(w, links, { url: 'http://127.0.0.1:9/' });
  for (let attempt = 0; attempt < 3; attempt++) {
    await claimExecution(deps.db, { apiKeyId: w.apiKeyId, executionId }, `dead${attempt}`);
    await expireAllLeases(deps.db);
  }
  const { execution } = await work(w, executionId);
  expect(execution).toMatchObject({ status: 'error', error: { code: 'INTERNAL', retryable: true } });
});

test('a process that is stopped hands its run back, and the next process finishes it', async () => {
  const site = await siteOf(small);
  const w = await workspaceWithDocument();
  const executionId = await dispatch(w, links, { url: site.url, crossPageExecute: true, ...onDocument });
  const stopping = new AbortController();
  stopping.abort(new Error('stop'));
  const halted = await work(w, executionId, stopping.signal);
  expect(halted.execution.status).toBe('running');
  expect((await work(w, executionId)).execution.status).toBe('failed');
  expect(await annotations(w)).toHaveLength(3);
});
