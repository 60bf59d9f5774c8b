import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Severity, severities } from '../shapes/agents/execution.ts';
import { arbitraryReport, nastyReport } from './fixtures/arbitrary-report.ts';
import { emptyReport, SITE, sampleFinding, usualReport } from './fixtures/sample-report.ts';
import { webAddress } from './page-address.ts';
import { MOST_RESULTS, renderSarif } from './render-sarif.ts';
import type { Report } from './report.ts';
import { artifactOf } from './sarif-location.ts';

interface Sarif {
  $schema: string;
  version: string;
  runs: {
    tool: { driver: { name: string; rules: Rule[] } };
    originalUriBaseIds?: Record<string, { uri: string }>;
    invocations: {
      executionSuccessful: boolean;
      toolExecutionNotifications: { message: { text: string } }[];
    }[];
    results: Result[];
    automationDetails?: unknown;
  }[];
}

interface Rule {
  id: string;
  name: string;
  shortDescription: { text: string };
  fullDescription: { text: string };
  help: { text: string; markdown: string };
  helpUri?: string;
  defaultConfiguration: { level: string };
  properties: { tags: string[]; 'security-severity'?: string };
}

interface Result {
  ruleId: string;
  ruleIndex: number;
  level: string;
  rank: number;
  message: { text: string };
  locations: {
    physicalLocation: {
      artifactLocation: { uri: string; uriBaseId?: string };
      region: Record<'startLine' | 'startColumn' | 'endLine' | 'endColumn', number>;
    };
  }[];
  partialFingerprints: Record<string, string>;
  baselineState?: string;
  suppressions?: { justification: string }[];
}

const {
  $schema: _,
  id: __,
  ...schema
} = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/sarif-schema-2.1.0.json'), 'utf8'));

/** RFC 3986, of which browsers allow more. */
const URI_REFERENCE = /^(?:[\w.~:/?#@!$&'()*+,;=-]|\[[\da-f:.]+\]|%[\da-f]{2})*$/i;

const isValid = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    uri: (text: string) => URI_REFERENCE.test(text) && URL.canParse(text),
    'uri-reference': URI_REFERENCE,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  },
}).compile(schema);

const sarifOf = (report: Report): Sarif => JSON.parse(renderSarif(report));
const runOf = (report: Report) => sarifOf(report).runs[0]!;

