import { expect, test } from 'vitest';
import { z } from 'zod';
import { answerSchema } from './finding-schema.ts';
import { quoteLookup } from './quote-lookup.ts';
import { selectorLookup } from './selector-lookup.ts';
import { toDrafts } from './to-drafts.ts';

const finding = { title: 'T', description: 'D' };
const page = [
  { name: 'web-page-text', data: { text: 'The “quick”  fox\njumps. The “quick” fox rests…' }, parts: [] },
];

test('the schema requires every field, has no bounds or defaults, and accepts lenient values', () => {
  const schema = answerSchema({ title: 'In capitals.' });
  const json = z.toJSONSchema(schema, { io: 'input' }) as never as Record<string, never>;
  const text = JSON.stringify(json);
  expect(text).not.toMatch(/minimum|maximum|minLength|pattern|default|anyOf/);
  const item = (json as never as { properties: { findings: { items: z.core.JSONSchema.ObjectSchema } } })
    .properties.findings.items;
  expect(item.required).toEqual(Object.keys(item.properties!));
  expect(item.properties!.title).toMatchObject({ description: 'In capitals.' });
  expect(schema.safeParse({ findings: [{ ...finding, severity: 'High', confidence: null }] }).success).toBe(
    true,
  );
  expect(schema.safeParse({ findings: [{ titel: 'T' }] }).success).toBe(false);
  expect(schema.safeParse({ summary: 'x' }).success).toBe(false);
});

test('free spellings of models are normalized', () => {
  const { findings } = toDrafts({
    findings: [
      {
        ...finding,
        severity: 'Major',
        issueType: 'Brokén Link_x',
        confidence: '0.9',
        occurrence: 0,
        htmlSelector: 'None',
      },
      { ...finding, title: '', confidence: 1, severity: 'whatever', findingType: 'PAGE' },
    ],
  });
  expect(findings).toMatchObject([
    { severity: 'high', issueType: 'broken-link-x', confidence: 90, occurrence: 1, htmlSelector: '' },
    { title: 'D', severity: 'medium', issueType: 'issue', confidence: 100, findingType: 'page' },
  ]);
  const percent = toDrafts({
    findings: [
      { ...finding, confidence: 1 },
      { ...finding, confidence: 850 },
    ],
  });
  expect(percent.findings.map(({ confidence }) => confidence)).toEqual([1, 100]);
});

test("a quote gets the page's spelling, and a finding whose quote is missing becomes one about the page with low confidence", () => {
  const { findings, notes } = toDrafts(
    {
      findings: [
        { ...finding, targetText: 'the "Quick" fox', occurrence: 9, confidence: 95 },
        { ...finding, targetText: 'a slow snail', confidence: 95 },
        { ...finding, targetText: 'rests...', confidence: 95 },
      ],
    },
    { quotes: quoteLookup(page) },
  );
  expect(findings).toMatchObject([
    { targetText: 'The “quick”  fox', occurrence: 2, confidence: 95, findingType: 'text' },
    {
      targetText: '',
      isPageLevel: true,
      severity: 'low',
      confidence: 50,
      quoteFound: false,
      description: 'D\nThe words that it quotes were not found on the page: “a slow snail”',
    },
    { targetText: 'rests…' },
  ]);
  expect(findings.map(({ quoteFound }) => quoteFound)).toEqual([undefined, false, undefined]);
  expect(notes).toHaveLength(1);
});

