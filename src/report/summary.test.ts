import { expect, test } from 'vitest';
import { emptyReport, SITE, sampleFinding, usualReport } from './fixtures/sample-report.ts';
import type { Gate, ReportPage } from './report.ts';
import { summarizeGate, summaryOf } from './summary.ts';

const pages = (...statuses: ReportPage['status'][]): ReportPage[] =>
  statuses.map((status, at) => ({ url: `${SITE}/${at}`, status, problems: [] }));

test('what does not count is only in the number of ignored findings', () => {
  expect(summaryOf(usualReport())).toEqual({
    findings: 7,
    bySeverity: { critical: 2, high: 4, medium: 0, low: 1, info: 0 },
    new: 2,
    stillThere: 5,
    fixed: 1,
    ignored: 2,
    ignoredBy: { baseline: 1, decision: 1 },
    pages: { reviewed: 4, failed: 1, skipped: 1 },
    pagesWithFindings: 4,
    headline: '7 findings on 4 pages: 2 critical, 4 high, 1 low',
    changes: '2 new, 5 known, 1 fixed, 2 ignored',
    gate: { passed: false, label: 'FAIL', sentence: '6 findings are critical or high.' },
  });
});

test('the headline says why there are no findings', () => {
  const headline = (verdict: 'clean' | 'incomplete' | 'broken', ...statuses: ReportPage['status'][]) =>
    summaryOf(emptyReport({ verdict, pages: pages(...statuses) })).headline;
  expect(headline('clean', 'reviewed', 'reviewed')).toBe('No findings on 2 pages');
  expect(headline('incomplete', 'reviewed', 'failed')).toBe(
    'No findings on 1 page, but 1 page was not reviewed',
  );
  expect(headline('incomplete', 'reviewed')).toBe('No findings on 1 page, but the review is incomplete');
  expect(headline('broken', 'reviewed')).toBe('No findings on 1 page, but the review did not finish');
  expect(headline('broken', 'failed', 'skipped')).toBe('None of 2 pages could be reviewed');
  expect(headline('broken')).toBe('No page was reviewed');
});

test('changes are only counted if there is something to compare with', () => {
  expect(summaryOf(emptyReport({ findings: [sampleFinding()] })).changes).toBe('');
  expect(summaryOf(emptyReport({ findings: [sampleFinding({ ignored: 'baseline' })] })).changes).toBe(
    '1 ignored',
  );
});

test('a gate says in sentences why it passes or fails', () => {
  const sentence = (gate: Partial<Gate>) =>
    summarizeGate({ failOn: 'high', onlyNew: false, passed: true, reasons: [], ...gate }).sentence;
  expect(sentence({})).toBe('No finding is critical or high.');
  expect(sentence({ onlyNew: true, failOn: 'critical' })).toBe('No new finding is critical.');
  expect(sentence({ failOn: 'info' })).toBe('There is no finding.');
  expect(sentence({ failOn: 'never' })).toBe('Findings of any severity are allowed.');
  expect(sentence({ failOn: 'never', maxFindings: 1 })).toBe('At most 1 finding is allowed.');
  expect(sentence({ passed: false, reasons: ['Two are new', 'Ten are too many.'] })).toBe(
    'Two are new. Ten are too many.',
  );
});
