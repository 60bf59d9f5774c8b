import { expect, test } from 'vitest';
import { remembering } from '../../../test/memory/judged-history.ts';
import { newWorkspace, type TestWorkspace } from '../../../test/service/harness.ts';
import { DAY_MS } from '../../lib/day.ts';

const SEARCH = '/v2/memory/search';
const ana = { userId: 'ana', name: 'Ana' };
const bot = { userId: 'bot', name: 'Bot' };
const home = { organizationId: 'acme', documentId: 'home' };
const at = (day: number) => Date.UTC(2026, 0, day);

const judgments = [
  {
    id: 'contrast',
    ...home,
    annotationId: 'thread',
    decision: 'reject',
    reasoning: 'The grey text on the buy button cannot be read by people who see badly.',
    content: 'Checkout button in light grey',
    contentType: 'style',
    actionUser: ana,
    createdAt: at(3),
  },
  {
    id: 'tone',
    ...home,
    annotationId: 'thread',
    decision: 'approve',
    reasoning: 'The friendly voice of the headline suits our brand.',
    content: 'Welcome back, we missed you!',
    actionUser: bot,
    judgeType: 'agent',
    agent: { agentId: 'tone-checker', executionId: 'run-1' },
    confidence: 0.6,
    createdAt: at(1),
  },
  {
    id: 'code',
    organizationId: 'acme',
    documentId: 'legal',
    decision: 'comment',
    reasoning: 'Seen again after the release.',
    content: 'The page shows ERR-4521 at the end of the form.',
    actionUser: ana,
    createdAt: at(2),
  },
  {
    id: 'neighbor',
    organizationId: 'acme',
    documentId: 'legal',
    decision: 'comment',
    reasoning: 'ERR-4522 is shown for an empty form.',
    actionUser: ana,
    createdAt: at(4),
  },
  {
    id: 'loose',
    decision: 'resolve',
    reasoning: 'Terms were checked by legal.',
    actionUser: ana,
    createdAt: at(5),
  },
];

async function search(w: TestWorkspace, data: object) {
  const { status, body } = await w.post(SEARCH, { query: 'anything', ...data });
  expect(status, JSON.stringify(body)).toBe(200);
  return {
    ...body.result,
    // biome-ignore lint/suspicious/noExplicitAny: an answer.
    ids: body.result.results.map((one: any) => one.recordId),
    // biome-ignore lint/suspicious/noExplicitAny: an answer.
    similarities: body.result.results.map((one: any) => one.similarity),
  };
}

test('judgments are found by meaning, within their scope and by their filters', async () => {
  const w = await remembering(judgments);
  const query = 'accessibility: low contrast';
  const all = await w.post(SEARCH, { query });
  expect(Object.keys(all.body)).toEqual(['result']);
  const { results, totalInScope, searchLatencyMs } = all.body.result;
  expect(totalInScope).toBe(5);
  expect(searchLatencyMs).toBeGreaterThan(0);
  expect(results[0]).toEqual({
    recordId: 'contrast',
    reasoning: judgments[0]!.reasoning,
    decision: 'reject',
    confidence: 1,
    actionUser: ana,
    createdAt: at(3),
    similarity: expect.any(Number),
    scope: 'document',
    agent: null,
    judgeType: 'human',
    contentType: 'style',
    content: 'Checkout button in light grey',
    ...home,
    annotationId: 'thread',
    origin: 'import',
  });
  expect(results[0].similarity).toBeGreaterThan(0.2);
  expect(results[0].similarity).toBeLessThan(1);

  const scopes = async (data: object) => (await search(w, { query, ...data })).ids.sort();
  expect(await scopes({})).toEqual(['code', 'contrast', 'loose', 'neighbor', 'tone']);
  expect(await scopes({ organizationId: 'acme' })).toEqual(['code', 'contrast', 'neighbor', 'tone']);
  expect(await scopes({ orgId: 'acme', docId: 'home' })).toEqual(['contrast', 'tone']);
  expect(await scopes({ ...home, scope: 'document' })).toEqual(['contrast', 'tone']);
  expect(await scopes({ ...home, scope: 'organization' })).toHaveLength(4);
  expect(await scopes({ ...home, scope: 'apiKey' })).toHaveLength(5);
  expect(await scopes({ organizationId: 'other' })).toEqual([]);

  const filtered = async (filters: object) => (await search(w, { query, filters })).ids.sort();
  expect(await filtered({ decision: 'rejected' })).toEqual(['contrast']);
  expect(await filtered({ decision: 'approve' })).toEqual(['tone']);
  expect(await filtered({ judgeType: 'agent' })).toEqual(['tone']);
  expect(await filtered({ contentType: 'style' })).toEqual(['contrast']);
  expect(await filtered({ reviewerId: 'bot' })).toEqual(['tone']);
  expect(await filtered({ excludeDocumentIds: ['home', 'other'] })).toEqual(['code', 'loose', 'neighbor']);
  expect(await filtered({ dateRange: { start: '2026-01-02', end: at(3) } })).toEqual(['code', 'contrast']);
  expect(await filtered({ dateRange: { start: '2026-01-04T12:00:00Z' } })).toEqual(['loose']);

  const few = await search(w, { query, filters: { reviewerId: 'ana' }, limit: 2 });
  expect([few.ids.length, few.totalInScope]).toEqual([2, 4]);

  await w.post('/v2/memory/judgments/delete', { recordIds: ['contrast'] });
  const after = await search(w, { query });
  expect([after.ids.includes('contrast'), after.totalInScope]).toEqual([false, 4]);
});

