import { expect, test } from 'vitest';
import { extractLinks } from './extract-links.ts';
import { xhtmlToHtml } from './xhtml.ts';

const urls = (xhtml: string) =>
  extractLinks(xhtmlToHtml(xhtml), 'http://x.example/', { rendered: false }).links.map(
    ({ rawHref }) => rawHref,
  );

test('self-closing elements do not swallow what follows', () => {
  const xhtml =
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><script src="s.js"/><title/></head>' +
    `<body><a id='x' name="y"/><br/><img src="i.png" alt="a > b"/><a href="/a">x</a></body></html>`;
  expect(urls(xhtml)).toEqual(['s.js', 'i.png', '/a']);
});

test('CDATA becomes text, and comments stay as they are', () => {
  expect(urls('<p><![CDATA[<a href="/no">]]></p><!-- <a/> <![CDATA[ --><a href="/yes">x</a>')).toEqual([
    '/yes',
  ]);
  expect(xhtmlToHtml('<p><![CDATA[a < b & c]]></p>')).toBe('<p>a &lt; b &amp; c</p>');
});

test('malformed markup is kept', () => {
  for (const text of ['<!-- open', '<![CDATA[ open', '<a b="c', '<p', '<<<a/ >']) {
    expect(xhtmlToHtml(text)).toBe(text);
  }
});

test('a hostile page of megabytes takes linear time', () => {
  const parts = ['<!--', '<a', '<a b="', '<a b="" ', '<a  ', '<![CDATA['];
  for (const part of parts) {
    const text = part.repeat(300_000);
    expect(xhtmlToHtml(text)).toBe(text);
  }
});
