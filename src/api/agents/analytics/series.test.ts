import { expect, test } from 'vitest';
import { addDocuments, amend, newAgent, start } from '../../../../test/reviews/executions.ts';
import { links, siteOf, work } from '../../../../test/reviews/runs.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import type { Finding } from '../../../shapes/agents/execution.ts';
import { insertFindings } from '../../../store/agents/execution-findings.ts';
import type { FindingRecordRow } from '../../../store/agents/finding-records.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

const SERIES = '/v2/agents/analytics/series';
const at = (time: string) => Date.parse(`2026-11-${time}Z`);

/** A run that ended, with findings of these severities. */
async function run(
  w: TestWorkspace,
  request: object,
  row: Parameters<typeof amend>[2],
  findings: readonly Pick<Finding, 'severity' | 'comparison'>[] = [],
) {
  const executionId = await start(w, request);
  await amend(w, executionId, row);
  const { deps } = await testApp();
  const rows = findings.map((finding) => ({ ...finding, causeId: 'c' }) as Finding);
  await deps.db
    .transaction()
    .execute((tx) => insertFindings(tx, { apiKeyId: w.apiKeyId, executionId }, 0, rows));
}

const linksTo = (...names: string[]) =>
  `<div>${names.map((name) => `<p><a href="/${name}">${name}</a></p>`).join('\n')}</div>`;

/** The ids of all findings by the names of the links. */
async function findingsOf(w: TestWorkspace): Promise<Map<string, string>> {
  const { findings } = await w.must('/v2/agents/findings/list', {});
  return new Map(findings.map(({ url, id }: Any) => [new URL(url).pathname.slice(1), id]));
}

async function setTimes(
  w: TestWorkspace,
  findingId: string,
  times: Partial<Pick<FindingRecordRow, 'firstSeenAt' | 'fixedAt' | 'decidedAt'>>,
) {
  const { deps } = await testApp();
  await deps.db
    .updateTable('findingRecords')
    .set(times)
    .where('apiKeyId', '=', w.apiKeyId)
    .where('findingId', '=', findingId)
    .execute();
}

const usage = (totalTokens: number) => ({
  ...{ promptTokens: totalTokens, completionTokens: 0, thoughtsTokens: 0, totalTokens, requestCount: 1 },
});

test('runs, findings, durations and tokens are counted by day, with zeros for days without runs', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  await run(
    w,
    { agentId },
    {
      ...{ status: 'failed', startedAt: at('10T08:00:00'), completedAt: at('10T08:00:10') },
      outcome: { llmModel: 'openai/small', tokenUsage: usage(100) },
    },
    [{ severity: 'high' }, { severity: 'low' }, { severity: 'low' }],
  );
  await run(
    w,
    { agentId },
    {
      ...{ status: 'failed', startedAt: at('10T09:00:00'), completedAt: at('10T09:00:20') },
      outcome: {
        comparison: {
          ...{ previousExecutionId: 'e', new: 1, stillThere: 1, fixed: 60 },
          fixedFindings: [{ title: 't', issueType: 'i', severity: 'high', sourceUrl: 'u' }],
        },
      },
    },
    [
      { severity: 'low', comparison: 'still_there' },
      { severity: 'critical', comparison: 'new' },
    ],
  );
  await run(
    w,
    { agentId },
    { status: 'passed', startedAt: at('12T23:30:00'), completedAt: at('12T23:30:05') },
  );
  await start(w, { agentId });

  const { days, ...range } = await w.must(SERIES, { from: '2026-11-09', to: '2026-11-12' });
  expect(range).toEqual({ timeZone: 'UTC', from: '2026-11-09', to: '2026-11-12' });
  expect(days.map(({ date, runs }: { date: string; runs: { total: number } }) => [date, runs.total])).toEqual(
    [
      ['2026-11-09', 0],
      ['2026-11-10', 2],
      ['2026-11-11', 0],
      ['2026-11-12', 1],
    ],
  );
  const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  expect(days[1]).toEqual({
    date: '2026-11-10',
    runs: {
      total: 2,
      byStatus: { running: 0, passed: 0, failed: 2, partial: 0, error: 0, skipped: 0 },
    },
    findings: {
      new: { total: 4, bySeverity: { ...none, critical: 1, high: 1, low: 2 } },
      fixed: { total: 60, bySeverity: { ...none, high: 1 } },
      open: { total: 0, bySeverity: none },
    },
    duration: { p50Ms: 15_000, p95Ms: 19_500 },
    tokens: [{ model: 'openai/small', ...usage(100), cost: null }],
  });
  expect(days[2]).toMatchObject({
    duration: { p50Ms: null, p95Ms: null },
    tokens: [],
  });
});

test('tokens of models with a price have a cost', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  const startedAt = at('10T08:00:00');
  const used = { ...usage(2_500), promptTokens: 2_000, completionTokens: 500, thoughtsTokens: 200 };
  for (const llmModel of ['claude/priced', 'claude/free', 'claude/other']) {
    const outcome = { llmModel, tokenUsage: used };
    await run(w, { agentId }, { status: 'passed', startedAt, completedAt: startedAt + 1, outcome });
  }
  const { days } = await w.must(SERIES, { from: '2026-11-10', to: '2026-11-10' });
  expect(days[0].tokens.map(({ model, cost }: Any) => [model, cost])).toEqual([
    ['claude/free', 0],
    ['claude/other', null],
    // 2,000 tokens at 1.25 and 500 at 10 for a million.
    ['claude/priced', 0.0075],
  ]);
});

