import { expect, test } from 'vitest';
import {
  annotations,
  dispatch,
  links,
  onDocument,
  run,
  siteOf,
  small,
  work,
  workspaceWithDocument,
} from '../../../test/reviews/runs.ts';
import { expectLog } from '../../../test/run/log-watch.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';

test('a run over a site reports each fault on its page and annotates the document', async () => {
  const site = await siteOf(small);
  const w = await workspaceWithDocument();
  const { execution, results } = await run(w, links, {
    url: site.url,
    crossPageExecute: true,
    ...onDocument,
  });
  expect(execution).toMatchObject({
    status: 'failed',
    resultsSummary: { totalFindings: 3, totalAnnotationsCreated: 3, urlsProcessed: 3, urlsWithFindings: 2 },
  });
  const found = results.flatMap((result: { url: string; findings: { url: string }[] }) =>
    result.findings.map((finding) => [new URL(result.url).pathname, finding.url.replace(site.url, '')]),
  );
  expect(found).toEqual(
    expect.arrayContaining([
      ['/', '/gone'],
      ['/', '/b#nowhere'],
      ['/a', '/gone'],
    ]),
  );
  expect(site.requests.filter((line) => line === 'GET /b' || line === 'HEAD /b')).toHaveLength(1);
  const written = await annotations(w);
  expect(written).toHaveLength(3);
  expect(written[0]).toMatchObject({
    type: 'suggestion',
    sourceType: 'agent',
    suggestion: { status: 'pending' },
    agent: { executionId: execution.id, agentSource: 'platform', agentType: 'custom' },
  });
  expect(written[0].comments).toHaveLength(1);
  expect(new Set(written.map((one: { annotationNumber: number }) => one.annotationNumber)).size).toBe(3);
});

test('a failed page does not affect the results of the others', async () => {
  expectLog(/page fails.*HTTP 404/);
  const site = await siteOf({ '/': '<a href="/a">a</a>', '/a': '<a href="/gone">x</a>' });
  const w = await newWorkspace();
  const executionId = await dispatch(w, links, { url: site.url, crossPageExecute: true });
  const { deps } = await testApp();
  // This page existed when the run was planned, and not when it is reviewed.
  const { planPages } = await import('../../store/agents/execution-pages.ts');
  await deps.db
    .transaction()
    .execute((tx) =>
      planPages(tx, { apiKeyId: w.apiKeyId, executionId }, [
        `${site.url}/`,
        `${site.url}/vanished`,
        `${site.url}/a`,
      ]),
    );
  const { execution, results } = await work(w, executionId);
  expect(execution.status).toBe('partial');
  expect(execution.resultsSummary).toMatchObject({ urlsProcessed: 3, urlsErrored: 1, totalFindings: 1 });
  const failed = results.find((result: { status: string }) => result.status === 'failed');
  expect(failed).toMatchObject({
    url: `${site.url}/vanished`,
    error: { code: 'CONTEXT_GATHERING_ERROR', message: expect.stringContaining('404') },
  });
});

test('a run whose start page cannot be read ends with an error that gives the reason', async () => {
  expectLog(/page fails.*HTTP 404/);
  const w = await newWorkspace();
  const site = await siteOf({});
  const single = await run(w, links, { url: `${site.url}/none` });
  expect(single.execution).toMatchObject({
    status: 'error',
    error: { code: 'CONTEXT_GATHERING_ERROR', retryable: true },
  });
  const crossPage = await run(w, links, { url: `${site.url}/none`, crossPageExecute: true });
  expect(crossPage.execution).toMatchObject({ status: 'error', error: { code: 'CRAWLER_ERROR' } });
});

test('a run passes on a clean page, and is skipped if the page is out of scope or an input is missing', async () => {
  const site = await siteOf({ '/': '<p>fine</p>' });
  const w = await newWorkspace();
  expect((await run(w, links, { url: site.url })).execution.status).toBe('passed');
  const scoped = await run(w, { ...links, scope: { pageScope: ['/docs/**'] } }, { url: site.url });
  expect(scoped.execution.status).toBe('skipped');
  const withVariables = await run(w, { ...links, input: { variableKeys: ['brand'] } }, { url: site.url });
  expect(withVariables.execution).toMatchObject({
    status: 'skipped',
    resultsSummary: { summary: expect.stringContaining('brand') },
  });
});

test.each([
  ['alone', {}],
  // Only built-in agents may have an optional model.
  ['beside a service', { executionStrategy: 'service+ai', serviceId: 'broken-links', modelOptional: true }],
])(
  'a run that needs a model (%s) and has none ends with an error that names the settings',
  async (_, execution_) => {
    const w = await newWorkspace();
    const { execution } = await run(
      w,
      { instructions: 'Look.', contextGathering: { strategies: ['web-page-text'] }, execution: execution_ },
      { url: 'http://127.0.0.1:9/' },
    );
    expect(execution).toMatchObject({
      status: 'error',
      error: { code: 'LLM_ERROR', retryable: false, message: expect.stringContaining('ANTHROPIC_API_KEY') },
    });
  },
);

