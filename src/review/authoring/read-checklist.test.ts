import { expect, test } from 'vitest';
import { inferAgentConfig } from '../agents/infer-agent-config.ts';
import { readChecklist } from './read-checklist.ts';

const ofTable = (rows: string[][], ...more: { name: string; rows: string[][] }[]) =>
  readChecklist({ sheets: [{ name: 'One', rows }, ...more], notes: [] });
const ofText = (text: string) => readChecklist({ text, notes: [] });

const checks = ({ items }: ReturnType<typeof ofText>) => items.map(({ check }) => check);
const reasons = ({ skipped }: ReturnType<typeof ofText>) =>
  skipped.map(({ originalText, reason }) => `${originalText}: ${reason}`);

test('rows become items by the names of their columns, in any order of columns', () => {
  const list = ofTable([
    ['QA checklist of the web team'],
    [],
    ['ID', 'Category', 'Check', 'Expected result', 'Priority', 'Page URL', 'Status'],
    ['A-1', 'Links', 'All links work', 'No 404', 'High', '/pricing', 'open'],
    ['A-2', '', 'The logo leads home', '', 'P3', '', 'done'],
  ]);
  expect(list.items).toEqual([
    {
      title: '',
      check: 'All links work',
      details: ['Expected result: No 404'],
      headings: [],
      category: 'Links',
      severity: 'High',
      url: '/pricing',
      reference: 'A-1',
      place: 'row 4',
      original: 'A-1 | Links | All links work | No 404 | High | /pricing | open',
    },
    expect.objectContaining({
      check: 'The logo leads home',
      category: 'Links',
      reference: 'A-2',
      details: [],
    }),
  ]);
  expect(reasons(list)).toEqual([
    'QA checklist of the web team: It stands above the table.',
    ': The row 2 is empty.',
    'ID | Category | Check | Expected result | Priority | Page URL | Status: It names the columns.',
  ]);
});

test('empty rows, headings, repeats and rows without words are skipped, each with its reason', () => {
  const list = ofTable([
    ['Check', 'Notes'],
    ['Navigation'],
    ['Menu opens', 'on mobile'],
    [],
    ['  '],
    ['menu opens!', 'On mobile'],
    ['Check', 'Notes'],
    ['Footer', ''],
    ['Menu opens', 'on mobile'],
    ['1', '2'],
    [],
  ]);
  expect(list.items.map(({ check, headings, place }) => [check, headings, place])).toEqual([
    ['Menu opens', ['Navigation'], 'row 3'],
    ['Menu opens', ['Footer'], 'row 9'],
  ]);
  expect(reasons(list)).toEqual([
    'Check | Notes: It names the columns.',
    'Navigation: It is a heading, which is kept with the rows beneath it.',
    ': The rows 4 to 5 are empty.',
    'menu opens! | On mobile: It says the same as row 3.',
    'Check | Notes: It repeats the names of the columns.',
    'Footer: It is a heading, which is kept with the rows beneath it.',
    '1 | 2: It has no words that say what to check.',
  ]);
});

test('the columns of a table without a head row are recognized by their content, and a single column holds the items', () => {
  const bare = ofTable([
    ['1', 'Every picture has an alternative text', 'high'],
    ['2', 'Prices are in euros', 'low'],
  ]);
  expect(bare.items.map(({ check, reference, severity }) => [check, reference, severity])).toEqual([
    ['Every picture has an alternative text', '1', 'high'],
    ['Prices are in euros', '2', 'low'],
  ]);
  expect(checks(ofTable([['Links work'], ['No typos']]))).toEqual(['Links work', 'No typos']);
  expect(
    checks(
      ofTable([
        ['Title', 'Description'],
        ['Short', 'Long words'],
      ]),
    ),
  ).toEqual(['Short']);
  const two = ofTable([['Check'], ['Links work']], { name: 'Two', rows: [['Check'], ['No typos']] });
  expect(two.items.map(({ place }) => place)).toEqual(['row 2 of One', 'row 2 of Two']);
});