test('a thread is sorted oldest first, and recent judgments newest first, whatever the query', async () => {
  const now = Date.now();
  const lately = [1, 2, 40].map((days) => ({
    ...judgments[0],
    id: `days-${days}`,
    annotationId: 'other',
    createdAt: now - days * DAY_MS + 60_000,
  }));
  const w = await remembering([...judgments, ...lately]);
  const thread = await search(w, {
    organizationId: 'acme',
    filters: { annotationId: 'thread', dateRange: { end: 1 } },
    recencyDays: 1,
  });
  expect(thread).toMatchObject({ ids: ['tone', 'contrast'], similarities: [1, 1], totalInScope: 2 });
  expect(thread.results[0]).toMatchObject({
    confidence: 0.6,
    agent: { agentId: 'tone-checker', executionId: 'run-1' },
  });
  expect(
    await search(w, { organizationId: 'acme', filters: { annotationId: 'thread', decision: 'reject' } }),
  ).toMatchObject({ ids: ['contrast'], totalInScope: 1 });

  expect(await search(w, { recencyDays: 2, filters: { dateRange: { start: 0, end: 1 } } })).toMatchObject({
    ids: ['days-1', 'days-2'],
    similarities: [1, 1],
    totalInScope: 2,
  });
  expect(await search(w, { recencyDays: 1, limit: 1 })).toMatchObject({ ids: ['days-1'], totalInScope: 1 });
  expect(await search(w, { recencyDays: 365, limit: 2 })).toMatchObject({ totalInScope: 3 + 5 });
});

test('exact names are found in any field, ahead of similar names and before judgments have vectors', async () => {
  const w = await remembering(judgments);
  expect((await search(w, { query: 'what about ERR-4521?' })).ids[0]).toBe('code');
  expect((await search(w, { query: 'err 4522' })).ids[0]).toBe('neighbor');
  const content = await search(w, { query: 'grey button in the checkout', embeddingType: 'content' });
  expect(content.ids[0]).toBe('contrast');
  // Judgments without content are not compared, but count as in scope.
  expect([content.ids.length, content.totalInScope]).toEqual([3, 5]);

  await w.post('/v2/memory/judgments/add', {
    judgments: [{ id: 'new', decision: 'reject', reasoning: 'Breaks with JIRA-77.', actionUser: ana }],
  });
  const fresh = await search(w, { query: 'JIRA-77' });
  expect(fresh.results[0]).toMatchObject({ recordId: 'new', similarity: 0 });
  expect(fresh.totalInScope).toBe(6);
});

test('a place without its organization, a blank query and a range of no dates are refused', async () => {
  const w = await newWorkspace();
  for (const [data, message] of [
    [{ query: ' \n', recencyDays: 3 }, 'query must not be empty.'],
    [{ documentId: 'home' }, 'organizationId'],
    [{ scope: 'organization' }, 'organizationId'],
    [{ scope: 'document', organizationId: 'acme' }, 'documentId'],
    [{ filters: { decision: 'maybe' } }, 'filters.decision'],
    [{ filters: { annotationId: 'thread' } }, 'organizationId'],
    [
      { filters: { dateRange: { start: 2, end: 1 } } },
      'filters.dateRange.start must not be after filters.dateRange.end.',
    ],
    [
      { filters: { dateRange: { start: 'yesterday' } } },
      'filters.dateRange.start must be a moment in ISO 8601, or in epoch milliseconds.',
    ],
    [{ filters: { dateRange: { start: '2026-02-31' } } }, 'filters.dateRange.start'],
  ] as const) {
    const { body } = await w.post(SEARCH, { query: 'contrast', ...data });
    expect([data, body.error.status]).toEqual([data, 'INVALID_ARGUMENT']);
    expect(body.error.message).toContain(message);
  }
});