test('page-level makes one annotation for a page, and none or a disabled stage makes no annotation', async () => {
  const site = await siteOf(small);
  for (const [annotationsStage, expected] of [
    [{ strategy: 'page-level' }, 1],
    [{ strategy: 'none' }, 0],
    [{ enabled: false }, 0],
    [{ strategy: 'word-level' }, 2],
  ] as const) {
    const w = await workspaceWithDocument();
    const { execution } = await run(
      w,
      { ...links, postProcess: { annotations: annotationsStage } },
      { url: site.url, ...onDocument },
    );
    expect([annotationsStage, execution.resultsSummary.totalAnnotationsCreated]).toEqual([
      annotationsStage,
      expected,
    ]);
    expect(execution.resultsSummary.totalFindings).toBe(2);
  }
});

test('an unknown custom processor is skipped with a line in the log', async () => {
  const site = await siteOf({ '/': 'x' });
  const w = await newWorkspace();
  const { log } = await run(w, { ...links, postProcess: { customProcessors: ['tidy'] } }, { url: site.url });
  expect(log.map((line: { message: string }) => line.message).join('\n')).toContain('tidy');
});

test('findings stay with the execution if the document is deleted during the run', async () => {
  const site = await siteOf(small);
  const w = await workspaceWithDocument();
  const executionId = await dispatch(w, links, { url: site.url, ...onDocument });
  await w.must('/v2/organizations/documents/delete', { organizationId: 'o', documentIds: ['d'] });
  const { execution } = await work(w, executionId);
  expect(execution.resultsSummary).toMatchObject({ totalFindings: 2, totalAnnotationsCreated: 0 });
});

test('a page that redirects browsers to a missing page is reviewed as it is served', async () => {
  const site = await siteOf({
    // The script is one for which a browser reads the page.
    '/': `<meta http-equiv=refresh content="0; url=/gone"><a href="/gone-too">x</a>
      <script>document.write('<b>x</b>')</script>`,
  });
  const w = await newWorkspace();
  const agent = { ...links, contextGathering: { strategies: ['web-page-links'] } };
  const { execution, results, log } = await run(w, agent, { url: `${site.url}/` });
  expect(execution.status).toBe('failed');
  expect(
    results[0].findings.map((finding: { url: string }) => finding.url.replace(site.url, '')).sort(),
  ).toEqual(['/gone', '/gone-too']);
  expect(log.some((line: { message: string }) => line.message.includes('HTTP 404'))).toBe(true);
});

test('text that the database refuses, or that is cut within a character, loses no finding of a page', async () => {
  const wordy = `${'x'.repeat(78)}${'🙂'.repeat(60)}`;
  const site = await siteOf({
    '/': `<p>up</p><a id="half">half</a><script>
      const half = document.getElementById('half');
      half.append('\\ud83d', String.fromCharCode(0));
      half.href = '/gone';
    </script><a href="/gone-too" title="${'x'.repeat(158)}${wordy}">${wordy}</a>`,
  });
  const w = await workspaceWithDocument();
  for (const [strategies, faulty] of [
    [['none'], ['/gone-too']],
    [['web-page-links'], ['/gone', '/gone-too']],
  ]) {
    const agent = { ...links, contextGathering: { strategies } };
    const { execution, results } = await run(w, agent, { url: site.url, ...onDocument });
    expect(execution).toMatchObject({ status: 'failed', resultsSummary: { urlsErrored: 0 } });
    const found = results[0].findings.map((finding: { url: string }) => new URL(finding.url).pathname);
    expect(found).toEqual(faulty);
  }
});

test('the event of a run without a document names no organization, and carries the error', async () => {
  expectLog(/page fails.*connection refused/);
  const w = await newWorkspace();
  const { execution } = await run(w, links, { url: 'http://127.0.0.1:1/' });
  expect(execution.status).toBe('error');
  const { deps } = await testApp();
  const { payload } = await deps.db
    .selectFrom('events')
    .select('payload')
    .where('apiKeyId', '=', w.apiKeyId)
    .where('name', '=', 'agent_execution.completed')
    .executeTakeFirstOrThrow();
  const { occurredAt: _, ...error } = execution.error;
  expect(payload).toMatchObject({ executionId: execution.id, status: 'error', error });
  expect(payload).not.toHaveProperty('organizationId');
  expect(payload).not.toHaveProperty('documentId');
});