test('list items are read with any kind of bullet, with the headings above them', () => {
  const list = ofText(`# Site
Some words before it.

## Content
- [ ] No typos
- [x] **Dates** are right
* Prices:
  1. in euros
  2. with tax, which goes
     on in the next line
- No typos

LEGAL
(a) Imprint is linked
☐ Cookie banner shows
• 42

Links
- They work
\`\`\`
- code
\`\`\`

| Check | Severity |
| --- | --- |
| Logo is sharp | low |
`);
  expect(list.items.map(({ check, headings }) => [headings.join('/'), check])).toEqual([
    ['Site/Content', 'No typos'],
    ['Site/Content', 'Dates are right'],
    ['Site/Content/Prices', 'in euros'],
    ['Site/Content/Prices', 'with tax, which goes on in the next line'],
    ['Site/Content/LEGAL', 'Imprint is linked'],
    ['Site/Content/LEGAL', 'Cookie banner shows'],
    ['Site/Content/Links', 'They work'],
    ['Site/Content/Links', 'Logo is sharp'],
  ]);
  expect(reasons(list)).toEqual(
    expect.arrayContaining([
      'Some words before it.: It is no item of a list.',
      '• 42: It has no words that say what to check.',
      '- code: It is code.',
      '- No typos: It says the same as line 5.',
    ]),
  );
});

test('items of a PDF are separated without empty lines between them', () => {
  const list = ofText(
    'Navigation\n• Menu opens on\nsmall screens\n• Logo leads home\nForms\n• Errors are shown\f1. Mail works',
  );
  expect(list.items.map(({ check, headings }) => [headings.join('/'), check])).toEqual([
    ['Navigation', 'Menu opens on small screens'],
    ['Navigation', 'Logo leads home'],
    ['Forms', 'Errors are shown'],
    ['Forms', 'Mail works'],
  ]);
});

test('long and deep headings hardly slow down the items below them', () => {
  const marks = '#'.repeat(200_000);
  const text = `# ${'long '.repeat(50_000)}\n## a${' '.repeat(200_000)}b\n## ${marks}b\n## C ##\n- It works`;
  expect(ofText(text).items[0]!.headings).toEqual([`${'long '.repeat(40).slice(0, 199)}…`, 'C']);
  expect(ofText(`${'| Links work '.repeat(200_000)}|`).skipped).toHaveLength(1);
  const nested = Array.from({ length: 40 }, (_, depth) => `${' '.repeat(depth)}- Part ${depth}:`).join('\n');
  expect(ofText(`${nested}\n${' '.repeat(40)}- It works`).items[0]!.headings).toHaveLength(8);
  const rows = [
    ['Category', 'Check'],
    ['x'.repeat(5_000), 'It works'],
    ['', 'It works well.'],
  ];
  expect(ofTable(rows).items.map(({ category }) => category!.length)).toEqual([200, 200]);
});

test.each<[string, string[], string?]>([
  ['All links work and none is broken', ['web-page-links'], 'broken-links'],
  ['No broken links', ['web-page-links'], 'broken-links'],
  ['External links open in a new tab and work', ['web-page-html', 'web-page-links']],
  ['The page conforms to WCAG 2.2 AA', ['web-page-accessibility'], 'accessibility-checker'],
  ['The og:image loads', ['web-page-html'], 'og-image-checker'],
  ['No spelling mistakes', ['web-page-text']],
  ['The hero banner does not overlap', ['web-page-html', 'web-page-screenshot']],
  ['Page speed is good', ['lighthouse']],
  ['robots.txt allows crawling', ['robots-txt']],
  ['It is nice', ['web-page-text', 'web-page-html']],
])('"%s" is reviewed with %j', (text, strategies, serviceId) => {
  const setup = inferAgentConfig(text);
  expect([setup.strategies, setup.serviceId]).toEqual([strategies, serviceId]);
});

test('contrast and alternative texts are reviewed by a model with the data of the accessibility checker', () => {
  for (const text of ['Images have alt text', 'Contrast is at least 4.5:1', 'Everything works by keyboard']) {
    const setup = inferAgentConfig(text);
    expect(setup.strategies).toContain('web-page-accessibility');
    expect(setup.serviceId).toBeUndefined();
  }
});
