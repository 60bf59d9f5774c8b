import { expect, test } from 'vitest';
import { extractLinks } from './extract-links.ts';

const PAGE = 'http://site.example/dir/page.html';
const read = (html: string, rendered = false) => extractLinks(html, PAGE, { rendered });
const urls = (html: string) => read(html).links.map(({ url }) => url.replace('http://site.example', ''));

test('addresses resolve against the first base with an address, at any position', () => {
  const html =
    '<a href=x>1</a><base target=_top><base href=/b/><base href=/c/><a href="#y">2</a><a href="">3</a>';
  expect(urls(html)).toEqual(['/b/x', '/b/#y', '/b/']);
});

test('a base that is not a web address is ignored', () => {
  expect(urls('<base href="data:text/html,x"><a href=x>1</a>')).toEqual(['/dir/x']);
});

test('links in comments, templates and scripts do not count', () => {
  const html =
    '<!-- <a href=/no> --><template><a href=/no></a></template><script>"<a href=/no>"</script><style>/* url(/no) */</style>' +
    '<textarea><a href=/no></textarea><noframes><a href=/no></noframes><p href=/no data-href=/no>';
  expect(urls(html)).toEqual([]);
});

test('links in noscript count', () => {
  expect(urls('<noscript><a href=/yes>x</a></noscript>')).toEqual(['/yes']);
});

test('a srcset may hold commas and data URIs', () => {
  const html = '<img srcset="data:image/gif;base64,R0,lGO 1x, a,b.png 2x,c.png 3x , d.png">';
  expect(urls(html)).toEqual(['/dir/a,b.png', '/dir/c.png', '/dir/d.png']);
});

test('styles name files, but namespaces, fragments and comments do not', () => {
  const html =
    '<style>@import "a.css"; @namespace svg url(http://n.example/); .x{background:url( "b.png" );filter:url(#f);--c:url(c.png)}' +
    '.y{background:image-set("d.png" 1x, url(e.png) 2x);content:"url(no)"}</style><p style="background:url(&quot;f.png&quot;)">';
  expect(urls(html)).toEqual(
    ['a.css', 'b.png', 'c.png', 'd.png', 'e.png', 'f.png'].map((name) => `/dir/${name}`),
  );
});

test.each([
  ['5; URL=/r', ['/r']],
  ["0;url='/r'x", ['/r']],
  ['0;/r', ['/r']],
  ['3', []],
  ['soon; url=/r', []],
])('the refresh %j is resolved like in browsers', (content, expected) => {
  expect(urls(`<meta http-equiv=Refresh content="${content}">`)).toEqual(expected);
});

test('invalid addresses are kept as written, and schemes of apps are left out', () => {
  const { links } = read(
    '<a href="http://[x">1</a><a href="htps://a.example">2</a><a href="slack://x">3</a><a href=mailto:a@b>4</a>',
  );
  expect(links.map(({ url, valid }) => [url, valid])).toEqual([
    ['http://[x', false],
    ['htps://a.example', false],
  ]);
});

test('a link is found again by its words, their occurrence and its selector', () => {
  const { links } = read(
    '<main id=m><p>Read more</p><ul><li><a href=/a>Read\n <b>more</b></a><li><a href=/b>Read more</a></ul></main>',
  );
  expect(links.map(({ text, occurrence, selector }) => [text, occurrence, selector])).toEqual([
    ['Read more', 2, '#m > ul:nth-of-type(1) > li:nth-of-type(1) > a:nth-of-type(1)'],
    ['Read more', 3, '#m > ul:nth-of-type(1) > li:nth-of-type(2) > a:nth-of-type(1)'],
  ]);
});

test('a link in noscript has the selector of the noscript, whose content no browser parses', () => {
  const { links } = read('<p>a</p><noscript><p id=x><a href=/a>x</a></p></noscript><a href=/b>x</a>');
  expect(links.map(({ selector }) => selector)).toEqual([
    'body > noscript:nth-of-type(1)',
    'body > a:nth-of-type(1)',
  ]);
});

test('an id that occurs twice names no element', () => {
  const { links } = read('<p id=twice><a href=/a>x</a></p><p id=twice></p>');
  expect(links[0]?.selector).toBe('body > p:nth-of-type(1) > a:nth-of-type(1)');
});

test('fragments are the ids and the names of anchors', () => {
  const { fragments } = read(
    '<p id=a><a name=b></a><map name=c></map><template><p id=d></template><svg><g id=e></g></svg>',
  );
  expect(fragments.sort()).toEqual(['a', 'b', 'e']);
});

test('a page that a browser rendered does not count as scripted', () => {
  expect(read('<script>1</script>').scripted).toBe(true);
  expect(read('<script type=application/ld+json>1</script>').scripted).toBe(false);
  expect(read('<script>1</script>', true).scripted).toBe(false);
});

test('a page nested thousands deep is read, with selectors of bounded length', () => {
  const { links } = read(`${'<div>'.repeat(20_000)}<a href=/x>x</a>`);
  expect(links).toHaveLength(1);
  expect(links[0]!.selector.length).toBeLessThan(3_000);
});

test('a query is encoded in the charset of its page, and a path and a fragment are not', () => {
  const address = (charset: string | undefined, href: string, head = '') =>
    extractLinks(`${head}<a href="${href}">x</a>`, PAGE, { rendered: false, charset }).links[0]!.url;
  expect(address('windows-1251', '/я?q=тест&r=%D1#я')).toBe(
    'http://site.example/%D1%8F?q=%F2%E5%F1%F2&r=%D1#%D1%8F',
  );
  expect(address('shift_jis', '?q=日')).toBe(`${PAGE}?q=%93%FA`);
  expect(address('windows-1251', '?q=日')).toBe(`${PAGE}?q=%26%2326085%3B`);
  expect(address('utf-16le', '?q=я')).toBe(`${PAGE}?q=%D1%8F`);
  expect(address('no-such-charset', '?q=я')).toBe(`${PAGE}?q=%D1%8F`);
  expect(address(undefined, '?q=я', '<meta charset=koi8-r>')).toBe(`${PAGE}?q=%D1`);
});
