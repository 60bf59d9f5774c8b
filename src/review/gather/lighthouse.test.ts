import { expect, test } from 'vitest';
import { bareFetchInput } from '../../../test/reviews/review-inputs.ts';
import type { LighthouseAudit, LighthouseOptions } from '../../outside/lighthouse/lighthouse-report.ts';
import { gatherAll } from './gather.ts';

const audit = (id: string, score: number | null, more: Partial<LighthouseAudit> = {}): LighthouseAudit => ({
  id,
  title: `About ${id}`,
  description: 'Why it matters.',
  score,
  scoreDisplayMode: 'binary',
  weights: { seo: 1 },
  items: [],
  ...more,
});

const audits = [
  audit('largest-contentful-paint', 0.2, {
    scoreDisplayMode: 'numeric',
    displayValue: '4.1 s',
    weights: { performance: 25 },
  }),
  audit('document-title', 1),
  audit('image-alt', 0, {
    weights: { accessibility: 10 },
    items: Array.from({ length: 7 }, (_, index) => ({ selector: `img#i${index}`, snippet: '<img>' })),
  }),
  audit('csp-xss', 1, { scoreDisplayMode: 'informative' }),
  audit('hreflang', null, { scoreDisplayMode: 'notApplicable' }),
];

async function gather(options: object) {
  const audited: LighthouseOptions[] = [];
  const { gathered } = await gatherAll({
    ...bareFetchInput,
    url: 'https://example.com/',
    deviceType: 'mobile',
    strategies: ['lighthouse'],
    strategyOptions: { lighthouse: options },
    lighthouse: async (finalUrl, wanted) => {
      audited.push(wanted);
      const scores = { accessibility: 61, performance: null };
      return {
        finalUrl,
        formFactor: wanted.formFactor,
        version: '13.5.0',
        scores,
        metrics: {},
        audits,
        warnings: ['Slow.'],
      };
    },
    fetch: () => Promise.reject(new Error('Nothing is asked beside the page.')),
    browser: { withPage: () => Promise.reject(new Error('No page is opened.')), close: async () => {} },
    signal: new AbortController().signal,
    log: () => {},
  });
  return { ...gathered[0]!, audited };
}

test('an audit is for the device of the run, and its prompt has measurements and open audits', async () => {
  const { audited, parts } = await gather({});
  expect(audited).toEqual([{ formFactor: 'mobile', signal: expect.any(AbortSignal) }]);
  expect(parts).toEqual([
    {
      text: [
        'Lighthouse 13.5.0 on https://example.com/ (mobile), scores of 100: accessibility 61, performance unknown.',
        'Measured:',
        '- About largest-contentful-paint: 4.1 s',
        'To be improved:',
        '- image-alt: About image-alt (accessibility; score 0)',
        ...[0, 1, 2, 3, 4].map((index) => `  - img#i${index} | <img>`),
        '  (2 more)',
        'Note: Slow.',
      ].join('\n'),
    },
  ]);
});

test('options choose categories and form factor, and unknown values do not start an audit', async () => {
  const { audited } = await gather({ categories: ['seo'], formFactor: 'desktop' });
  expect(audited).toMatchObject([{ categories: ['seo'], formFactor: 'desktop' }]);
  const wrong = await gather({ categories: ['charm'] });
  expect(wrong.audited).toEqual([]);
  expect(wrong.error).toMatch(/^Invalid options: categories\.0: /);
});
