import { onTestFinished } from 'vitest';
import { runExecution } from '../../src/review/run/run-execution.ts';
import { type FakeSite, fakeSite, type Page } from '../fakes/site.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../service/harness.ts';

/** A fake site, which is closed when the test ends. */
export async function siteOf(pages: Record<string, Page>): Promise<FakeSite> {
  const site = await fakeSite(pages);
  onTestFinished(() => site.close());
  return site;
}

/** An agent that checks links, without a browser. */
export const links = {
  contextGathering: { strategies: ['none'] },
  execution: { executionStrategy: 'service', serviceId: 'broken-links' },
};

export async function workspaceWithDocument(): Promise<TestWorkspace> {
  const w = await newWorkspace();
  await w.must('/v1/organizations/documents/add', {
    organizationId: 'o',
    documents: [{ documentId: 'd', documentName: 'D' }],
  });
  return w;
}

/** Creates an agent and starts a run, which waits for `work`. */
export async function dispatch(w: TestWorkspace, agent: object, run: object): Promise<string> {
  const { agentId } = await w.must('/v2/agents/create', { name: 'A', ...agent });
  return (await w.must('/v2/agents/execution/run', { agentId, ...run })).executionId;
}

/** Executes a run as a worker would, and returns everything that is stored about it. */
export async function work(w: TestWorkspace, executionId: string, signal = new AbortController().signal) {
  const { deps } = await testApp();
  await runExecution({ workspaceId: w.workspaceId, apiKeyId: w.apiKeyId, executionId }, deps, signal);
  return await w.must('/v2/agents/execution/get', { executionId, includeResults: true, includeLog: true });
}

export const run = async (w: TestWorkspace, agent: object, request: object) =>
  work(w, await dispatch(w, agent, request));
export const annotations = (w: TestWorkspace) =>
  w.must('/v2/commentannotations/get', { organizationId: 'o', documentId: 'd' });
export const onDocument = { organizationId: 'o', documentId: 'd' };

/** The pages of a site with three faults on two of them. */
export const small = {
  '/': '<a href="/a">a</a> <a href="/gone">gone</a> <a href="/b#nowhere">b</a>',
  '/a': '<a href="/">home</a> <a href="/gone">gone too</a>',
  '/b': '<p id="here">b</p>',
};

/** A workspace with a document, whose page a run has found faults on. */
export async function workspaceWithFindings(pages: Record<string, string> = small) {
  const w = await workspaceWithDocument();
  const { url } = await siteOf(pages);
  const { agentId } = await w.must('/v2/agents/create', { name: 'Links', ...links });
  const { executionId } = await w.must('/v2/agents/execution/run', { agentId, url, ...onDocument });
  await work(w, executionId);
  // biome-ignore lint/suspicious/noExplicitAny: findings as the API shows them.
  const findings: any[] = (await w.must('/v2/agents/findings/list', { pageSize: 500 })).findings;
  return { w, findings, url };
}
