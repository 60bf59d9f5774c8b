import fc from 'fast-check';
import { expect, test } from 'vitest';
import { severities } from '../shapes/agents/execution.ts';
import { arbitraryReport, nastyReport } from './fixtures/arbitrary-report.ts';
import { emptyReport, SITE, sampleFinding, usualReport } from './fixtures/sample-report.ts';
import { renderCodeQuality } from './render-code-quality.ts';
import { counts, type Report } from './report.ts';

interface Issue {
  description: string;
  check_name: string;
  fingerprint: string;
  severity: string;
  location: { path: string; lines: { begin: number } };
}

const issuesOf = (report: Report): Issue[] => JSON.parse(renderCodeQuality(report));

test('every issue has what GitLab requires, and a fingerprint of its own', () => {
  const holds = (report: Report) => {
    const issues = issuesOf(report);
    expect(issues.length).toBe(report.findings.filter(counts).length);
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
    for (const { description, check_name, severity, location } of issues) {
      for (const text of [description, check_name, location.path]) expect(text.trim()).not.toBe('');
      expect(['info', 'minor', 'major', 'critical', 'blocker']).toContain(severity);
      expect(location.path).not.toMatch(/^\/|^[a-z]+:\/\//i);
      expect(location.lines.begin).toBeGreaterThanOrEqual(1);
    }
  };
  for (const report of [emptyReport(), usualReport(), nastyReport()]) holds(report);
  fc.assert(fc.property(arbitraryReport, holds), { numRuns: 100 });
});

test('severities keep their order', () => {
  const findings = severities.map((severity) => sampleFinding({ severity }));
  expect(issuesOf(emptyReport({ findings })).map(({ severity }) => severity)).toEqual([
    'blocker',
    'critical',
    'major',
    'minor',
    'info',
  ]);
});

test('the path is the file and line, or the host and path of the page', () => {
  const findings = [
    sampleFinding({ source: { file: '/content/a.md', line: 3 } }),
    sampleFinding({ pageUrl: `${SITE}/about` }),
  ];
  expect(issuesOf(emptyReport({ findings })).map(({ location }) => location)).toEqual([
    { path: 'content/a.md', lines: { begin: 3 } },
    { path: 'shop.example.com/about', lines: { begin: 1 } },
  ]);
});

test('the fingerprint depends on the fault alone, so that preview hosts of branches can be compared', () => {
  const [one] = issuesOf(emptyReport({ findings: [sampleFinding({ pageUrl: 'https://main.example/a' })] }));
  const changed = sampleFinding({ pageUrl: 'https://branch-7.example/a', title: 'Other words', number: 5 });
  expect(issuesOf(emptyReport({ findings: [changed] }))[0]!.fingerprint).toBe(one!.fingerprint);
});
