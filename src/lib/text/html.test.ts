import fc from 'fast-check';
import { parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { rounds } from '../../../test/run/rounds.ts';
import { hasTooManyTags, isScriptUrl, safeHtml, safeSnippet, safeStoredHtml, safeText } from './html.ts';

interface ParsedNode {
  nodeName: string;
  childNodes?: ParsedNode[];
  attrs?: { name: string; value: string }[];
}

const REL = 'target="_blank" rel="noopener noreferrer nofollow"';

test.each([
  ['plain text', 'plain text'],
  ['Fish & chips < 5', 'Fish &amp; chips &lt; 5'],
  ['<p>Look, {{u1}}: <strong>bold</strong></p>', '<p>Look, {{u1}}: <strong>bold</strong></p>'],
  ['<p>left open <b>twice', '<p>left open <b>twice</b></p>'],
  ['</div></div>out', 'out'],
  ['a<br>b', 'a<br />b'],
  ['<a href="https://example.com/?a=1&b=2">x</a>', `<a href="https://example.com/?a=1&amp;b=2" ${REL}>x</a>`],
  ['<a href="mailto:a@b.c" target="_top" rel="opener">x</a>', `<a href="mailto:a@b.c" ${REL}>x</a>`],
  ['<a href="/docs" title="All">x</a>', `<a href="/docs" title="All" ${REL}>x</a>`],
  ['<a href="javascript:alert(1)">x</a>', `<a ${REL}>x</a>`],
  ['<a href="//evil.example">x</a>', `<a ${REL}>x</a>`],
  [
    '<span class="mention overlay" data-type="mention" data-id="u1" data-bind="x" style="position:fixed">@A</span>',
    '<span class="mention" data-type="mention" data-id="u1">@A</span>',
  ],
  ['<code class="language-js wide">x</code>', '<code class="language-js">x</code>'],
  ['<ol start="3" id="list"><li>x</li></ol>', '<ol start="3"><li>x</li></ol>'],
  ['<img src="https://tracker.example/x.png">seen', 'seen'],
  ['<svg><p>a</p></svg>after', 'after'],
  ['<table><tr><td>cell</td></tr></table>', 'cell'],
  ['&lt;script&gt;', '&lt;script&gt;'],
  ['&amp;lt;', '&amp;lt;'],
])('%j is stored as %j', (html, stored) => {
  expect(safeHtml(html)).toBe(stored);
});

test.each([
  ['a & b', 'a & b'],
  ['<a href="/x">y</a>', '<a href="/x">y</a>'],
  ['<img src="x" onerror="alert(1)">', '&lt;img src="x" onerror="alert(1)" /&gt;'],
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
])('the excerpt %j is kept as %j', (html, stored) => {
  expect(safeSnippet(html)).toBe(stored);
});

test.each([
  ['R&D: "a" > b < c', 'R&D: "a" > b < c'],
  ['<b class="x">x</b><br />', '<b>x</b><br>'],
  ['x<img src=x onerror=alert(1)>', 'x‹img src=x onerror=alert(1)›'],
  ['<a href=" javascript:alert(1)" title="t">x</a>', '‹a href=" javascript:alert(1)" title="t"›x</a>'],
  ['<a href="&#106;avascript:alert(1)">', '‹a href="&#106;avascript:alert(1)"›'],
  ['<script>alert(1)</script>', '‹script›alert(1)‹/script›'],
  ['<svg onload="alert(1)"', '‹svg onload="alert(1)"'],
  ['<!-- x -->', '‹!-- x --›'],
  ['<meta http-equiv="refresh" content="0">', '‹meta http-equiv="refresh" content="0"›'],
  ['<a href="/x" onclick="run()">', '‹a href="/x" onclick="run()"›'],
  // A tag that a finding suggests to add is useless if it is escaped.
  ['<meta property="og:type" content="website">', '<meta property="og:type" content="website">'],
  ['<html lang="en">', '<html lang="en">'],
])('the text %j is shown as %j', (text, shown) => {
  expect(safeText(text)).toBe(shown);
});

test('a text has no escapes of its own, and as HTML it has only tags that do nothing', () => {
  const inert = ['b', 'i', 'em', 'strong', 'code', 'br', 'p', 'ul', 'ol', 'li', 'meta', 'link', 'a', 'label'];
  const expectInert = (node: ParsedNode): void => {
    for (const child of node.childNodes ?? []) {
      if (!child.nodeName.startsWith('#')) expect(inert).toContain(child.nodeName);
      for (const { name, value } of child.attrs ?? []) {
        expect(name).not.toMatch(/^on|^style$|^src/);
        expect(isScriptUrl(value)).toBe(false);
      }
      expectInert(child);
    }
  };
  fc.assert(
    fc.property(anyMarkup, (text) => {
      const shown = safeText(text);
      expect(shown.split('&').length).toBe(text.split('&').length);
      expectInert(parseFragment(shown) as ParsedNode);
    }),
    { numRuns: rounds(750, 3_000, 'FUZZ_RUNS') },
  );
});

const fragments = fc.constantFrom(
  ...[
    '<',
    '>',
    '</',
    '/>',
    '"',
    "'",
    '=',
    '&',
    ';',
    '&lt;',
    '&#x3c;',
    '&#60',
    '{{u1}}',
    ' ',
    '\n',
    '<!--',
    '-->',
  ],
  ...[
    '<p>',
    '<b>',
    '</b>',
    '<a href="',
    'javascript:',
    'https://a.b/',
    '">',
    '<svg>',
    '<math>',
    '<mtext>',
    '<style>',
  ],
  ...[
    '<img src=x onerror=alert(1)>',
    '<noscript>',
    '<title>',
    '</title>',
    '<![CDATA[',
    ']]>',
    '<span class="mention ',
  ],
  ...[
    '<script>',
    '</script>',
    'x',
    '<br>',
    '<li>',
    '</p>',
    '<iframe srcdoc="',
    '<template>',
    '<xmp>',
    '<table>',
    '<td>',
  ],
);
const anyMarkup = fc.array(fragments, { maxLength: 30 }).map((parts) => parts.join(''));

test('cleaning is idempotent, for input and for output', () => {
  fc.assert(
    fc.property(anyMarkup, (html) => {
      for (const clean of [safeHtml, safeSnippet, safeText]) {
        const once = clean(html);
        expect(clean(once)).toBe(once);
      }
      expect(safeStoredHtml(safeHtml(html))).toBe(safeHtml(html));
    }),
    { numRuns: rounds(750, 3_000, 'FUZZ_RUNS') },
  );
});

test('whatever is stored, the HTML that is read has only allowed tags, attributes and schemes', () => {
  const tags = [...['p', 'b', 'a', 'span', 'br', 'li', 'h1', 'ul', 'div', 'pre'], '#text'];
  const attributes = ['href', 'target', 'rel', 'class'];
  const expectAllowed = (node: ParsedNode): void => {
    for (const child of node.childNodes ?? []) {
      expect(tags).toContain(child.nodeName);
      for (const { name, value } of child.attrs ?? []) {
        expect(attributes).toContain(name);
        if (name === 'href') expect(isScriptUrl(value)).toBe(false);
      }
      expectAllowed(child);
    }
  };
  fc.assert(
    fc.property(anyMarkup, (html) => expectAllowed(parseFragment(safeStoredHtml(html)) as ParsedNode)),
    { numRuns: rounds(750, 3_000, 'FUZZ_RUNS') },
  );
});

test.each([
  ['https://example.com/a.png', false],
  ['uploads/a.png', false],
  ['gs://bucket/a', false],
  ['data:image/png;base64,AAAA', false],
  ['JavaScript:alert(1)', true],
  [' \tjava\nscript:alert(1)', true],
  ['\u0001javascript:alert(1)', true],
  ['vbscript:x', true],
  ['data:text/html,<script>alert(1)</script>', true],
  ['data:image/svg+xml,<svg/>', true],
])('%j is a script URL: %j', (url, expected) => {
  expect(isScriptUrl(url)).toBe(expected);
});

test('the number of tags is limited, and the number of characters is not', () => {
  expect(hasTooManyTags('<b>'.repeat(5_000))).toBe(false);
  expect(hasTooManyTags('<b>'.repeat(5_001))).toBe(true);
  expect(hasTooManyTags('x'.repeat(1_000_000))).toBe(false);
});