test('a finding is open at the end of each day from its first run until it is fixed, rejected or resolved', async () => {
  const w = await newWorkspace();
  const pages = { '/': linksTo('one', 'two', 'three', 'four', 'five') };
  const { url } = await siteOf(pages);
  const { agentId } = await w.must('/v2/agents/create', { name: 'Links', ...links });
  const review = async () => {
    const { executionId } = await w.must('/v2/agents/execution/run', { agentId, url });
    await work(w, executionId);
  };
  await review();
  const all = await findingsOf(w);
  expect([...all.keys()].sort()).toEqual(['five', 'four', 'one', 'three', 'two']);
  const decide = (name: string, decision: string) =>
    w.must('/v2/agents/findings/decide', { findingIds: [all.get(name)], decision });
  await decide('two', 'rejected');
  await decide('three', 'resolved');
  await decide('four', 'accepted');
  await decide('five', 'rejected');
  await decide('five', 'undecided');
  pages['/'] = linksTo('two', 'three', 'four', 'five');
  await review();
  await setTimes(w, all.get('one')!, { firstSeenAt: at('10T08:00:00'), fixedAt: at('12T08:00:00') });
  await setTimes(w, all.get('two')!, { firstSeenAt: at('10T08:00:00'), decidedAt: at('11T08:00:00') });
  await setTimes(w, all.get('three')!, { firstSeenAt: at('11T08:00:00'), decidedAt: at('11T09:00:00') });
  await setTimes(w, all.get('four')!, { firstSeenAt: at('12T23:59:59'), decidedAt: at('13T08:00:00') });
  await setTimes(w, all.get('five')!, { firstSeenAt: at('14T00:00:00') });

  const openFrom = async (from: string, to: string, filter: object = {}): Promise<number[]> => {
    const { days } = await w.must(SERIES, { from: `2026-11-${from}`, to: `2026-11-${to}`, ...filter });
    return days.map(({ findings }: Any) => findings.open.total);
  };
  expect(await openFrom('09', '15')).toEqual([0, 2, 1, 1, 1, 2, 2]);
  for (const [from, open] of [
    ['10', [2]],
    ['11', [1]],
    ['12', [1]],
    ['13', [1]],
    ['14', [2]],
  ] as const)
    expect(await openFrom(from, from), from).toEqual(open);
  expect(await openFrom('09', '15', { agentId: await newAgent(w) })).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(await openFrom('14', '14', { agentId })).toEqual([2]);

  const { days } = await w.must(SERIES);
  const listed = await w.must('/v2/agents/findings/list', {});
  expect(days.at(-1).findings.open.total).toBe(listed.findings.length);
  await decide('five', 'resolved');
  expect((await w.must(SERIES)).days.at(-1).findings.open.total).toBe(1);
});

test('days begin at midnight of the time zone, and today is the last day', async () => {
  const w = await newWorkspace();
  const agentId = await newAgent(w);
  await run(
    w,
    { agentId },
    { status: 'passed', startedAt: at('12T23:30:00'), completedAt: at('12T23:31:00') },
  );
  const asked = { from: '2026-11-12', to: '2026-11-13', timeZone: 'Europe/Berlin' };
  const { days } = await w.must(SERIES, asked);
  expect(days.map(({ runs }: { runs: { total: number } }) => runs.total)).toEqual([0, 1]);
  const recent = await w.must(SERIES);
  expect(recent.days).toHaveLength(30);
  expect(recent.days.at(-1).date).toBe(recent.to);
});

test('the series is filtered by agent, organization and document', async () => {
  const w = await newWorkspace();
  const [one, other] = [await newAgent(w), await newAgent(w)];
  await addDocuments(w, 'd1', 'd2');
  const row = { status: 'passed', startedAt: at('12T10:00:00'), completedAt: at('12T10:00:01') } as const;
  await run(w, { agentId: one, organizationId: 'o', documentId: 'd1' }, row);
  await run(w, { agentId: one, organizationId: 'o', documentId: 'd2' }, row);
  await run(w, { agentId: other }, row);
  const runsOf = async (filter: object) => {
    const { days } = await w.must(SERIES, { from: '2026-11-12', to: '2026-11-12', ...filter });
    return days[0].runs.total;
  };
  expect(await runsOf({})).toBe(3);
  expect(await runsOf({ agentId: one })).toBe(2);
  expect(await runsOf({ organizationId: 'o' })).toBe(2);
  expect(await runsOf({ organizationId: 'o', documentId: 'd1' })).toBe(1);
  expect(await runsOf({ agentId: 'agent_none' })).toBe(0);
});

test('ranges that make no sense are refused', async () => {
  const w = await newWorkspace();
  const messageOf = async (data: object) => (await w.post(SERIES, data)).body.error.message;
  expect(await messageOf({ from: '2026-11-13', to: '2026-11-12' })).toBe(
    'from must not be after to, which is 2026-11-12.',
  );
  expect(await messageOf({ from: '2025-11-12', to: '2026-11-13' })).toBe(
    'The range has 367 days; 366 are allowed.',
  );
  expect(await messageOf({ from: '2026-02-30' })).toContain('must be a day, such as 2026-11-30');
  expect(await messageOf({ timeZone: '+01:00' })).toContain('must be the name of a time zone');
  expect(await messageOf({ documentId: 'd' })).toContain('documentId needs organizationId.');
});
