import { expect, test } from 'vitest';
import { expectKnownRules } from '../../../test/reviews/known-rules.ts';
import { listKnownAudits } from '../../outside/lighthouse/known-audits.ts';
import { accessibilityFindings } from '../rules/audits/accessibility-findings.ts';
import { lighthouseFindings } from '../rules/audits/lighthouse-findings.ts';
import { services } from '../services/index.ts';
import { listRules } from './rule-catalogue.ts';

test('every audit of Lighthouse that can fail has a rule with the title and severity of its findings', async () => {
  const audits = await listKnownAudits();
  expect(audits.length).toBeGreaterThan(50);
  for (const score of [0, 0.7]) {
    const failed = audits.map((audit) => ({ ...audit, score, scoreDisplayMode: 'binary', items: [] }));
    const report = {
      audits: failed,
      scores: {},
      finalUrl: 'https://s.example/',
      formFactor: 'desktop' as const,
    };
    const findings = lighthouseFindings({ ...report, version: '', metrics: {}, warnings: [] });
    const counted = findings.filter(({ issueType }) => score === 0 || !isMetric(issueType));
    await expectKnownRules('lighthouse', counted);
    const rules = new Map((await listRules()).map((rule) => [rule.issueType, rule]));
    expect(counted.filter(({ issueType }) => !rules.get(issueType)?.agents.includes('lighthouse'))).toEqual(
      [],
    );
  }
  expect(audits.filter(({ title, id, description }) => title === id || description === '')).toEqual([]);

  function isMetric(issueType: string) {
    return (audits.find(({ id }) => id === issueType)?.weights.performance ?? 0) > 0;
  }
});

test('every rule of axe-core is known with each severity that its elements can have', async () => {
  const { default: axe } = await import('axe-core');
  const violations = axe.getRules().flatMap(({ ruleId, tags, ...rest }) =>
    ['minor', 'moderate', 'serious', 'critical'].map((impact) => ({
      ...rest,
      id: ruleId,
      tags: [...tags],
      impact,
      count: 1,
      nodes: [{ impact, target: ['p'], selector: 'p', html: '<p>', failureSummary: 'Fix this:\n  It.' }],
    })),
  );
  const findings = accessibilityFindings({
    url: 'https://s.example/',
    violations,
    incomplete: [],
    passes: 0,
  });
  expect(findings.length).toBeGreaterThan(300);
  await expectKnownRules('accessibility-checker', findings);
});

test('the rules across pages are those of the catalogue', async () => {
  const known = new Set((await listRules()).map(({ issueType }) => issueType));
  for (const { site } of services) {
    for (const issueType of site?.issueTypes ?? []) expect(known).toContain(issueType);
  }
});
