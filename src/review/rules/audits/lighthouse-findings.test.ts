import { expect, test } from 'vitest';
import type { LighthouseAudit } from '../../../outside/lighthouse/lighthouse-report.ts';
import { lighthouseFindings } from './lighthouse-findings.ts';

test('findings of an audit have neither markdown nor tags', () => {
  const audit = {
    id: 'document-title',
    title: "Document doesn't have a `<title>` element",
    description: 'The `<title>` names the page. [Learn more](https://example.com/title).',
    score: 0,
    scoreDisplayMode: 'binary',
    weights: { seo: 1 },
    items: [],
  } as unknown as LighthouseAudit;
  expect(lighthouseFindings({ audits: [audit] } as never)).toMatchObject([
    {
      title: "Document doesn't have a title element",
      description: 'The title names the page. Learn more.',
      suggestion: 'Learn more: https://example.com/title',
    },
  ]);
});
