import { expect, test } from 'vitest';
import type { LighthouseAudit, LighthouseReport } from '../../../outside/lighthouse/lighthouse-report.ts';
import { accessibilityFindings } from './accessibility-findings.ts';
import { lighthouseFindings } from './lighthouse-findings.ts';

const audit = (fields: Partial<LighthouseAudit>): LighthouseAudit => ({
  id: 'document-title',
  title: "Document doesn't have a `<title>` element",
  description: 'The `<title>` names the page. [Learn more about titles](https://example.com/title).',
  score: 0,
  scoreDisplayMode: 'binary',
  weights: { seo: 1 },
  items: [],
  ...fields,
});

const findingsOf = (audits: LighthouseAudit[], scores: LighthouseReport['scores'] = {}) =>
  lighthouseFindings({ audits, scores, finalUrl: 'https://site.example/' } as LighthouseReport);

test('findings of an audit are sentences without markdown and tags', () => {
  expect(findingsOf([audit({})])).toMatchObject([
    {
      title: "Document doesn't have a title element",
      description: 'The title names the page.',
      suggestion: 'Learn more about titles: https://example.com/title',
    },
  ]);
});

test('times and sizes are in units that people read, and places are counted', () => {
  const [finding] = findingsOf([
    audit({
      displayValue: 'Est savings of 1,240\u00a0KiB',
      items: ['/a.js', '/b.js', '/c.js', '/d.js'].map((url) => ({ url })),
    }),
  ]);
  expect(finding!.description).toBe(
    'The title names the page. About 1.3 MB could be saved. It concerns /a.js, /b.js, /c.js and 1 other place.',
  );
  const slow = { weights: { performance: 10 }, scoreDisplayMode: 'numeric', displayValue: '2,430\u00a0ms' };
  expect(findingsOf([audit(slow)])[0]!.description).toContain('The measured value is 2.4 s.');
});

test('audits without weight, and those of a category with a score of 100, are no findings', () => {
  expect(findingsOf([audit({ weights: { performance: 0 } })])).toEqual([]);
  expect(findingsOf([audit({ score: 0.8 })], { seo: 100 })).toEqual([]);
  expect(findingsOf([audit({ score: 0.8 })], { seo: 99 })).toHaveLength(1);
});

test('a component that breaks a rule has one cause in Lighthouse and in the accessibility checker', () => {
  const snippets = ['<a class="card" href="/1">', '<a class="card" href="/2">', '<a class="more" href="/3">'];
  const items = snippets.map((snippet, at) => ({ selector: `main > a:nth-child(${at})`, snippet }));
  const rule = { id: 'color-contrast', weights: { accessibility: 7 }, items };
  const found = findingsOf([audit(rule)]);
  expect(found).toHaveLength(2);
  const node = {
    selector: 'a.card',
    html: '<a class="card" href="/9">x</a>',
    impact: null,
    failureSummary: '',
  };
  const checked = accessibilityFindings({
    url: 'https://site.example/other',
    violations: [{ id: 'color-contrast', help: '', description: '', tags: [], count: 1, nodes: [node] }],
  } as never);
  expect(checked[0]!.cause).toBe(found[0]!.cause);
});
