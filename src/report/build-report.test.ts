import { expect, test } from 'vitest';
import type { Finding } from '../shapes/agents/execution.ts';
import { buildReport, type RunOfReport, verdictOfRuns } from './build-report.ts';

const PAGE = 'https://acme.example/';

const finding = (more: Partial<Finding>): Finding => ({
  id: 'finding-1',
  title: 'T',
  description: 'D',
  severity: 'medium',
  targetText: '',
  occurrence: 1,
  sourceUrl: PAGE,
  suggestion: '',
  htmlSelector: '',
  targetElementXpath: '',
  isPageLevel: false,
  issueType: 'image-alt',
  findingType: 'pin',
  confidence: 100,
  source: 'instructions',
  ...more,
});

const run = (agentId: string, findings: Finding[], more: Partial<RunOfReport> = {}): RunOfReport => ({
  executionId: `exec_${agentId}`,
  agentId,
  agentName: agentId,
  verdict: findings.length > 0 ? 'findings' : 'clean',
  startedAt: 1_000,
  completedAt: 3_000,
  pages: [{ url: PAGE, status: 'completed' }],
  findings,
  ...more,
});

const report = (...runs: RunOfReport[]) =>
  buildReport({
    id: 'review_1',
    redpen: '1.0.0',
    startedAt: 1_000,
    completedAt: 3_000,
    urls: [PAGE],
    deviceType: 'desktop',
    rules: {},
    notes: [],
    runs,
  });

const box = { x: 10, y: 20, width: 100, height: 50 };

test('two agents that name the same element by other selectors report one finding', () => {
  const { findings } = report(
    run('axe', [
      finding({ htmlSelector: '.wide', position: box, severity: 'critical', suggestion: 'Add alt.' }),
    ]),
    run('lighthouse', [
      finding({ htmlSelector: 'body > img.wide', position: { ...box, y: 21 }, severity: 'high' }),
    ]),
  );
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({
    agents: ['axe', 'lighthouse'],
    severity: 'critical',
    suggestion: 'Add alt.',
    htmlSelector: '.wide',
    number: 1,
  });
});

test('an address that fails is one fault under all of its issue types, and in each of its places', () => {
  const url = 'https://acme.example/preview.png';
  const { findings } = report(
    run('links', [
      finding({ issueType: 'broken-preview', url, htmlSelector: 'meta' }),
      finding({ issueType: 'broken-link', url, htmlSelector: 'a' }),
    ]),
    run('previews', [finding({ issueType: 'og-image-unreachable', url, severity: 'high' })]),
  );
  expect(findings.map(({ issueType, alsoKnownAs, agents }) => ({ issueType, alsoKnownAs, agents }))).toEqual([
    { issueType: 'broken-preview', alsoKnownAs: ['og-image-unreachable'], agents: ['links', 'previews'] },
    { issueType: 'broken-link', alsoKnownAs: [], agents: ['links'] },
  ]);
});

test('findings of one agent, of other places, words and pages stay apart', () => {
  const { findings } = report(
    run('a', [
      finding({ htmlSelector: 'img' }),
      finding({ htmlSelector: 'img' }),
      finding({ issueType: 'spelling', targetText: 'recieve', occurrence: 1 }),
      finding({ issueType: 'spelling', targetText: 'recieve', occurrence: 2 }),
    ]),
    run('b', [
      finding({ htmlSelector: 'p', position: box }),
      finding({ htmlSelector: 'img', sourceUrl: `${PAGE}other` }),
      finding({ issueType: 'spelling', targetText: 'seperate' }),
    ]),
  );
  expect(findings).toHaveLength(7);
  expect(new Set(findings.map(({ id }) => id)).size).toBe(7);
});

test('the same finding of two runs of an agent is one', () => {
  const same = finding({ fingerprint: 'f1', htmlSelector: 'img' });
  const second = run('a', [same], { executionId: 'exec_2' });
  const { findings, agents } = report(run('a', [same]), second);
  expect(findings).toMatchObject([{ id: 'f1', agents: ['a'] }]);
  expect(agents).toMatchObject([{ agentId: 'a', executionIds: ['exec_a', 'exec_2'], pages: 1, findings: 2 }]);
});

