import { describe, expect, test } from 'vitest';
import { cleanCss } from './clean-css.ts';
import { cleanHtml } from './clean-html.ts';

const both = { includeHead: true, includeBody: true };

describe('cleanHtml', () => {
  test('keeps structure and linked data, and drops what only machines read', () => {
    const source = `<!DOCTYPE html><html lang="en"><head><title>T</title><!-- c --><link rel="preload" href="x.js">
      <link rel="canonical" href="/c"><script src="a.js"></script><style>a{}</style>
      <script type="application/ld+json">{"@type":"Thing"}</script><script type="application/json">{"state":1}</script>
      </head><body onload="go()"><p data-v-123="" data-gtm="x" id="p" nonce="n">Hi</p><img src="/p.gif" width="1" height="1">
      <noscript><img src="/count"></noscript></body></html>`;
    expect(cleanHtml(source, both).replace(/\s*\n\s*/g, '')).toBe(
      '<!DOCTYPE html><html lang="en"><head><title>T</title><link rel="canonical" href="/c">' +
        '<script type="application/ld+json">{"@type":"Thing"}</script></head><body><p id="p">Hi</p></body></html>',
    );
  });

  test('shortens embedded files and drawings, and keeps the white space of pre', () => {
    const uri = `data:image/png;base64,${'A'.repeat(500)}`;
    const source = `<img src="${uri}"><path d="${'M0 0'.repeat(90)}"><pre>a\n   b</pre><p>a\n   b</p>`;
    const html = cleanHtml(source, both);
    expect(html).toContain('src="data:image/png;base64,…"');
    expect(html.length).toBeLessThan(300);
    expect(html).toContain('<pre>a\n   b</pre><p>a\nb</p>');
  });

  test('returns the requested part', () => {
    const source = '<title>T</title><p>B</p>';
    expect(cleanHtml(source, { includeHead: true, includeBody: false })).toBe(
      '<head><title>T</title></head>',
    );
    expect(cleanHtml(source, { includeHead: false, includeBody: true })).toBe('<body><p>B</p></body>');
    expect(cleanHtml(source, { includeHead: false, includeBody: false })).toBe('');
  });

  test('inserts the documents of frames at their places, even in shadow roots', () => {
    const source =
      '<x-a><template shadowrootmode="open"><iframe src="/1"></iframe></template></x-a><div><iframe src="/2"></iframe></div>';
    expect(cleanHtml(source, { ...both, frames: ['<p>one</p>', undefined] })).toContain(
      '<template shadowrootmode="open"><iframe src="/1"><p>one</p></iframe></template></x-a><div><iframe src="/2"></iframe></div>',
    );
    expect(cleanHtml(source, { ...both, frames: ['<p>one</p>'] })).not.toContain('one');
  });

  test('deep nesting and pathological texts are cleaned like any other', () => {
    const deep = `${'<div>'.repeat(3000)}deep`;
    expect(cleanHtml(deep, both)).toContain('deep');
    const trap = `<img alt="${'data:a'.repeat(100_000)}">`;
    expect(cleanHtml(trap, both).length).toBeGreaterThan(100_000);
  });
});

describe('cleanCss', () => {
  test('drops comments, spaces and imports, and all but the last of equal rules', () => {
    const sheets = [
      '@charset "utf-8";@import "b.css";/* c */ .a { color : red } .b{margin:0}',
      '.a{color:red}',
    ];
    expect(cleanCss(sheets)).toBe('.b{margin:0}\n.a{color:red}');
  });

  test('keeps similar but different rules', () => {
    const sheet = '@media print{.a{color:red}} .a{color:red} @media print{.a{color:blue}}';
    expect(cleanCss([sheet])).toBe(
      '@media print{.a{color:red}}\n.a{color:red}\n@media print{.a{color:blue}}',
    );
  });

  test('shortens embedded files', () => {
    const sheet = `.a{background:url(data:image/png;base64,${'B'.repeat(300)})}`;
    expect(cleanCss([sheet])).toBe('.a{background:url(data:image/png;base64,…)}');
  });

  test('broken CSS is kept as far as it can be parsed', () => {
    expect(cleanCss(['.a{color:red} } .b{{{ .c{color:blue}'])).toContain('.a{color:red}');
    expect(cleanCss(['.a{color:var(--x, {"y":1})}.n{&:hover{top:0}}'])).toContain('.n{&:hover{top:0}}');
    expect(cleanCss([`${'@media print{'.repeat(20_000)}.a{top:0}`])).toContain('.a{top:0}');
  });
});