test('quotes are verified beside a picture, which may show words that cannot be verified', () => {
  const picture = {
    name: 'web-page-screenshot',
    parts: [{ image: new Uint8Array(), mimeType: 'image/png' }],
  };
  const grave = { ...finding, severity: 'critical', confidence: 99 };
  const { findings, notes } = toDrafts(
    {
      findings: [
        { ...grave, targetText: 'full refund' },
        { ...grave, targetText: 'fox jumps', htmlSelector: 'p' },
        { ...grave, severity: 'info', targetText: 'no refund', confidence: 7 },
      ],
    },
    { quotes: quoteLookup([...page, picture]) },
  );
  expect(findings).toMatchObject([
    { severity: 'low', confidence: 50, quoteFound: false },
    { severity: 'critical', confidence: 99, targetText: 'fox\njumps' },
    { severity: 'info', confidence: 7, quoteFound: false },
  ]);
  expect(findings[0]!.description).toBe(
    "D\nThe words that it quotes were not found in the page's text. If a picture shows them, that could not be verified: “full refund”",
  );
  expect(notes).toEqual([
    "2 of the model's findings quote words that the page's text does not have; they are about the page now, with a low severity.",
  ]);
  // Without any text, nothing can be verified.
  expect(quoteLookup([picture])).toBeUndefined();
});

test('among equal words the letter case of the quote wins', () => {
  const text = 'Distribution. The distribution of the Distribution, and one more distribution; STOCK';
  const { findings } = toDrafts(
    {
      findings: [
        { ...finding, targetText: 'distribution', occurrence: 2 },
        { ...finding, targetText: 'Distribution', occurrence: 9 },
        { ...finding, targetText: 'Stock' },
      ],
    },
    { quotes: quoteLookup([{ name: 'web-page-text', data: { text }, parts: [] }]) },
  );
  expect(findings.map(({ targetText, occurrence }) => [targetText, occurrence])).toEqual([
    ['distribution', 2],
    ['Distribution', 2],
    ['STOCK', 1],
  ]);
});

test('selectors that match nothing are dropped, also in shadow roots', () => {
  const source = `<!DOCTYPE html><html lang="en"><head></head><body><main class="Shop"><p id="a">One</p><p>Two</p></main>
    <x-card><template shadowrootmode="open"><button>Buy</button></template></x-card>
    <template><i>Never shown</i></template></body></html>`;
  const html = { name: 'web-page-html', data: { source }, parts: [] };
  const selectors = {
    'main.Shop > p:nth-of-type(2)': true,
    'p#a + p': true,
    button: true,
    '[lang="en"] body': true,
    'main:has(#a)': true,
    MAIN: true,
    '.shop': false,
    '#b': false,
    'p:nth-of-type(3)': false,
    i: false,
    'div:has-text("One")': false,
    'p[[': false,
  };
  const { findings, notes } = toDrafts(
    { findings: Object.keys(selectors).map((htmlSelector) => ({ ...finding, htmlSelector })) },
    { selectors: selectorLookup([html]) },
  );
  expect(findings.map(({ htmlSelector, findingType }) => [htmlSelector, findingType])).toEqual(
    Object.entries(selectors).map(([selector, isThere]) => (isThere ? [selector, 'pin'] : ['', 'page'])),
  );
  expect(notes).toEqual([
    '6 of the model\'s selectors match nothing on the page and are dropped: .shop, #b, p:nth-of-type(3), i, div:has-text("One"), p[[',
  ]);
  // A cut source may lack the element.
  expect(selectorLookup([{ ...html, data: { source: source.slice(0, 200) } }])).toBeUndefined();
  expect(selectorLookup(page)).toBeUndefined();
});

test('a selector that takes too long to look up is kept', () => {
  const source = `<html><body>${'<div>'.repeat(300)}${'<p></p>'.repeat(20_000)}</body></html>`;
  const lookup = selectorLookup([{ name: 'web-page-html', data: { source }, parts: [] }])!;
  expect(lookup.matches('b ~ p ~ p ~ p')).toBeUndefined();
});

test('an overlong answer is cut', () => {
  const { findings, notes } = toDrafts({
    findings: Array.from({ length: 5_000 }, () => ({
      title: 'x'.repeat(9_000),
      description: 'y'.repeat(90_000),
    })),
  });
  expect(findings).toHaveLength(200);
  expect(JSON.stringify(findings[0]).length).toBeLessThan(5_000);
  expect(notes).toEqual(['The model gave 5000 findings; the first 200 of them are kept.']);
});