/** The rules by which GitHub refuses a file, or shows less of it, as its documentation lists them. */
function expectGitHubAccepts(report: Report): void {
  const log = sarifOf(report);
  expect(log.version).toBe('2.1.0');
  expect(log.$schema).toMatch(/^https:/);
  const [run] = log.runs;
  const { rules, name } = run!.tool.driver;
  expect(name).not.toBe('');
  expect(run!.results.length).toBeLessThanOrEqual(5_000);
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const rule of rules) {
    for (const text of [rule.id, rule.shortDescription.text, rule.fullDescription.text, rule.help.text])
      expect(text.trim()).not.toBe('');
    expect(rule.name.length).toBeLessThanOrEqual(255);
    expect(rule.shortDescription.text.length).toBeLessThanOrEqual(1_024);
    expect(rule.fullDescription.text.length).toBeLessThanOrEqual(1_024);
    expect(['note', 'warning', 'error']).toContain(rule.defaultConfiguration.level);
    expect(rule.properties.tags.length).toBeLessThanOrEqual(20);
    const score = rule.properties['security-severity'];
    if (score === undefined) continue;
    expect(rule.properties.tags).toContain('security');
    expect(Number(score)).toBeGreaterThan(0);
    expect(Number(score)).toBeLessThanOrEqual(10);
  }
  for (const result of run!.results) {
    expect(rules[result.ruleIndex]?.id).toBe(result.ruleId);
    expect(result.message.text.trim()).not.toBe('');
    expect(result.partialFingerprints.primaryLocationLineHash).toBeTruthy();
    expect(result.locations.length).toBe(1);
    const { artifactLocation, region } = result.locations[0]!.physicalLocation;
    expect(artifactLocation.uri).not.toBe('');
    // The whole file is refused for a scheme that differs from `file`; `a:b` is a scheme.
    expect(artifactLocation.uri).not.toMatch(/^[^/?#]*:/);
    expect(artifactLocation.uri).not.toMatch(/^\//);
    for (const line of [region.startLine, region.startColumn, region.endLine, region.endColumn])
      expect(line).toBeGreaterThanOrEqual(1);
  }
}

const expectValid = (report: Report): void => {
  const ok = isValid(sarifOf(report));
  expect(isValid.errors ?? []).toEqual([]);
  expect(ok).toBe(true);
};

test('a report is valid by the schema of OASIS', () => {
  for (const report of [emptyReport(), usualReport(), nastyReport()]) expectValid(report);
  fc.assert(fc.property(arbitraryReport, expectValid), { numRuns: 100 });
});

test('the schema refuses what is not SARIF', () => {
  expect(isValid({ version: '2.1.0', runs: [{ results: [] }] })).toBe(false);
  const log = sarifOf(usualReport());
  log.runs[0]!.results[0]!.locations[0]!.physicalLocation.artifactLocation.uri = 'no file of this alert';
  expect(isValid(log)).toBe(false);
});

test('a report keeps the rules of GitHub', () => {
  for (const report of [emptyReport(), usualReport(), nastyReport()]) expectGitHubAccepts(report);
  fc.assert(fc.property(arbitraryReport, expectGitHubAccepts), { numRuns: 100 });
});

test('a page is named relative to its origin, and resolves to its address', () => {
  const bases = new Map([[SITE, 'SITE']]);
  const uriOf = (path: string) => artifactOf({ pageUrl: SITE + path }, bases).uri;
  expect(uriOf('/')).toBe('./');
  expect(uriOf('/about')).toBe('about');
  expect(uriOf('/a:b/c')).toBe('./a:b/c');
  expect(uriOf('//twice')).toBe('.//twice');
  expect(uriOf('/?q=1#x')).toBe('./?q=1#x');
  const pageUrls = fc.webUrl({ withQueryParameters: true, withFragments: true });
  fc.assert(
    fc.property(pageUrls, (pageUrl) => {
      const { origin, pathname, search, hash } = webAddress(pageUrl)!;
      const { uri } = artifactOf({ pageUrl }, new Map([[origin, 'SITE']]));
      const resolved = new URL(uri, `${origin}/`);
      expect(resolved.origin).toBe(origin);
      expect(decodeURI(resolved.pathname + resolved.search + resolved.hash)).toBe(
        decodeURI(pathname + search + hash),
      );
    }),
  );
});

test('each origin has a base of its own', () => {
  const run = runOf(
    emptyReport({
      urls: [`${SITE}/`],
      findings: [
        sampleFinding({ pageUrl: `${SITE}/a` }),
        sampleFinding({ pageUrl: 'http://localhost:3000/a' }),
      ],
    }),
  );
  expect(run.originalUriBaseIds).toEqual({
    SITE: { uri: `${SITE}/` },
    SITE_2: { uri: 'http://localhost:3000/' },
  });
  expect(run.results.map(({ locations }) => locations[0]!.physicalLocation.artifactLocation)).toEqual([
    { uri: 'a', uriBaseId: 'SITE' },
    { uri: 'a', uriBaseId: 'SITE_2' },
  ]);
});

test('a finding with a known source is at its line', () => {
  const source = { file: '.\\content\\a b.md', line: 7 };
  const [result] = runOf(emptyReport({ findings: [sampleFinding({ source })] })).results;
  const { artifactLocation, region } = result!.locations[0]!.physicalLocation;
  expect(artifactLocation).toEqual({ uri: 'content/a%20b.md', uriBaseId: '%SRCROOT%' });
  expect(region.startLine).toBe(7);
});

test('levels follow the severity, and only secrets and privacy are security alerts', () => {
  const levels: Record<Severity, string> = {
    critical: 'error',
    high: 'error',
    medium: 'warning',
    low: 'note',
    info: 'note',
  };
  const findings = severities.map((severity) => sampleFinding({ severity, confidence: 85 }));
  const { results } = runOf(emptyReport({ findings }));
  expect(results.map(({ level }) => level)).toEqual(Object.values(levels));
  expect(results[0]!.rank).toBe(85);
  const rules = runOf(usualReport()).tool.driver.rules;
  expect(rules.map((rule) => [rule.id, rule.properties['security-severity']])).toEqual([
    ['secret-in-page', '9.5'],
    ['image-alt', undefined],
    ['broken-link', undefined],
    ['spelling', undefined],
  ]);
});

test('what does not count is suppressed, with the reason, and comes last', () => {
  const { results } = runOf(usualReport());
  expect(results.map(({ suppressions }) => suppressions?.[0]?.justification)).toEqual([
    ...Array.from({ length: 7 }, () => undefined),
    'It is in the baseline.',
    'Ada rejected it: It is a brand.',
  ]);
  expect(new Set(results.map(({ baselineState }) => baselineState))).toEqual(new Set(['new', 'unchanged']));
});

test('at most 5,000 results are reported, the gravest ones, and the rest is counted', () => {
  const findings = Array.from({ length: 6_000 }, (_, at) =>
    sampleFinding({ id: `f-${at}`, severity: at % 2 === 0 ? 'low' : 'critical' }),
  );
  const report = emptyReport({ verdict: 'findings', findings });
  const { results, invocations } = runOf(report);
  expect(results.length).toBe(MOST_RESULTS);
  expect(results.filter(({ level }) => level === 'error').length).toBe(3_000);
  expect(invocations[0]!.toolExecutionNotifications[0]!.message.text).toBe(
    '1000 findings of 6000 are left out, the least grave ones, because GitHub shows at most 5000.',
  );
  expectValid(report);
  expectGitHubAccepts(report);
});

test('words of a page make no link in a message', () => {
  const findings = [sampleFinding({ title: 'See [this](https://evil.example/)' })];
  expect(runOf(emptyReport({ findings })).results[0]!.message.text).not.toContain('](');
});

test('a workflow names the category itself', () => {
  expect(runOf(usualReport()).automationDetails).toBeUndefined();
});

test('a report of a broken review says so', () => {
  const agents = usualReport().agents.slice(2);
  const [invocation] = runOf(emptyReport({ verdict: 'broken', agents })).invocations;
  expect(invocation!.executionSuccessful).toBe(false);
  expect(invocation!.toolExecutionNotifications[0]!.message.text).toBe(
    'Tone of voice: No model is configured for this agent.',
  );
});
