import { expect, test } from 'vitest';
import { compareRules } from './change-rules.ts';
import { findRules, rulesOfText } from './find-rules.ts';
import { toChunks } from './to-chunks.ts';

const contents = (text: string) => findRules({ text, notes: [] }).map(({ content }) => content);

test('a list of demands consists of rules, and prose does not', () => {
  expect(contents('- Must be short.\n- Never shout.\n')).toEqual(['Must be short.', 'Never shout.']);
  expect(contents('1. Use sentence case\n2. Avoid jargon\n')).toHaveLength(2);
  expect(contents('[ ] Logo on top\n[x] Links work\n')).toHaveLength(2);
  expect(contents('We never shout. You must be calm.\n\nThat is all.')).toEqual([]);
  expect(contents('- Paris\n- London\n- Rome\n')).toEqual([]);
  expect(contents(`${'Long prose about everything. '.repeat(20)}\n- Must be.\n- Must go.\n`)).toEqual([]);
});

test('lines that each demand something are rules, under their headings', () => {
  // The text of a PDF whose bullets are graphics.
  const drawn =
    'House style\nHow we write.\nHeadings\nHeadings must be in sentence case.\nNever end them with a full stop.\n\nPrices\nAlways show prices with VAT.';
  expect(findRules({ text: drawn, notes: [] })).toEqual([
    { content: 'How we write.', category: 'House style' },
    { content: 'Headings must be in sentence case.', category: 'Headings' },
    { content: 'Never end them with a full stop.', category: 'Headings' },
    { content: 'Always show prices with VAT.', category: 'Prices' },
  ]);
  expect(rulesOfText(drawn)).toEqual(findRules({ text: drawn, notes: [] }));
  expect(contents('Use sentence case\nAvoid passive voice\nWrite numbers as digits')).toHaveLength(3);
});

test.each([
  [
    'prose that is broken into lines',
    'Visitors must always wear a badge when they are in\nthe building, and should never open doors to anybody\nwho has none. Staff must ask.',
  ],
  ['one demand', 'Welcome.\nWe are glad that you are here.\nYou must try the soup.'],
  ['a report', 'The test must run.\nIt ran.\nIt failed.\nWe should look.\nNobody did.'],
  [
    'paragraphs',
    `${'The button has to be seen. It is what people came for, and they look for it. '.repeat(5)}\n`.repeat(
      3,
    ),
  ],
])('%s is not a list of rules', (_what, text) => {
  expect(contents(text)).toEqual([]);
});

test('a row of a checklist is a rule, and a row of prices is none', () => {
  const rows = [
    ['Check', 'Area'],
    ['Every picture has an alternative text', 'A11y'],
  ];
  expect(findRules({ sheets: [{ name: '', rows }], notes: [] })).toEqual([
    { content: 'Every picture has an alternative text', category: 'A11y' },
  ]);
  const prices = [
    ['Item', 'Price'],
    ['Pen', '3'],
  ];
  expect(findRules({ sheets: [{ name: '', rows: prices }], notes: [] })).toEqual([]);
});

test('rules may be replaced by a list, a table or lines', () => {
  expect(rulesOfText('# A\n\n- One thing\n').map(({ category }) => category)).toEqual(['A']);
  expect(rulesOfText('One thing.\n\nAnother thing.')).toHaveLength(2);
  expect(rulesOfText('| Check |\n| --- |\n| All is well here |\n')).toHaveLength(1);
});

test('equal rules are kept as often as they occurred', () => {
  const before = ['a', 'a', 'b'].map((content, index) => ({
    id: `${index}`,
    content,
    category: null,
    index,
  }));
  const after = ['b', 'a', 'c'].map((content) => ({ content, category: null }));
  const { kept, removed, added } = compareRules(before, after);
  expect(kept.map(({ itemId, position }) => [itemId, position])).toEqual([
    ['2', 0],
    ['0', 1],
  ]);
  expect([removed.map(({ id }) => id), added]).toEqual([['1'], [{ rule: after[2], position: 2 }]]);
});

test('chunks have the headings above them, and a bounded length', () => {
  const long = Array.from({ length: 90 }, (_, index) => `Sentence number ${index} is here.`).join(' ');
  const chunks = toChunks(`# Guide\n\n## Tone\n\n${long}\n\nNames\n=====\nAcme.\n`, 100);
  expect(chunks.map(({ heading }) => heading)).toEqual([
    ...Array(chunks.length - 1).fill('Guide › Tone'),
    'Names',
  ]);
  expect(
    chunks
      .slice(0, -1)
      .map(({ text }) => text)
      .join(' '),
  ).toBe(long);
  for (const { text } of chunks) expect(text.split(/\s+/).length).toBeLessThanOrEqual(200);
});

test('every chunk of a long table repeats the column names', () => {
  const rows = Array.from({ length: 120 }, (_, index) => `| ${index} | some words of this row |`);
  const chunks = toChunks(['| No | Words |', '| --- | --- |', ...rows].join('\n'), 100);
  expect(chunks.length).toBeGreaterThan(2);
  for (const { text } of chunks) expect(text).toMatch(/^\| No \| Words \|\n/);
  expect(chunks.flatMap(({ text }) => text.split('\n').slice(1))).toEqual(rows);
});

test('adversarial text is parsed in linear time', () => {
  for (const text of ['x'.repeat(2e6), 'word '.repeat(4e5), '# a\nb\n'.repeat(2e5), '字'.repeat(1e6)]) {
    expect(toChunks(text, 5_000).length).toBeLessThanOrEqual(5_000);
  }
  expect(findRules({ text: '| a | b |\n'.repeat(200_000), notes: [] })).toEqual([]);
});
