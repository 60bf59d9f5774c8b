import { afterEach, expect, test } from 'vitest';
import { GET, newAgent, start } from '../../../../test/executions.ts';
import { type FakeSite, fakeSite } from '../../../../test/fakes/site.ts';
import { newWorkspace, testApp } from '../../../../test/harness.ts';
import { runExecution } from '../../../review/run/run-execution.ts';

let site: FakeSite | undefined;
afterEach(() => site?.close());

test('get returns an ended execution, and the findings of each page on request', async () => {
  site = await fakeSite({ '/': '<p>See <a href="/gone">the plan</a> and <a href="/">home</a>.</p>' });
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const executionId = await start(w, { agentId, url: site.url });
  const { deps } = await testApp();
  await runExecution({ ...w, executionId }, deps, new AbortController().signal);

  const { status, body } = await w.post(GET, { executionId });
  expect([status, body.result.message]).toEqual([200, 'Execution fetched successfully']);
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

test('an unknown execution, and one of another tenant, are not found', async () => {
  const [w, other] = [await newWorkspace(), await newWorkspace()];
  const theirs = await start(other, { agentId: await newAgent(other) });
  for (const executionId of ['exec_1_none', theirs]) {
    expect(await w.post(GET, { executionId })).toMatchObject({
      status: 404,
      body: { error: { status: 'NOT_FOUND', message: `Execution not found: ${executionId}` } },
    });
  }
});

test.each<[Record<string, unknown>, string[]]>([
  [{}, ['executionId is required.']],
  [{ executionId: ' ' }, ['executionId must not be empty.']],
  [
    { executionId: 5, includeResults: 'yes', includeLog: 1 },
    [
      'executionId must be a string.',
      'includeResults must be true or false.',
      'includeLog must be true or false.',
    ],
  ],
])('get refuses %j and says why', async (data, sentences) => {
  const w = await newWorkspace();
  const { body } = await w.post(GET, data);
  expect(body.error.status).toBe('INVALID_ARGUMENT');
  expect(body.error.message.split('\n')).toEqual(sentences);
});

test('an execution outlives its agent', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const executionId = await start(w, { agentId });
  await w.must('/v2/agents/delete', { agentId });
  expect((await w.must(GET, { executionId })).execution).toMatchObject({ agentId, agentName: 'Links' });
});
