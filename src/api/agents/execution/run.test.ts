import { expect, test } from 'vitest';
import { addDocuments, GET, newAgent, RUN, start } from '../../../../test/reviews/executions.ts';
import { stageAllowedModels } from '../../../../test/reviews/model-stage.ts';
import { newWorkspace } from '../../../../test/service/harness.ts';

const url = 'http://127.0.0.1:9/';

test('run returns at once with a running execution, by default of the seed page alone', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const before = Date.now();
  const { body } = await w.post(RUN, { agentId, url: 'http://127.0.0.1:9', anythingElse: [1] });
  const { executionId } = body.result.data;
  expect(executionId).toMatch(/^exec_\d{13}_\w{12}$/);
  const { execution } = await w.must(GET, { executionId });
  expect(execution).toEqual({
    id: executionId,
    agentId,
    agentName: 'Links',
    agentVersion: 1,
    metadata: { organizationId: '', documentId: '' },
    config: { seedUrl: url, crossPageExecute: false, maxUrlsToProcess: 50, deviceType: 'desktop' },
    status: 'running',
    // No worker takes jobs from this queue, which other tests fill, too.
    queuePosition: execution.queuePosition,
    startedAt: execution.startedAt,
    completedAt: null,
    durationMs: null,
    trigger: 'standalone',
    workflowExecutionId: null,
    previousExecutionId: null,
    ranBy: null,
    resultsSummary: {
      totalFindings: 0,
      totalAnnotationsCreated: 0,
      urlsProcessed: 0,
      urlsWithFindings: 0,
      urlsErrored: 0,
      summary: null,
    },
    progress: { urlsPlanned: 0, urlsProcessed: 0, findings: 0 },
    tokenUsage: { promptTokens: 0, completionTokens: 0, thoughtsTokens: 0, totalTokens: 0, requestCount: 0 },
  });
  expect(execution.startedAt).toBeGreaterThanOrEqual(before);
  expect(execution.queuePosition).toBeGreaterThanOrEqual(1);
  const { agent } = await w.must('/v2/agents/get', { agentId });
  expect(agent).toMatchObject({ executionCount: 1, lastExecutedAt: execution.startedAt });
});

test('run keeps all fields of the request', async () => {
  const w = await newWorkspace();
  await addDocuments(w, 'd');
  const request = {
    organizationId: 'o',
    documentId: 'd',
    crossPageExecute: true,
    maxUrlsToProcess: 10_000,
    deviceType: 'mobile',
    trigger: 'workflow',
    workflowExecutionId: 'flow-1',
  };
  const executionId = await start(w, { agentId: 'broken-links', ...request, ranBy: { userId: 'u' } });
  expect((await w.must(GET, { executionId })).execution).toMatchObject({
    agentName: 'Broken links',
    agentVersion: 1,
    metadata: { organizationId: 'o', documentId: 'd' },
    config: { seedUrl: url, crossPageExecute: true, maxUrlsToProcess: 10_000, deviceType: 'mobile' },
    trigger: 'workflow',
    workflowExecutionId: 'flow-1',
    ranBy: { userId: 'u', name: '', email: '' },
  });
});

test('a run keeps the version that it was started with', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const executionId = await start(w, { agentId });
  await w.must('/v2/agents/version/update', { agentId, instructions: 'Others.' });
  expect((await w.must(GET, { executionId })).execution.agentVersion).toBe(1);
});

