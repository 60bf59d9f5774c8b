import { expect, test } from 'vitest';
import { giveVectors, type Judged, judge } from '../../../../test/memory/judged-history.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { DAY_MS } from '../../../lib/day.ts';

const profile = async (w: TestWorkspace, targetUserId?: string) => {
  await w.post('/v2/memory/consolidate', {});
  return (await w.post('/v2/memory/profiles/get', { targetUserId })).body.result;
};

/** Noon of a day, so that the hour is known. */
const noon = (daysAgo: number): number => Math.floor(Date.now() / DAY_MS - daysAgo) * DAY_MS + DAY_MS / 2;

test('a profile describes what a person judged, where, when and how', async () => {
  const w = await newWorkspace();
  await judge(w, [
    { organizationId: 'acme', contentType: 'price', decision: 'reject', createdAt: noon(3) },
    { organizationId: 'acme', contentType: 'price', decision: 'comment', createdAt: noon(4) },
    { organizationId: 'acme', contentType: 'title', createdAt: noon(5) },
    { organizationId: 'globex', contentType: 'title', decision: 'agree', createdAt: noon(2) },
    { by: 'bo', createdAt: noon(1) },
    { agent: { agentId: 'broken-links' }, createdAt: noon(1) },
  ]);
  expect(await profile(w, 'ana')).toEqual({
    userId: 'ana',
    name: 'Name of ana',
    email: 'ana@example.com',
    totalJudgments: 4,
    approvalRate: 0.667,
    avgReviewTimeSeconds: 0,
    topFlags: [{ issue: 'price', count: 2 }],
    contentTypes: ['price', 'title'],
    peakHours: [12],
    orgBreakdown: {
      acme: {
        organizationId: 'acme',
        clientOrganizationId: 'acme',
        judgments: 3,
        approvals: 1,
        approvalRate: 0.5,
      },
      globex: {
        organizationId: 'globex',
        clientOrganizationId: 'globex',
        judgments: 1,
        approvals: 1,
        approvalRate: 1,
      },
    },
    lastActive: noon(2),
    twinEligible: false,
    twinAccuracy: null,
  });
  expect(await profile(w, 'nobody')).toBeNull();
  expect(await profile(w)).toBeNull();
});

test('a standard that a person gave up is reported with both rates', async () => {
  const w = await newWorkspace();
  const at = (daysAgo: number, decision: string): Judged => ({
    contentType: 'title',
    decision,
    createdAt: Date.now() - daysAgo * DAY_MS,
  });
  await judge(
    w,
    [10, 20, 30, 40, 50].map((days) => at(days, 'reject')),
  );
  await judge(
    w,
    [100, 110, 120, 130, 140].map((days) => at(days, days === 140 ? 'reject' : 'approve')),
  );
  expect((await profile(w, 'ana')).evolvedStandards).toEqual([
    {
      topic: 'title',
      shiftDate: (Math.floor(Date.now() / DAY_MS) - 90) * DAY_MS,
      oldPattern: 'Approved 80% of 5 decisions.',
      newPattern: 'Approved 0% of 5 decisions.',
    },
  ]);
});

test('with enough judgments, the decisions of a person can be predicted as accurately as that person is consistent', async () => {
  const w = await newWorkspace();
  const judgments = Array.from({ length: 60 }, (_, index) => ({
    id: `j${index}`,
    content: 'What was reviewed.',
    // All prices are rejected, and nine in ten titles are approved.
    decision: index % 2 === 0 || index % 20 === 1 ? 'reject' : 'approve',
    createdAt: Date.now() - index * 3_600_000,
  }));
  await judge(w, judgments);
  await giveVectors(
    w,
    Object.fromEntries(judgments.map(({ id }, index) => [id, index % 2 === 0 ? [1, 0] : [0, 1]])),
  );
  const { twinEligible, twinAccuracy } = await profile(w, 'ana');
  expect(twinEligible).toBe(true);
  expect(twinAccuracy).toBeCloseTo(0.95, 1);
});

test('the time to decide starts when the annotation is created', async () => {
  const w = await newWorkspace();
  const { deps } = await testApp();
  const place = { organizationId: 'acme', documentId: 'home' };
  await w.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  await w.must('/v2/commentannotations/add', {
    ...place,
    createDocument: true,
    commentAnnotations: [
      { annotationId: 'note', commentData: [{ commentText: 'Hm.', from: { userId: 'ana' } }] },
    ],
  });
  const { createdAt } = await deps.db
    .selectFrom('annotations')
    .select('createdAt')
    .where('apiKeyId', '=', w.apiKeyId)
    .executeTakeFirstOrThrow();
  await w.must('/v2/commentannotations/update', {
    ...place,
    annotationIds: ['note'],
    updatedData: { status: { id: 'RESOLVED', name: 'Resolved', type: 'terminal' } },
  });
  await deps.db
    .updateTable('judgments')
    .set({ createdAt: createdAt + 90_000, reviewerId: 'bo' })
    .where('apiKeyId', '=', w.apiKeyId)
    .where('origin', '=', 'status')
    .execute();
  expect(await profile(w, 'bo')).toMatchObject({ avgReviewTimeSeconds: 90, totalJudgments: 1 });
});
