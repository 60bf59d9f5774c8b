import { expect, onTestFinished, test } from 'vitest';
import { fakeModels, type Script } from '../../../test/fakes/models/fake-models.ts';
import { stageModels } from '../../../test/reviews/model-stage.ts';
import { bareContext, bareTask } from '../../../test/reviews/review-inputs.ts';
import { run, siteOf } from '../../../test/reviews/runs.ts';
import { expectLog } from '../../../test/run/log-watch.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import { serviceAi } from './service-ai.ts';

const agent = {
  instructions: 'Judge the links.',
  contextGathering: { strategies: ['none'] },
  execution: { executionStrategy: 'service+ai', serviceId: 'broken-links', aiConfig: { provider: 'claude' } },
};

async function useModel(script: Script) {
  const fake = await fakeModels(script);
  onTestFinished(() => fake.close());
  stageModels(fake.models);
  return fake;
}

test('a model explains, re-grades, dismisses and adds to the findings of a service', async () => {
  const fake = await useModel(() => ({
    json: {
      summary: 'Two links.',
      facts: [
        {
          number: 1,
          verdict: 'keep',
          reason: '',
          severity: 'low',
          explanation: 'Nobody clicks it.',
          suggestion: '',
        },
        {
          number: 2,
          verdict: 'dismiss',
          reason: 'It is a sample.',
          severity: '',
          explanation: '',
          suggestion: '',
        },
      ],
      findings: [
        {
          title: 'New',
          description: 'Seen by the model.',
          severity: 'info',
          issueType: 'new',
          confidence: 80,
        },
      ],
    },
  }));
  const site = await siteOf({ '/': '<a href="/gone">a</a> <a href="/away">b</a>' });
  const { execution, results } = await run(await newWorkspace(), agent, { url: `${site.url}/` });
  expect(execution).toMatchObject({ status: 'failed', llmModel: expect.stringContaining('claude/') });
  expect(results[0].findings).toMatchObject([
    { severity: 'low', description: expect.stringContaining('Nobody clicks it.'), errorType: 'http_error' },
    { title: 'New', confidence: 80 },
  ]);
  expect(execution.tokenUsage).toMatchObject({ requestCount: 1, totalTokens: 15 });
  const { system, texts } = fake.requests[0]!.question!;
  expect(system).toContain('Judge the links.');
  expect(texts.join('\n')).toContain('BEGIN DATA service-findings');
});

test('findings that a model does not mention stay as they are', async () => {
  await useModel(() => ({ json: { summary: 'Looked.', findings: [] } }));
  const site = await siteOf({ '/': '<a href="/gone">a</a>' });
  const { results } = await run(await newWorkspace(), agent, { url: `${site.url}/` });
  expect(results[0].findings).toMatchObject([{ errorType: 'http_error' }]);
});

test('an agent whose model cannot be chosen fails before any page is opened', async () => {
  const site = await siteOf({ '/': '<a href="/gone">a</a>' });
  const { execution } = await run(await newWorkspace(), agent, { url: `${site.url}/` });
  expect(execution).toMatchObject({
    status: 'error',
    error: { code: 'LLM_ERROR', retryable: false, message: expect.stringContaining('ANTHROPIC_API_KEY') },
  });
});

test('a failed request is charged and reported, and its prompt is saved', async () => {
  expectLog(/page fails.*it is not JSON/);
  await useModel(() => ({ text: 'no JSON at all' }));
  const site = await siteOf({ '/': 'Hello' });
  const w = await newWorkspace();
  const { execution, log, artifacts } = await run(
    w,
    {
      instructions: 'Look.',
      contextGathering: { strategies: ['none'] },
      execution: { aiConfig: { provider: 'openai' } },
    },
    { url: `${site.url}/` },
  );
  expect(execution).toMatchObject({
    status: 'error',
    error: { code: 'MALFORMED_RESPONSE', retryable: true },
  });
  expect(execution.tokenUsage.requestCount).toBe(2);
  expect(execution.llmModel).toMatch(/^openai\//);
  expect(artifacts).toMatchObject([{ name: 'prompt.md', mimeType: 'text/markdown' }]);
  expect(log.map(({ kind }: { kind: string }) => kind)).toEqual(
    expect.arrayContaining(['page', 'phase', 'model']),
  );
});

/** Reviews two broken links by an agent whose model is optional. */
async function review(more: object) {
  const site = await siteOf({ '/': '<a href="/gone">a</a> <a href="/away">b</a>' });
  const { deps } = await testApp();
  const lines: LogLine[] = [];
  const result = await serviceAi.execute(
    {
      ...bareTask,
      url: `${site.url}/`,
      wishes: [{ provider: 'claude' }],
      execution: { serviceId: 'broken-links', modelOptional: true },
    },
    {
      ...bareContext,
      fetch: deps.outside.fetch,
      storeArtifact: async () => 'kept',
      log: (line) => void lines.push(line),
      signal: new AbortController().signal,
      ...more,
    },
  );
  return { result, lines, messages: lines.map(({ message }) => message).join('\n') };
}

const dismissAll = {
  json: {
    summary: '',
    findings: [],
    facts: [1, 2].map((number) => ({ number, verdict: 'dismiss', reason: 'It is fine.', severity: 'info' })),
  },
};

test('dismissed findings are kept with the reason, and on a page with a prompt injection nothing is dismissed', async () => {
  const fake = await fakeModels(() => dismissAll);
  onTestFinished(() => fake.close());
  const { result, messages } = await review({ models: fake.models });
  expect(result.findings).toEqual([]);
  expect(result.dismissed).toMatchObject([{ reason: 'It is fine.' }, { reason: 'It is fine.' }]);
  expect(messages).toContain('The model dismissed');
  const injection = { kind: 'suppress', where: 'x', quote: 'q', reading: 'q', confidence: 90 } as const;
  const injected = await review({
    models: fake.models,
    screener: { ...bareContext.screener, injections: [injection] },
  });
  expect(injected.result.findings).toMatchObject([{ severity: 'high' }, { severity: 'high' }]);
  expect(injected.messages).toContain('are ignored');
});

test('an agent with an optional model reports the findings of its service if no model answers', async () => {
  const alone = await review({});
  expect(alone.result.findings).toHaveLength(2);
  expect(alone.messages).toContain('No language model is configured.');
  const fake = await fakeModels(() => ({ status: 400, message: 'No.' }));
  onTestFinished(() => fake.close());
  const failed = await review({ models: fake.models });
  expect(failed.result.findings).toHaveLength(2);
  expect(failed.messages).toContain('The language model gave no answer');
  expect([alone.lines.at(-1)?.level, failed.lines.at(-1)?.level]).toEqual(['info', 'warn']);
});
