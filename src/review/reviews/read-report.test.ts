import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import { planPages, writePage } from '../../store/agents/execution-pages.ts';
import { requireReview } from '../../store/agents/reviews.ts';
import { reportOfReview } from './read-report.ts';

const PAGE = 'https://example.com/';

const finding = (more: Partial<Finding>): Finding => ({
  id: 'finding-1',
  title: 'T',
  description: 'D',
  severity: 'low',
  targetText: '',
  occurrence: 1,
  sourceUrl: PAGE,
  suggestion: '',
  htmlSelector: '',
  targetElementXpath: '',
  isPageLevel: false,
  issueType: 'spelling',
  findingType: 'pin',
  confidence: 100,
  causeId: 'cause',
  source: 'instructions',
  ...more,
});

async function reviewOf(w: TestWorkspace, byAgent: Record<string, Finding[]>) {
  const { deps } = await testApp();
  const agents = Object.keys(byAgent);
  const { reviewId, executionIds } = await w.must('/v2/reviews/run', { urls: [PAGE], agents });
  for (const [index, findings] of Object.values(byAgent).entries()) {
    const ref = { apiKeyId: w.apiKeyId, executionId: executionIds[index] };
    await deps.db.transaction().execute(async (tx) => {
      await planPages(tx, ref, [PAGE]);
      const page = { url: PAGE, status: 'completed', annotationsCreated: 0, detail: {} } as const;
      await writePage(tx, ref, { ...page, findings });
    });
  }
  return await reportOfReview(deps.db, await requireReview(deps.db, w, reviewId));
}

test('a report that has no room for all findings has the gravest of all agents', async () => {
  const w = await newWorkspace();
  const many = Array.from({ length: 10_001 }, (_, index) => finding({ targetText: `word${index}` }));
  const report = await reviewOf(w, {
    'spell-check': many,
    'broken-links': [finding({ issueType: 'broken-link', severity: 'critical', url: `${PAGE}gone` })],
  });
  expect(report.findings).toHaveLength(10_000);
  expect(report.findings[0]).toMatchObject({ severity: 'critical', agents: ['broken-links'] });
  expect(report.notes).toContain(
    'The agents have 10002 findings. The report has 10000 of them, the gravest ones.',
  );
});
