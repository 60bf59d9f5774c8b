import { expect, test } from 'vitest';
import type { Report, ReportFinding, ReportPage } from '../../../report/report.ts';
import { showRound } from './show-round.ts';
import { joinReports, joinRounds } from './watch-rounds.ts';

const ORIGIN = 'http://127.0.0.1:4000';
const PARTLY = { gone: [], acrossPages: new Set(['duplicate-title']) };
const WHOLLY = { gone: [], acrossPages: undefined };

const finding = (path: string, targetText: string, more: Partial<ReportFinding> = {}): ReportFinding => ({
  id: targetText,
  number: 1,
  pageUrl: ORIGIN + path,
  title: 'Misspelled word',
  description: `The word ${targetText} is misspelled.`,
  severity: 'low',
  issueType: 'spelling',
  suggestion: '',
  confidence: 100,
  targetText,
  occurrence: 1,
  context: { before: '', after: '' },
  htmlSelector: 'p',
  agents: ['spell-check'],
  alsoKnownAs: [],
  ...more,
});

function reportOf(paths: string[], findings: ReportFinding[], more: Partial<Report> = {}): Report {
  return {
    schema: 'redpen-report/1',
    redpen: '0.1.0',
    id: 'review_1',
    startedAt: 1,
    completedAt: 2,
    verdict: 'findings',
    urls: [ORIGIN + paths[0]],
    deviceType: 'desktop',
    agents: ['spell-check', 'broken-links'].map((agentId) => ({
      agentId,
      name: agentId,
      executionIds: [],
      verdict: 'findings',
      pages: paths.length,
      findings: findings.length,
      durationMs: 1,
    })),
    pages: paths.map((path): ReportPage => ({ url: ORIGIN + path, status: 'reviewed', problems: [] })),
    findings,
    fixed: [],
    rules: {},
    notes: [],
    ...more,
  };
}

const textsOf = (findings: readonly ReportFinding[]) => findings.map(({ targetText }) => targetText);
const first = reportOf(['/', '/b'], [finding('/', 'recieve'), finding('/b', 'seperate')]);

test('a round says what is new and fixed on its pages, and keeps the others', () => {
  const latest = reportOf(
    ['/b'],
    [finding('/b', 'untill'), finding('/b', 'link', { severity: 'high', issueType: 'broken-link' })],
  );
  const { report, added, fixed } = joinRounds(first, latest, PARTLY);
  expect(textsOf(report.findings)).toEqual(['link', 'recieve', 'untill']);
  expect(report.findings.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect([...added]).toEqual([1, 3]);
  expect(fixed).toEqual([expect.objectContaining({ pageUrl: `${ORIGIN}/b`, issueType: 'spelling' })]);
  expect(report.pages.map(({ url }) => url)).toEqual([`${ORIGIN}/`, `${ORIGIN}/b`]);
  expect(report.urls).toEqual(first.urls);
  expect(report.agents[0]).toMatchObject({ pages: 2, findings: 3 });
});

test('a finding in an edited paragraph is neither new nor fixed, and a mended one returns as new', () => {
  const moved = finding('/b', 'seperate', {
    htmlSelector: 'div > p',
    context: { before: 'A ', after: ' loft' },
  });
  const edited = joinRounds(first, reportOf(['/b'], [moved]), PARTLY);
  expect([edited.added.size, edited.fixed.length]).toEqual([0, 0]);
  const mended = joinRounds(edited.report, reportOf(['/b'], []), PARTLY);
  expect([mended.added.size, mended.fixed.length]).toEqual([0, 1]);
  const again = joinRounds(mended.report, reportOf(['/b'], [moved]), PARTLY);
  expect([again.added.size, again.fixed.length]).toEqual([1, 0]);
});

test('a page or an agent that fails fixes nothing', () => {
  const failed: ReportPage = { url: `${ORIGIN}/b`, status: 'failed', problems: [] };
  const unread = joinRounds(first, reportOf(['/b'], [], { pages: [failed] }), PARTLY);
  expect([textsOf(unread.report.findings), unread.fixed]).toEqual([['recieve', 'seperate'], []]);
  const agents = first.agents.map((agent) => ({ ...agent, error: 'It ended.' }));
  expect(joinRounds(first, reportOf(['/b'], [], { agents }), PARTLY).fixed).toEqual([]);
});

test('a page that is gone takes its findings along', () => {
  const { report, fixed } = joinRounds(first, reportOf(['/'], [finding('/', 'recieve')]), {
    ...WHOLLY,
    gone: [`${ORIGIN}/b`],
  });
  expect(report.pages).toHaveLength(1);
  expect([textsOf(report.findings), fixed]).toEqual([['recieve'], []]);
});

test('only a review of all pages decides on what compares them', () => {
  const twins = finding('/b', 'Boats', { issueType: 'duplicate-title', agents: ['broken-links'] });
  const before = reportOf(['/', '/b'], [twins]);
  expect(joinRounds(before, reportOf(['/b'], []), PARTLY)).toMatchObject({
    fixed: [],
    report: { findings: [twins] },
  });
  expect(joinRounds(before, reportOf(['/', '/b'], []), WHOLLY).fixed).toHaveLength(1);
});

test('reports on different pages are joined', () => {
  const one = reportOf(['/'], [finding('/', 'recieve')]);
  const agents = one.agents.map((agent) => ({ ...agent, error: 'It ended.' }));
  const {
    pages,
    findings,
    agents: joined,
  } = joinReports([one, reportOf(['/b'], [finding('/b', 'untill')], { agents })]);
  expect([pages.length, textsOf(findings), joined[0]?.error]).toEqual([
    2,
    ['recieve', 'untill'],
    'It ended.',
  ]);
});

test('a round is shown in a line for each change, with the total last', () => {
  const latest = reportOf(
    ['/b'],
    [finding('/b', 'untill\x1b[2J'), finding('/b', 'link', { failsGate: true })],
  );
  const round = joinRounds(first, latest, PARTLY);
  const gate = {
    failOn: 'low',
    onlyNew: false,
    passed: false,
    reasons: ['1 finding is of severity low or graver.'],
  };
  const report = { ...round.report, gate: { ...gate, failOn: 'low' as const } };
  expect(showRound({ ...round, report }, false)).toBe(
    [
      '✔ fixed  low       Misspelled word  /b  spelling',
      '● new    low       Misspelled word: “untill”  /b  spelling',
      '✖ new    low       Misspelled word: “link”  /b  spelling',
      '2 new, 1 fixed; 3 findings on 2 pages. Fails: 1 finding is of severity low or graver.',
      '',
    ].join('\n'),
  );
  expect(showRound({ ...round, report }, true)).toContain('\x1b[32m✔ fixed\x1b[39m');
  const calm = {
    report: { ...report, gate: { ...report.gate, passed: true } },
    added: new Set<number>(),
    fixed: [],
  };
  expect(showRound(calm, false)).toBe('Nothing new, nothing fixed; 3 findings on 2 pages. Passes.\n');
});
