import { expect, test } from 'vitest';
import { judge } from './gate.ts';
import type { Report, ReportFinding } from './report.ts';

const finding = (more: Partial<ReportFinding>): ReportFinding => ({
  id: 'f1',
  number: 1,
  pageUrl: 'https://example.com/',
  title: 'Title',
  description: '',
  severity: 'high',
  issueType: 'broken-link',
  suggestion: '',
  confidence: 100,
  targetText: '',
  occurrence: 1,
  htmlSelector: '',
  agents: ['broken-links'],
  alsoKnownAs: [],
  ...more,
});

const reportOf = (...findings: Partial<ReportFinding>[]): Report => ({
  schema: 'redpen-report/1',
  redpen: '0.1.0',
  id: 'review_1',
  startedAt: 1,
  completedAt: 2,
  verdict: 'findings',
  urls: ['https://example.com/'],
  deviceType: 'desktop',
  agents: [],
  pages: [],
  findings: findings.map(finding),
  fixed: [],
  rules: {
    'slow-page': { title: 'Slow', help: '', category: 'performance', defaultSeverity: 'high' },
  },
  notes: [],
});

const byDefault = { failOn: 'high', onlyNew: false } as const;

test('findings of the severity and graver ones fail, and are marked', () => {
  const report = reportOf({ severity: 'critical' }, { severity: 'high' }, { severity: 'medium' });
  const judged = judge(report, byDefault);
  expect(judged.gate).toEqual({
    failOn: 'high',
    onlyNew: false,
    passed: false,
    reasons: ['2 findings are of severity high or graver.'],
  });
  expect(judged.findings.map(({ failsGate }) => failsGate)).toEqual([true, true, undefined]);
  expect(report.findings[0]).not.toHaveProperty('failsGate');
});

test.each([
  ['critical', ['1 finding is critical.']],
  ['medium', ['3 findings are of severity medium or graver.']],
  ['info', ['There are 5 findings.']],
  ['never', []],
] as const)('the severity may be %s', (failOn, reasons) => {
  const report = reportOf(
    ...(['critical', 'high', 'medium', 'low', 'info'] as const).map((severity) => ({ severity })),
  );
  expect(judge(report, { failOn, onlyNew: false }).gate).toMatchObject({
    passed: reasons.length === 0,
    reasons,
  });
});

test('findings that the baseline has or that people decided against do not count', () => {
  const report = reportOf({ ignored: 'baseline' }, { ignored: 'decision' });
  expect(judge(report, { ...byDefault, maxFindings: 0 }).gate).toMatchObject({ passed: true, reasons: [] });
});

test('known findings can be left out; without anything to compare with, all are new', () => {
  const conditions = { ...byDefault, onlyNew: true };
  expect(judge(reportOf({ state: 'still_there' }), conditions).gate?.passed).toBe(true);
  expect(judge(reportOf({ state: 'new' }), conditions).gate?.reasons).toEqual([
    '1 new finding is of severity high or graver.',
  ]);
  expect(judge(reportOf({}), conditions).gate?.passed).toBe(false);
});

test('more findings than the limit fail, whatever their severity', () => {
  const report = reportOf({ severity: 'info' }, { severity: 'low' });
  expect(judge(report, { ...byDefault, maxFindings: 1 }).gate).toEqual({
    failOn: 'high',
    onlyNew: false,
    maxFindings: 1,
    passed: false,
    reasons: ['There are 2 findings, and at most 1 may remain.'],
  });
  expect(judge(report, { ...byDefault, maxFindings: 2 }).gate?.passed).toBe(true);
});

test('scores of performance count only if a severity was chosen for them', () => {
  const report = reportOf({ issueType: 'slow-page' });
  expect(judge(report, { ...byDefault, maxFindings: 0 }).gate?.passed).toBe(true);
  expect(judge(report, { ...byDefault, chosen: ['slow-page'] }).gate?.passed).toBe(false);
});

test('an incomplete review does not pass, even if it has no findings', () => {
  const incomplete = 'Not everything could be reviewed.';
  expect(judge(reportOf(), { failOn: 'never', onlyNew: false, incomplete }).gate).toMatchObject({
    passed: false,
    reasons: [incomplete],
  });
});
