import { afterEach, expect, test } from 'vitest';
import { type FakeSite, fakeSite } from '../../../../test/fakes/site.ts';
import { GET, newAgent, start } from '../../../../test/reviews/executions.ts';
import { newWorkspace, testApp } from '../../../../test/service/harness.ts';
import { runExecution } from '../../../review/run/run-execution.ts';

const CANCEL = '/v2/agents/execution/cancel';

let site: FakeSite | undefined;
afterEach(() => site?.close());

test('get returns an ended execution, and the findings of each page on request', async () => {
  site = await fakeSite({ '/': '<p>See <a href="/gone">the plan</a> and <a href="/">home</a>.</p>' });
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const executionId = await start(w, { agentId, url: site.url });
  const { deps } = await testApp();
  await runExecution({ ...w, executionId }, deps, new AbortController().signal);

  const { body } = await w.post(GET, { executionId });
  expect(Object.keys(body.result.data)).toEqual(['execution']);
  const { execution } = body.result.data;
  expect(execution).toMatchObject({
    id: executionId,
    status: 'failed',
    durationMs: execution.completedAt - execution.startedAt,
    resultsSummary: {
      totalFindings: 1,
      totalAnnotationsCreated: 0,
      urlsProcessed: 1,
      urlsWithFindings: 1,
      urlsErrored: 0,
      severityCounts: { high: 1 },
      summary: 'Found 1 issue across 1 page. 0 annotations created.',
    },
  });
  expect(execution).not.toHaveProperty('progress');
  expect(execution).not.toHaveProperty('error');

  const more = await w.must(GET, { executionId, includeResults: true, includeLog: true });
  expect(Object.keys(more).sort()).toEqual(['artifacts', 'execution', 'log', 'results']);
  expect(more.execution).toEqual(execution);
  expect(more.results).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      url: `${site.url}/`,
      urlHash: more.results[0].id,
      agentId,
      agentName: 'Links',
      status: 'completed',
      summary: expect.any(String),
      error: null,
      findings: [expect.objectContaining({ id: 'finding-1', url: `${site.url}/gone`, statusCode: 404 })],
      findingCount: 1,
      annotationsCreated: 0,
      data: expect.anything(),
      processedAt: expect.any(Number),
    },
  ]);
});

test.each([GET, CANCEL])('%s does not find an unknown execution', async (path) => {
  const w = await newWorkspace();
  expect(await w.post(path, { executionId: 'exec_1_none' })).toMatchObject({
    status: 404,
    body: { error: { status: 'NOT_FOUND', message: 'Execution not found: exec_1_none' } },
  });
});

test('an execution outlives its agent', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const executionId = await start(w, { agentId });
  await w.must('/v2/agents/delete', { agentId });
  expect((await w.must(GET, { executionId })).execution).toMatchObject({ agentId, agentName: 'Links' });
});
