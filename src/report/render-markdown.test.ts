import { Marked } from 'marked';
import { expect, test } from 'vitest';
import { emptyReport, SITE, sampleFinding, usualReport } from './fixtures/sample-report.ts';
import { markdownCode, markdownLink, markdownText } from './markdown-text.ts';
import { MOST_MARKDOWN_BYTES, renderMarkdown } from './render-markdown.ts';
import type { Gate } from './report.ts';

const marked = new Marked({ gfm: true });
const textOf = (markdown: string) =>
  marked
    .parseInline(markdown, { async: false })
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(lt|gt|amp);/g, (_, name) => ({ lt: '<', gt: '>', amp: '&' })[name as 'lt'])
    .replaceAll('\u2060', '');

test('a text is shown as it is', () => {
  for (const text of [
    '*a* _b_ `c` [d](https://e.example) <f> & g | h ~~i~~ \\ $j$',
    '# a',
    '1. a',
    '- a',
    '/close',
  ])
    expect(textOf(markdownText(text, 100))).toBe(text);
});

test('names and references are separated, so that they notify no one', () => {
  expect(markdownText('ask @ada about #12 and GH-3', 100)).toBe(
    'ask @\u2060ada about #\u206012 and GH-\u20603',
  );
  expect(markdownText('ada@example.com, C# and 5 % off', 100)).toBe('ada@\u2060example.com, C# and 5 % off');
});

test('code can hold anything', () => {
  expect(textOf(markdownCode('a `b` </code> | https://c.example', 100))).toBe(
    '<code>a `b` </code> | https://c.example</code>',
  );
  expect(markdownCode('', 100)).toBe('');
});

test('only web addresses become links', () => {
  expect(markdownLink('x', 'javascript:alert(1)', 10)).toBe('x');
  expect(markdownLink('x', 'https://ada:pw@a.example/(b)>?c=1&d=2', 10)).toBe(
    '[x](<https://a.example/(b)%3E?c=1&amp;d=2>)',
  );
});

test('the verdict, the figures and the gravest findings come first', () => {
  const [marker, headline, , gate, , ...rest] = renderMarkdown(usualReport()).split('\n');
  expect([marker, headline, gate]).toEqual([
    '<!-- redpen-report -->',
    '### ❌ Redpen: 7 findings on 4 pages: 2 critical, 4 high, 1 low',
    '**FAIL**: 6 findings are critical or high.',
  ]);
  expect(rest).toContain('| 2 | 4 | 0 | 1 | 0 | 2 | 5 | 1 | 2 |');
  expect(rest).toContain(
    `| 🟠 high | Page not found: link “Prices” | 4 places on 4 pages, such as [&#47;](<${SITE}/>) |`,
  );
});

test('the sign shows the verdict', () => {
  const sign = (fields: Parameters<typeof emptyReport>[0]) =>
    renderMarkdown(emptyReport(fields)).split(' ')[3];
  const gate: Gate = { failOn: 'high', onlyNew: false, passed: true, reasons: [] };
  expect(sign({ verdict: 'clean' })).toBe('✅');
  expect(sign({ verdict: 'findings', gate })).toBe('✅');
  expect(sign({ verdict: 'findings' })).toBe('⚠️');
  expect(sign({ verdict: 'incomplete', gate })).toBe('⚠️');
  expect(sign({ verdict: 'broken', gate })).toBe('❌');
  expect(sign({ verdict: 'findings', gate: { ...gate, passed: false } })).toBe('❌');
});

test('what does not fit is counted', () => {
  const findings = Array.from({ length: 6_000 }, (_, at) =>
    sampleFinding({ id: `f-${at}`, title: `Finding ${at}`, pageUrl: `${SITE}/${at % 40}` }),
  );
  const markdown = renderMarkdown(emptyReport({ verdict: 'findings', findings }));
  const bytes = Buffer.byteLength(markdown);
  expect(bytes).toBeLessThanOrEqual(MOST_MARKDOWN_BYTES);
  expect(bytes).toBeGreaterThan(MOST_MARKDOWN_BYTES - 3_000);
  const shown = markdown.match(/^- 🟠/gm)!.length;
  expect(markdown).toContain(`${6_000 - shown} findings of 6000 did not fit in here.`);
});

test('a report without pages is short', () => {
  expect(renderMarkdown(emptyReport())).toBe(
    `<!-- redpen-report -->
### ✅ Redpen: No page was reviewed

| 🔴 critical | 🟠 high | 🟡 medium | 🔵 low | ⚪ info |
| --: | --: | --: | --: | --: |
| 0 | 0 | 0 | 0 | 0 |

<sub>Redpen 0.1.0 · 0 agents · 0 pages</sub>
`,
  );
});
