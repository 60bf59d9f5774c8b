import { expect, test } from 'vitest';
import { newAgent, start } from '../../../../test/reviews/executions.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { addAnalytics } from '../../../store/agents/analytics.ts';

const GET = '/v2/agents/analytics/get';

async function addUsage(w: TestWorkspace, agentId: string, month: string, model: string, tokens: number) {
  const { deps } = await testApp();
  const entry = { findings: 1, promptTokens: tokens, completionTokens: 2, thoughtsTokens: 1, requests: 3 };
  await deps.db
    .transaction()
    .execute((tx) => addAnalytics(tx, w, { agentId, month, model, ...entry, totalTokens: tokens + 2 }));
}

const usage = (promptTokens: number, times = 1) => ({
  requestCount: 3 * times,
  promptTokens,
  completionTokens: 2 * times,
  thoughtsTokens: times,
  totalTokens: promptTokens + 2 * times,
});

test('analytics report tokens by year, month and model, and the number of runs per agent', async () => {
  const w = await newWorkspace();
  const [a, b] = [await newAgent(w), await newAgent(w)];
  await start(w, { agentId: a });
  await start(w, { agentId: 'broken-links' });
  await addUsage(w, a, '2025-12', 'claude/claude-sonnet-4.5', 1);
  await addUsage(w, a, '2026-01', 'claude/claude-sonnet-4.5', 10);
  await addUsage(w, a, '2026-02', 'openai/org/m', 100);
  await addUsage(w, b, '2026-02', 'openai/org/m', 1_000);
  await addUsage(w, b, '2026-02', '', 0);

  const { body } = await w.post(GET, {});
  const { tokenUsage, executionCounts } = body.result.data.analytics;
  const claude = 'claude_claude-sonnet-4_5';
  expect(tokenUsage).toEqual({
    allTime: usage(1_111, 4),
    yearly: {
      2025: { [claude]: usage(1) },
      2026: { [claude]: usage(10), openai_org_m: usage(1_100, 2) },
    },
    byModel: { [claude]: usage(11, 2), openai_org_m: usage(1_100, 2) },
  });
  expect(executionCounts).toEqual({
    [a]: { executionCount: 1, lastExecutedAt: expect.any(Number) },
    [b]: { executionCount: 0, lastExecutedAt: null },
    'broken-links': { executionCount: 1, lastExecutedAt: expect.any(Number) },
  });

  const narrow = await w.must(GET, { agentId: a, year: '2026', month: '02', model: 'openai/org/m' });
  expect(narrow.analytics.tokenUsage).toEqual({
    allTime: usage(111, 3),
    yearly: { 2026: { [claude]: usage(10), openai_org_m: usage(100) } },
    monthly: { '02': { openai_org_m: usage(100) } },
    byModel: { openai_org_m: usage(100) },
  });
  expect(Object.keys(narrow.analytics.executionCounts)).toEqual([a]);
});

test('an unknown agent has no usage, and an invalid year or month is refused', async () => {
  const w = await newWorkspace();
  const { analytics } = await w.must(GET, { agentId: 'none', year: '2026' });
  expect(analytics).toEqual({
    tokenUsage: {
      allTime: { requestCount: 0, promptTokens: 0, completionTokens: 0, thoughtsTokens: 0, totalTokens: 0 },
      yearly: {},
      monthly: {},
      byModel: {},
    },
    executionCounts: { none: { executionCount: 0, lastExecutedAt: null } },
  });
  const { status, body } = await w.post(GET, { year: '26', month: '13' });
  expect([status, body.error.message]).toEqual([
    400,
    'year must be a year of four digits.\nmonth must be a month, from 01 to 12.',
  ]);
});
