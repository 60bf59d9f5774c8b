import { expect, test } from 'vitest';
import { accessibilityCheckerResponse } from './accessibility-checker-response.ts';
import { ogImageCheckerResponse } from './og-image-checker-response.ts';

const none = { total: 0, gravest: [], byErrorType: {} };

test('the accessibility response joins the rules of all pages, the most broken first', async () => {
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
  const { accessibilityResults } = await accessibilityCheckerResponse.respond(pages, none);
  expect(accessibilityResults).toMatchObject({
    pagesChecked: 2,
    totalViolations: 6,
    byImpact: { serious: 6 },
    rules: [
      { rule: 'list', places: 5, pageCount: 2, pages: ['/a', '/b'] },
      { rule: 'label', places: 1, pages: ['/a'] },
    ],
  });
});

test('the preview response lists the picture and the issues of each page', async () => {
  const tags = [{ name: 'og:image', content: 'https://x/i.png' }];
  const finding = { issueType: 'og-image-alt', severity: 'low' as const, title: 'T', description: 'D' };
  const pages = [{ url: '/a', result: { findings: [finding], data: { tags, images: [] } } }];
  const { ogImageResults } = await ogImageCheckerResponse.respond(pages, { ...none, total: 1 });
  expect(ogImageResults).toMatchObject({
    pagesChecked: 1,
    pagesWithImage: 1,
    totalIssues: 1,
    pages: [{ url: '/a', image: 'https://x/i.png', issues: [{ issueType: 'og-image-alt' }] }],
  });
});