test('run refuses places that are not whole, bad addresses and unknown contexts, with all reasons', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  for (const [change, sentences] of [
    ...['ftp://example.com/', 'http://exa mple/', 'javascript:1'].map(
      (bad) => [{ url: bad }, ['url must be a valid http(s) URL.']] as const,
    ),
    [{ url: 'https://u:p@example.com/' }, ['url must not contain a user name or password.']],
    [
      { url: 'http://10.0.0.1/' },
      [
        'url leads to an address that is not allowed: internal, loopback and link-local hosts are refused. The operator of the service allows one with `redpen allow-host 10.0.0.1:80` or REDPEN_ALLOW_HOSTS.',
      ],
    ],
    [{ organizationId: 'o' }, ['organizationId and documentId go together.']],
    [
      { documentId: 'd', deviceType: 'tv' },
      ['deviceType must be mobile or desktop.', 'organizationId and documentId go together.'],
    ],
    [{ userContext: { tone: 'dry' } }, ['userContext.tone is not a field that the agent declares.']],
    [{ aiConfig: {} }, ['aiConfig must have at least one field.']],
  ] as const) {
    const { status, body } = await w.post(RUN, { agentId, url, ...change });
    expect([status, body.error?.status]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(body.error.message.split('\n')).toEqual(sentences);
  }
  expect((await w.must('/v2/agents/execution/count')).total).toBe(0);
});

test('run validates the context against the fields that the agent declares', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w, {
    input: {
      userContextFields: [
        { id: 'tone', title: 'Tone', type: 'string' },
        { id: 'depth', title: 'Depth', type: 'number' },
      ],
    },
  });
  const { body } = await w.post(RUN, { agentId, url, userContext: { tone: 1, depth: 'x' } });
  expect(body.error.message).toBe('userContext.tone must be a string.\nuserContext.depth must be a number.');
  await start(w, { agentId, userContext: { tone: 'dry', depth: 2 } });
});

test('run does not find unknown agents and documents', async () => {
  const w = await newWorkspace();
  for (const [request, message] of [
    [{ agentId: 'none' }, 'Agent not found: none'],
    [{ agentId: 'broken-links', organizationId: 'o', documentId: 'd' }, 'Document not found: d'],
  ] as const) {
    const reply = await w.post(RUN, { url, ...request });
    expect(reply).toMatchObject({ status: 404, body: { error: { status: 'NOT_FOUND', message } } });
  }
});

test('a disabled agent does not run, custom or built-in', async () => {
  const w = await newWorkspace();
  for (const agentId of [await newAgent(w, { enabled: false }), 'lighthouse']) {
    await w.must('/v2/agents/update', { agentId, enabled: false });
    const refused = await w.post(RUN, { agentId, url });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { status: 'FAILED_PRECONDITION', message: `The agent ${agentId} is disabled.` } },
    });
    await w.must('/v2/agents/update', { agentId, enabled: true });
    await start(w, { agentId });
  }
});

test('of concurrent runs of one agent on one page of a document one starts, and the others are refused with its id', async () => {
  const w = await newWorkspace();
  await addDocuments(w, 'd', 'd2');
  const agentId = await newAgent(w);
  const request = { agentId, url, organizationId: 'o', documentId: 'd' };
  const replies = await Promise.all(Array.from({ length: 5 }, () => w.post(RUN, request)));
  const begun = replies.filter(({ status }) => status === 200);
  expect(begun).toHaveLength(1);
  const { executionId } = begun[0]!.body.result.data;
  for (const { body } of replies.filter(({ status }) => status !== 200)) {
    expect(body.error).toEqual({
      status: 'FAILED_PRECONDITION',
      message: `The agent ${agentId} is already running on this document and URL: ${executionId}.`,
    });
  }
  await start(w, { ...request, documentId: 'd2' });
  await start(w, { ...request, url: `${url}other` });
  await start(w, { ...request, agentId: 'broken-links' });
  await Promise.all([start(w, { agentId }), start(w, { agentId })]);
});

test('run refuses a model that the operator does not allow', async () => {
  stageAllowedModels(['claude/claude-sonnet-5']);
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const { status, body } = await w.post(RUN, { agentId, url, aiConfig: { model: 'gpt-9' } });
  expect([status, body.error?.status, body.error?.message]).toEqual([
    400,
    'INVALID_ARGUMENT',
    'The model openai/gpt-9 is not among those that this installation allows (REDPEN_MODELS).',
  ]);
  await w.must(RUN, { agentId, url, aiConfig: { provider: 'claude', model: 'claude-sonnet-5' } });
});
