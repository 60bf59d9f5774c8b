import { expect, test } from 'vitest';
import type { Report, ReportFinding } from '../../../report/report.ts';
import { applyBaseline, parseBaseline, printBaseline, renewBaseline } from './baseline.ts';

const finding = (more: Partial<ReportFinding> = {}): ReportFinding => ({
  id: 'f1',
  number: 1,
  pageUrl: 'http://127.0.0.1:4000/boats.html',
  title: 'Misspelled word',
  description: 'The word recieve is misspelled.',
  severity: 'low',
  issueType: 'spelling',
  suggestion: 'receive',
  confidence: 100,
  targetText: 'recieve',
  occurrence: 1,
  context: { before: 'Members ', after: ' a letter every spring.' },
  htmlSelector: 'main > p:nth-of-type(2)',
  agents: ['spell-check'],
  alsoKnownAs: [],
  ...more,
});

function reportOf(findings: ReportFinding[], origin = 'http://127.0.0.1:4000'): Report {
  return {
    schema: 'redpen-report/1',
    redpen: '0.1.0',
    id: 'review_1',
    startedAt: 1,
    completedAt: 2,
    verdict: 'findings',
    urls: [`${origin}/`],
    deviceType: 'desktop',
    agents: ['spell-check', 'broken-links'].map((agentId) => ({
      agentId,
      name: agentId,
      executionIds: [],
      verdict: 'findings',
      pages: 2,
      findings: 1,
      durationMs: 1,
    })),
    pages: ['/', '/boats.html'].map((path) => ({ url: origin + path, status: 'reviewed', problems: [] })),
    findings,
    fixed: [],
    rules: {},
    notes: [],
  };
}

const baselineOf = (report: Report) => renewBaseline(report, undefined);
const statesOf = ({ findings }: Report) => findings.map(({ state, ignored }) => [state, ignored]);

test('what the baseline knows does not count, on another server and on an edited page, too', () => {
  const baseline = baselineOf(reportOf([finding()]));
  const origin = 'https://branch-7.example.com';
  const edited = finding({
    id: 'another',
    pageUrl: `${origin}/boats.html`,
    context: { before: 'All new members ', after: ' a letter every autumn.' },
    htmlSelector: 'main > section > p:nth-of-type(5)',
    occurrence: 2,
  });
  const other = finding({ pageUrl: `${origin}/boats.html`, targetText: 'seperate', suggestion: 'separate' });
  const report = applyBaseline(reportOf([edited, other], origin), baseline);
  expect(statesOf(report)).toEqual([
    ['still_there', 'baseline'],
    ['new', undefined],
  ]);
  expect(report.fixed).toEqual([]);
});

test('the file is the same for the same site on another host', () => {
  const fileOn = (origin: string) => {
    const link = finding({
      pageUrl: `${origin}/boats.html`,
      title: 'Broken link',
      issueType: 'broken-link',
      description: `The link ${origin}/heron.html answers with HTTP 404. See https://dev.example.com/404.`,
      htmlSnippet: `<a href="${origin}/heron.html">Heron</a>`,
      url: `${origin}/heron.html`,
    });
    return printBaseline(baselineOf(reportOf([link], origin)));
  };
  const file = fileOn('http://127.0.0.1:4000');
  expect(file).toContain('The link /heron.html answers with HTTP 404. See https://dev.example.com/404.');
  expect(file).not.toContain('127.0.0.1');
  expect(fileOn('https://branch-7.example.com')).toBe(file);
});

test('a broken link is known at another address of the site', () => {
  const link = (origin: string) =>
    finding({
      pageUrl: `${origin}/boats.html`,
      issueType: 'broken-link',
      title: 'Broken link',
      description: `${origin}/gone answers 404.`,
      targetText: 'Gone',
      url: `${origin}/gone`,
      agents: ['broken-links'],
    });
  const baseline = baselineOf(reportOf([link('http://127.0.0.1:4000')]));
  expect(Object.values(baseline.pages)[0]).toMatchObject([{ url: '/gone' }]);
  const origin = 'http://127.0.0.1:5000';
  expect(statesOf(applyBaseline(reportOf([link(origin)], origin), baseline))).toEqual([
    ['still_there', 'baseline'],
  ]);
});

test('agents may name a fault otherwise than the first time', () => {
  const baseline = baselineOf(reportOf([finding({ issueType: 'image-alt', alsoKnownAs: ['missing-alt'] })]));
  const report = reportOf([finding({ issueType: 'missing-alt', alsoKnownAs: [] })]);
  expect(statesOf(applyBaseline(report, baseline))).toEqual([['still_there', 'baseline']]);
});

test('what is gone is fixed, if its page and agent were reviewed again', () => {
  const baseline = baselineOf(reportOf([finding()]));
  expect(applyBaseline(reportOf([]), baseline).fixed).toEqual([
    {
      title: 'Misspelled word',
      issueType: 'spelling',
      severity: 'low',
      pageUrl: 'http://127.0.0.1:4000/boats.html',
    },
  ]);
  const { pages, agents, ...rest } = reportOf([]);
  const withoutPage = { ...rest, agents, pages: pages.slice(0, 1) };
  const withoutAgent = { ...rest, pages, agents: agents.slice(1) };
  const problem = { agentId: 'spell-check', message: 'The page is too large.' };
  const withProblem = { ...rest, agents, pages: pages.map((page) => ({ ...page, problems: [problem] })) };
  for (const report of [withoutPage, withoutAgent, withProblem]) {
    expect(applyBaseline(report, baseline).fixed).toEqual([]);
    expect(renewBaseline(report, baseline)).toEqual(baseline);
  }
});

test('a renewed baseline knows what is there, and forgets what is fixed', () => {
  const before = baselineOf(reportOf([finding()]));
  const report = reportOf([finding({ targetText: 'seperate' })]);
  const after = renewBaseline(applyBaseline(report, before), before);
  expect(Object.values(after.pages).flat()).toMatchObject([{ targetText: 'seperate' }]);
  expect(statesOf(applyBaseline(report, after))).toEqual([['still_there', 'baseline']]);
});

test('a decision of a person stays visible, and is not written to the baseline', () => {
  const report = reportOf([finding({ ignored: 'decision', decision: 'rejected' })]);
  expect(Object.values(baselineOf(report).pages).flat()).toEqual([]);
  expect(statesOf(applyBaseline(report, baselineOf(report)))).toEqual([['new', 'decision']]);
});

test('the file is the same for the same findings in any order, and is read again', () => {
  const [one, other] = [finding(), finding({ targetText: 'seperate', pageUrl: 'http://127.0.0.1:4000/' })];
  const text = printBaseline(baselineOf(reportOf([one, other])));
  expect(printBaseline(baselineOf(reportOf([other, one])))).toBe(text);
  expect(printBaseline(parseBaseline(text) as never)).toBe(text);
  expect(text).not.toContain('127.0.0.1');
  const keys = [...text.matchAll(/^ {8}"(\w+)"/gm)].map(([, key]) => key);
  expect(keys.slice(0, keys.length / 2)).toEqual(keys.slice(0, keys.length / 2).toSorted());
});

test.each([
  ['{', /^It is not JSON: /],
  ['[]', /^It is no baseline of Redpen: /],
  ['{"schema":"redpen-baseline/2","pages":{}}', /schema/],
  ['{"schema":"redpen-baseline/1","pages":{"/":[{"title":1}]}}', /pages\.\//],
])('a file with %s is refused', (text, problem) => {
  expect(parseBaseline(text)).toMatch(problem);
});