test('a fault of several agents has one id, whichever of them knows its place', () => {
  const [a, b] = [finding({ fingerprint: 'f2' }), finding({ fingerprint: 'f1' })];
  const idOf = (one: Finding, other: Finding) => report(run('a', [one]), run('b', [other])).findings[0]!.id;
  expect(idOf({ ...a, position: box }, b)).toBe('f1');
  expect(idOf(a, { ...b, position: box })).toBe('f1');
});

test('what two runs of an agent no longer find on a page is fixed once, for each of its places', () => {
  const gone = { title: 'An image has no text.', issueType: 'image-alt', severity: 'high' } as const;
  const fixed = [
    { ...gone, sourceUrl: PAGE },
    { ...gone, sourceUrl: PAGE },
  ];
  const pages = [{ url: PAGE, status: 'completed' as const, fixed }];
  const second = run('a', [], { executionId: 'exec_2', pages });
  expect(report(run('a', [], { pages }), second).fixed).toHaveLength(2);
  expect(report(run('a', [], { pages }), run('b', [], { pages })).fixed).toHaveLength(4);
});

test('a decision on one of the duplicates counts for all, and only one that is new everywhere is new', () => {
  const { findings } = report(
    run('a', [finding({ htmlSelector: 'img', comparison: 'new' })]),
    run('b', [
      finding({
        htmlSelector: 'img',
        comparison: 'still_there',
        decision: 'rejected',
        decidedBy: { userId: 'eve', name: 'Eve' },
        reason: 'It is decoration.',
      }),
    ]),
  );
  expect(findings).toMatchObject([
    {
      state: 'still_there',
      decision: 'rejected',
      decidedBy: 'Eve',
      reason: 'It is decoration.',
      ignored: 'decision',
    },
  ]);
});

test('a decision that an assistant made for a person names both', () => {
  const decidedBy = { userId: 'eve', name: 'Eve', assistant: 'Claude Code' };
  const { findings } = report(run('a', [finding({ decision: 'rejected', decidedBy })]));
  expect(findings).toMatchObject([{ decidedBy: 'Eve (by the assistant Claude Code)' }]);
});

test('findings are in the order of severity, page and place', () => {
  const other = `${PAGE}other`;
  const { findings } = report(
    run(
      'a',
      [
        finding({ title: 'low', severity: 'low' }),
        finding({ title: 'below', position: { ...box, y: 900 } }),
        finding({ title: 'above', position: box }),
        finding({ title: 'on another page', sourceUrl: other, position: box }),
        finding({ title: 'grave', sourceUrl: other, severity: 'critical' }),
      ],
      {
        pages: [
          { url: PAGE, status: 'completed' },
          { url: other, status: 'completed' },
        ],
      },
    ),
  );
  expect(findings.map(({ title }) => title)).toEqual(['grave', 'above', 'below', 'on another page', 'low']);
  expect(findings.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
});

test('a page that one agent reviewed is reviewed, with what the others could not do', () => {
  const { pages } = report(
    run('a', []),
    run('b', [], { pages: [{ url: PAGE, status: 'failed', message: 'It took too long.' }] }),
    run('c', [], { pages: [{ url: PAGE, status: 'planned' }], error: 'The run was cancelled.' }),
  );
  expect(pages).toEqual([
    {
      url: PAGE,
      status: 'reviewed',
      problems: [
        { agentId: 'b', message: 'It took too long.' },
        { agentId: 'c', message: 'The run was cancelled.' },
      ],
    },
  ]);
});

test('the verdict is the gravest, and broken only if nothing could be reviewed', () => {
  expect(verdictOfRuns(['clean', 'clean'])).toBe('clean');
  expect(verdictOfRuns(['clean', 'broken'])).toBe('incomplete');
  expect(verdictOfRuns(['broken', 'findings'])).toBe('findings');
  expect(verdictOfRuns(['broken', 'broken'])).toBe('broken');
  expect(verdictOfRuns(['incomplete', 'clean'])).toBe('incomplete');
});
