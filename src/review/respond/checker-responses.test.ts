import { expect, test } from 'vitest';
import { accessibilityCheckerResponse } from './accessibility-checker-response.ts';
import { ogImageCheckerResponse } from './og-image-checker-response.ts';

test('the accessibility response joins the rules of all pages, the most broken first', () => {
  const rule = (name: string, places: number) => ({
    rule: name,
    impact: 'serious',
    help: 'H',
    helpUrl: 'u',
    places,
  });
  const page = (url: string, violations: object[]) => ({
    url,
    result: { findings: [], data: { violations, incomplete: [], rulesPassed: 3 } },
  });
  const pages = [
    page('/a', [rule('label', 1), rule('list', 1)]),
    page('/b', [rule('list', 4)]),
    { url: '/c', result: { findings: [] } },
  ];
  expect(accessibilityCheckerResponse.respond(pages).accessibilityResults).toMatchObject({
    pagesChecked: 2,
    totalViolations: 6,
    byImpact: { serious: 6 },
    rules: [
      { rule: 'list', places: 5, pages: ['/a', '/b'] },
      { rule: 'label', places: 1, pages: ['/a'] },
    ],
  });
});

test('the preview response lists the picture and the issues of each page', () => {
  const tags = [{ name: 'og:image', content: 'https://x/i.png' }];
  const finding = { issueType: 'og-image-alt', severity: 'low' as const, title: 'T', description: 'D' };
  const pages = [{ url: '/a', result: { findings: [finding], data: { tags, images: [] } } }];
  expect(ogImageCheckerResponse.respond(pages).ogImageResults).toMatchObject({
    pagesChecked: 1,
    pagesWithImage: 1,
    totalIssues: 1,
    pages: [{ url: '/a', image: 'https://x/i.png', issues: [{ issueType: 'og-image-alt' }] }],
  });
});
