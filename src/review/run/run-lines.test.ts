import { pino } from 'pino';
import { expect, test } from 'vitest';
import { countOf } from '../../../test/house/metric-counts.ts';
import { dispatch, links, siteOf, small, workspaceWithDocument } from '../../../test/reviews/runs.ts';
import { testApp } from '../../../test/service/harness.ts';
import cancel from '../../api/agents/execution/cancel.ts';
import { createServer } from '../../http/server/server.ts';
import type { Outside } from '../../outside/outside.ts';
import { runExecution } from './run-execution.ts';
import { executionsEnded, findingsReported, pagesReviewed } from './run-metrics.ts';

type Line = Record<string, unknown>;

function listenTo() {
  const lines: Line[] = [];
  const log = pino(
    { base: null, timestamp: false, formatters: { level: (level) => ({ level }) } },
    { write: (line) => lines.push(JSON.parse(line)) },
  );
  return { lines, log };
}

/** Executes a run like a worker, and returns the lines that it logs. */
async function linesOf(agent: object, request: object, outside: Partial<Outside> = {}) {
  const w = await workspaceWithDocument();
  const { deps } = await testApp();
  const executionId = await dispatch(w, agent, request);
  const { lines, log } = listenTo();
  const ref = { workspaceId: w.workspaceId, apiKeyId: w.apiKeyId, executionId };
  const signal = new AbortController().signal;
  await runExecution(ref, { ...deps, outside: { ...deps.outside, ...outside }, log }, signal);
  return { lines, executionId, apiKeyId: w.apiKeyId };
}

test('a run logs a line at its start and at its end, and is counted once', async () => {
  const site = await siteOf({ ...small, '/?token=SECRET': small['/'] });
  const labels = { agent: 'custom', status: 'failed' };
  const before = await countOf(executionsEnded, labels);
  const pagesBefore = await countOf(pagesReviewed, { agent: 'custom', outcome: 'completed' });
  const findingsBefore = (await findingsReported.get()).values.reduce((sum, { value }) => sum + value, 0);
  const { lines, executionId, apiKeyId } = await linesOf(links, {
    url: `${site.url}/?token=SECRET`,
    crossPageExecute: true,
  });
  const run = { executionId, apiKeyId, agentId: expect.any(String), agentName: 'A', url: `${site.url}/` };
  expect(lines).toEqual([
    { level: 'info', msg: 'run starts', ...run, waitedMs: expect.any(Number) },
    {
      level: 'info',
      msg: 'run ends',
      ...run,
      status: 'failed',
      ms: expect.any(Number),
      // The page without the query is the same.
      pages: 3,
      pagesFailed: 0,
      findings: 3,
    },
  ]);
  expect(await countOf(executionsEnded, labels)).toBe(before + 1);
  expect(await countOf(pagesReviewed, { agent: 'custom', outcome: 'completed' })).toBe(pagesBefore + 3);
  const findings = (await findingsReported.get()).values.reduce((sum, { value }) => sum + value, 0);
  expect(findings).toBe(findingsBefore + 3);
});

test('an unreachable address is logged as a warning with a code and without a stack', async () => {
  const site = await siteOf(small);
  const { lines } = await linesOf(links, { url: `${site.url}/none?token=SECRET`, crossPageExecute: true });
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['info', 'run starts'],
    ['warn', 'run ends'],
  ]);
  expect(lines[1]).toMatchObject({ status: 'error', code: 'CRAWLER_ERROR' });
  expect(String(lines[1]!.reason)).toContain('404');
  expect(JSON.stringify(lines)).not.toMatch(/SECRET|stack/);
});

test('each failed page logs a warning', async () => {
  const site = await siteOf({ '/': '<p>here</p>' });
  const agent = {
    ...links,
    contextGathering: { strategies: ['web-page-text'] },
    execution: { executionStrategy: 'service', serviceId: 'og-image-checker' },
  };
  const { PageFailure } = await import('../../outside/browser/browser.ts');
  const browser = {
    withPage: async () => {
      throw new PageFailure('crash', `The browser could not open ${site.url}/?token=SECRET.`, {
        cause: new Error(`spawn /usr/bin/none ENOENT\nof ${site.url}/?token=SECRET`),
      });
    },
    close: async () => {},
  };
  const { lines, executionId } = await linesOf(agent, { url: `${site.url}/?token=SECRET` }, { browser });
  expect(lines.filter(({ msg }) => msg === 'page fails')).toEqual([
    expect.objectContaining({
      level: 'warn',
      executionId,
      url: `${site.url}/`,
      code: expect.any(String),
      reason: `The browser could not open ${site.url}/.`,
      because: `spawn /usr/bin/none ENOENT of ${site.url}/`,
    }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('SECRET');
});

test('an internal error is logged with its stack', async () => {
  const site = await siteOf({ '/': '<p>here</p>' });
  const fetch = () => {
    throw new TypeError('undefined is not a function');
  };
  const { lines } = await linesOf(links, { url: site.url, crossPageExecute: true }, { fetch });
  const faults = lines.filter(({ level }) => level === 'error');
  expect(faults).toHaveLength(1);
  expect(String((faults[0]!.err as Line).stack)).toContain('run-lines.test.ts');
});

test('a run that its caller cancels logs its end at level info, and is counted', async () => {
  const w = await workspaceWithDocument();
  const site = await siteOf(small);
  const { deps, authenticator } = await testApp();
  const { lines, log } = listenTo();
  const app = await createServer({
    deps: { ...deps, log },
    endpoints: [cancel],
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
  });
  try {
    const executionId = await dispatch(w, links, { url: site.url });
    const before = await countOf(executionsEnded, { agent: 'custom', status: 'error' });
    const reply = () =>
      app.inject({
        method: 'POST',
        url: '/v2/agents/execution/cancel',
        headers: { ...w.keyHeaders, 'content-type': 'application/json' },
        payload: JSON.stringify({ data: { executionId } }),
      });
    expect((await reply()).statusCode).toBe(200);
    expect((await reply()).statusCode).toBe(400);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'info',
        msg: 'run ends',
        executionId,
        status: 'error',
        code: 'CANCELLED',
      }),
    ]);
    expect(await countOf(executionsEnded, { agent: 'custom', status: 'error' })).toBe(before + 1);
  } finally {
    await app.close();
  }
});
