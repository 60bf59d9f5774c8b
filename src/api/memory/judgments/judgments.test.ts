import { expect, test } from 'vitest';
import { newWorkspace } from '../../../../test/service/harness.ts';

const ADD = '/v2/memory/judgments/add';
const QUERY = '/v2/memory/judgments/query';
const DELETE = '/v2/memory/judgments/delete';

const place = { organizationId: 'acme', documentId: 'home' };
const ana = { userId: 'ana', name: 'Ana', email: 'ana@example.com' };
const judgment = { ...place, decision: 'reject', reasoning: 'Too long.', actionUser: ana };

test('judgments can be imported, and replaced by their ids', async () => {
  const w = await newWorkspace();
  const first = await w.post(ADD, {
    judgments: [
      { ...judgment, id: 'one', content: 'A headline.', contentType: 'headline', createdAt: 1_000 },
      { ...judgment, decision: 'approved', confidence: 0.4, createdAt: 2_000 },
      { decision: 'comment', reasoning: 'Of no place.', actionUser: { userId: 'bo' }, createdAt: 3_000 },
    ],
  });
  expect(first.body).toEqual({ result: { added: 3, replaced: 0, failed: [] } });
  const again = await w.post(ADD, {
    judgments: [{ ...judgment, id: 'one', reasoning: 'Still too long.', createdAt: 1_000 }],
  });
  expect(again.body).toEqual({ result: { added: 0, replaced: 1, failed: [] } });
  const { body } = await w.post(QUERY, {});
  expect(body.result.total).toBe(3);
  expect(body.result.results).toEqual([
    expect.objectContaining({
      scope: 'apiKey',
      organizationId: null,
      actionUser: { userId: 'bo', name: '' },
    }),
    expect.objectContaining({
      recordId: expect.stringMatching(/^jdg_/),
      decision: 'approve',
      confidence: 0.4,
    }),
    {
      recordId: 'one',
      ...place,
      annotationId: null,
      decision: 'reject',
      reasoning: 'Still too long.',
      content: null,
      contentType: null,
      confidence: 1,
      judgeType: 'human',
      actionUser: ana,
      agent: null,
      createdAt: 1_000,
      scope: 'document',
      origin: 'import',
    },
  ]);
});

test('invalid judgments are reported by index, and the others are stored', async () => {
  const w = await newWorkspace();
  const { status, body } = await w.post(ADD, {
    judgments: [
      { documentId: 'home', decision: 'maybe', reasoning: 'x' },
      { ...judgment, id: 'twice', reasoning: 'Earlier.' },
      'no judgment',
      { ...judgment, id: 'twice', reasoning: 'Later.' },
      { ...judgment, reasoning: 'x'.repeat(20_001) },
      { ...judgment, organizationId: '字'.repeat(500), documentId: '字'.repeat(500) },
    ],
  });
  expect(status).toBe(200);
  expect(body.result).toMatchObject({ added: 1, replaced: 0 });
  expect(body.result.failed.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 4, 5]);
  const messages = body.result.failed.map(({ message }: { message: string }) => message);
  expect(messages[0].split('\n').map((line: string) => line.split(' ')[0])).toEqual(
    expect.arrayContaining(['organizationId', 'decision', 'actionUser']),
  );
  expect(messages[1]).toBe('judgments[3] has the same id and takes its place.');
  const left = await w.post(QUERY, {});
  expect(left.body.result.results).toMatchObject([{ recordId: 'twice', reasoning: 'Later.' }]);
  for (const judgments of [[], Array(501).fill(judgment)])
    expect((await w.post(ADD, { judgments })).body.error.status).toBe('INVALID_ARGUMENT');
});

test('a query filters by place, decision, judge and thread, and a thread is in order of time', async () => {
  const w = await newWorkspace();
  const of = (annotationId: string, decision: string, createdAt: number, more = {}) => ({
    ...judgment,
    id: `${annotationId}-${createdAt}`,
    annotationId,
    decision,
    createdAt,
    ...more,
  });
  await w.post(ADD, {
    judgments: [
      of('a1', 'comment', 1, { judgeType: 'agent', actionUser: { userId: 'checker' } }),
      of('a1', 'disagree', 2),
      of('a1', 'reject', 3),
      of('a2', 'approve', 4, { documentId: 'other', contentType: 'price' }),
    ],
  });
  const idsOf = async (data: object) =>
    (await w.post(QUERY, data)).body.result.results.map(({ recordId }: { recordId: string }) => recordId);
  expect(await idsOf({ orgId: 'acme', docId: 'other' })).toEqual(['a2-4']);
  expect(await idsOf({ decision: 'rejected' })).toEqual(['a1-3']);
  expect(await idsOf({ judgeType: 'agent' })).toEqual(['a1-1']);
  const { body: byAgent } = await w.post(QUERY, { judgeType: 'agent' });
  expect(byAgent.result.results[0].agent).toEqual({ agentId: 'checker' });
  expect(await idsOf({ contentType: 'price', reviewerId: 'ana' })).toEqual(['a2-4']);
  expect(await idsOf({ organizationId: 'acme', annotationId: 'a1', limit: 2 })).toEqual(['a1-2', 'a1-3']);
  for (const data of [{ documentId: 'home' }, { annotationId: 'a1' }, { decision: 'maybe' }]) {
    const { status, body } = await w.post(QUERY, data);
    expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
  }
});

test('a revoked judgment is deleted, and a missing one reported', async () => {
  const w = await newWorkspace();
  await w.post(ADD, { judgments: [{ ...judgment, id: 'one' }] });
  const { body } = await w.post(DELETE, { recordIds: ['one', 'unheard-of', 'unheard-of'] });
  expect(body).toEqual({ result: { deleted: 1, notFound: ['unheard-of'] } });
  expect((await w.post(QUERY, {})).body.result).toEqual({ results: [], total: 0 });
});
