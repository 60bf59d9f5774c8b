import { expect, test } from 'vitest';
import { z } from 'zod';
import { answerSchema } from './finding-schema.ts';
import { quoteLookup } from './quote-lookup.ts';
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
    quoteLookup(page),
  );
  expect(findings).toMatchObject([
    { targetText: 'The “quick”  fox', occurrence: 2, confidence: 95, findingType: 'text' },
    {
      targetText: '',
      isPageLevel: true,
      confidence: 50,
      description: expect.stringContaining('“a slow snail”'),
    },
    { targetText: 'rests…' },
  ]);
  expect(notes).toHaveLength(1);
  // A picture may show words that no text lists.
  const picture = {
    name: 'web-page-screenshot',
    parts: [{ image: new Uint8Array(), mimeType: 'image/png' }],
  };
  expect(quoteLookup([...page, picture])).toBeUndefined();
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
