import { expect, test } from 'vitest';
import { giveVectors, type Judged, judge } from '../../../../test/memory/judged-history.ts';
import { newWorkspace, type TestWorkspace } from '../../../../test/service/harness.ts';

const consolidate = async (w: TestWorkspace, data: object = {}) =>
  (await w.post('/v2/memory/consolidate', data)).body.result;
const patterns = async (w: TestWorkspace) => (await w.post('/v2/memory/patterns/get')).body.result;

const ABOUT_PRICES = [1, 0, 0.1];
const ABOUT_TITLES = [0, 1, 0.1];

const price = (id: string, more: Judged = {}): Judged => ({
  id,
  organizationId: 'acme',
  decision: 'reject',
  reasoning: `The price of ${id} lacks a currency.`,
  content: `${id} costs 5`,
  contentType: 'price',
  ...more,
});

test('similar judgments become a pattern that describes what reviewers do', async () => {
  const w = await newWorkspace();
  expect(await patterns(w)).toEqual([]);
  await judge(w, [
    price('cup', { by: 'ana' }),
    price('pen', { by: 'bo' }),
    price('hat', { by: 'bo' }),
    price('bag', { by: 'cy', decision: 'approved' }),
    price('told-to', { agent: { agentId: 'a', injected: true }, decision: 'approve' }),
    // Two judgments are too few for a pattern.
    price('title', { decision: 'approve' }),
    price('subtitle', { decision: 'approve' }),
  ]);
  await giveVectors(w, {
    cup: ABOUT_PRICES,
    pen: [1, 0.1, 0.1],
    hat: [1, -0.3, 0.1],
    bag: [1, 0, 0.5],
    'told-to': ABOUT_PRICES,
    title: ABOUT_TITLES,
    subtitle: ABOUT_TITLES,
  });
  const before = Date.now();
  const done = await consolidate(w);
  expect(done).toMatchObject({ patterns: 1, profiles: 3, alerts: 0, judgmentsRead: 7 });
  expect(done.completedAt).toBeGreaterThanOrEqual(done.startedAt);
  const [pattern, ...others] = await patterns(w);
  expect(others).toEqual([]);
  expect(pattern).toEqual({
    patternId: expect.stringMatching(/^pat_/),
    scope: 'org',
    organizationId: 'acme',
    description: 'Reviewers reject price (for example “cup costs 5”): The price of cup lacks a currency.',
    confidence: expect.closeTo(0.301, 3),
    sourceCount: 4,
    contentType: 'price',
    category: 'rejected',
    discoveredAt: expect.any(Number),
    updatedAt: pattern.discoveredAt,
    enforcementRate: 0.75,
    uniqueReviewers: 3,
    topSourceRecordIds: ['cup', 'pen', 'hat', 'bag'],
  });
  expect(pattern.discoveredAt).toBeGreaterThanOrEqual(before);
});

test('a pattern keeps its id when judgments are added, and is only updated if it changed', async () => {
  const w = await newWorkspace();
  await judge(
    w,
    ['cup', 'pen', 'hat'].map((id) => price(id)),
  );
  await giveVectors(w, { cup: ABOUT_PRICES, pen: ABOUT_PRICES, hat: ABOUT_PRICES });
  await consolidate(w);
  const [first] = await patterns(w);
  expect(await consolidate(w)).toMatchObject({ patterns: 0, judgmentsRead: 0 });
  expect(await consolidate(w, { force: true })).toMatchObject({ patterns: 1, judgmentsRead: 3 });
  expect(await patterns(w)).toEqual([first]);
  await judge(w, [price('bag')]);
  await giveVectors(w, { bag: ABOUT_PRICES });
  await consolidate(w);
  const [second] = await patterns(w);
  expect(second).toMatchObject({
    patternId: first.patternId,
    discoveredAt: first.discoveredAt,
    sourceCount: 4,
  });
  expect(second.updatedAt).toBeGreaterThan(first.updatedAt);
});

test('a revoked judgment is not quoted any more, and a pattern without support is removed at once', async () => {
  const w = await newWorkspace();
  await judge(
    w,
    ['cup', 'pen', 'hat', 'bag'].map((id) => price(id)),
  );
  await giveVectors(w, { cup: [1, 0, 0], pen: [1, 0.05, 0], hat: [1, -0.1, 0], bag: [1, 0, 0.3] });
  await consolidate(w);
  const quoted = async () => (await patterns(w))[0]?.topSourceRecordIds;
  const [central] = await quoted();
  await w.post('/v2/memory/judgments/delete', { recordIds: [central] });
  expect(await quoted()).toHaveLength(3);
  expect(await quoted()).not.toContain(central);
  expect(JSON.stringify(await patterns(w))).not.toContain(`The price of ${central}`);
  expect((await patterns(w))[0].sourceCount).toBe(3);
  await w.post('/v2/memory/judgments/delete', { recordIds: [(await quoted())[0]] });
  expect(await patterns(w)).toEqual([]);
  expect(await consolidate(w)).toMatchObject({ patterns: 0, judgmentsRead: 2 });
});

test('judgments across organizations form a pattern of the API key, but not of an organization with too few', async () => {
  const w = await newWorkspace();
  await judge(w, [
    price('cup'),
    price('pen', { organizationId: 'globex' }),
    price('hat', { organizationId: 'globex' }),
  ]);
  await giveVectors(w, { cup: ABOUT_PRICES, pen: ABOUT_PRICES, hat: ABOUT_PRICES });
  await consolidate(w);
  const found = await patterns(w);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ scope: 'apiKey', sourceCount: 3 });
  expect(found[0]).not.toHaveProperty('organizationId');
});

test('a pattern is disputed if reviewers decide both ways about equally often', async () => {
  const w = await newWorkspace();
  const ids = ['a', 'b', 'c', 'd', 'e'];
  await judge(
    w,
    ids.map((id, index) => price(id, { decision: index < 2 ? 'approve' : 'reject' })),
  );
  await giveVectors(w, Object.fromEntries(ids.map((id) => [id, ABOUT_PRICES])));
  await consolidate(w);
  expect(await patterns(w)).toMatchObject([{ category: 'disputed', enforcementRate: 0.6 }]);
});

test('statistics count judgments, patterns and other records', async () => {
  const w = await newWorkspace();
  await judge(
    w,
    ['cup', 'pen', 'hat'].map((id) => price(id)),
  );
  await giveVectors(w, { cup: ABOUT_PRICES, pen: ABOUT_PRICES, hat: ABOUT_PRICES });
  await consolidate(w);
  expect((await w.post('/v2/memory/stats/get')).body.result).toEqual({
    totalActivities: 3,
    totalProfiles: 1,
    totalPatterns: 1,
    totalKnowledgeSources: 0,
  });
});
