import { expect, test } from 'vitest';
import { extractLinks } from '../page/extract-links.ts';
import { createHostComparison } from './canonical-hosts.ts';
import { createDuplicateFinder } from './duplicates.ts';
import { factsOf, keyOnSite, type PageFacts, readFacts } from './site-facts.ts';

const facts = (more: Partial<PageFacts>): PageFacts => ({
  title: '',
  description: '',
  lang: '',
  noindex: false,
  linked: [],
  ...more,
});

test('pages with the same title or description are found, each with the others', () => {
  const finder = createDuplicateFinder();
  finder.add('http://s.example/a', facts({ title: 'Our Goods', description: 'All of them.' }));
  finder.add('http://s.example/b', facts({ title: 'our goods', description: 'Some of them.' }));
  finder.add('http://s.example/c', facts({ title: 'Contact', description: 'All of them.' }));
  const found = finder.findings();
  expect([...found].map(([url, list]) => [url, list.map(({ title }) => title)])).toEqual([
    [
      'http://s.example/a',
      ['Same title on 2 pages: “Our Goods”', 'Same description on 2 pages: “All of them.”'],
    ],
    ['http://s.example/b', ['Same title on 2 pages: “Our Goods”']],
    ['http://s.example/c', ['Same description on 2 pages: “All of them.”']],
  ]);
  const [a, b] = ['a', 'b'].map((path) => found.get(`http://s.example/${path}`)![0]!);
  expect(a!.cause).toBe(b!.cause);
  expect(a!.description).toContain('http://s.example/b');
});

test('pages of a copy, which name the addresses of the original, are compared as well', () => {
  const finder = createDuplicateFinder();
  for (const path of ['a', 'b'])
    finder.add(
      `http://copy.example/${path}`,
      facts({ title: 'Same', canonical: `https://s.example/docs/${path}` }),
    );
  expect(finder.findings().size).toBe(2);
});

test('pages of one script that differ in their query alone are duplicates', () => {
  const finder = createDuplicateFinder();
  for (const id of [1, 2]) finder.add(`http://s.example/item?id=${id}`, facts({ title: 'Item' }));
  expect(finder.findings().size).toBe(2);
});

test('copies, unlisted pages, translations and other names of a page are no duplicates', () => {
  const finder = createDuplicateFinder();
  const title = 'Redpen';
  finder.add('http://s.example/', facts({ title, lang: 'en', canonical: 'https://s.example/' }));
  finder.add('http://s.example/index.html', facts({ title, lang: 'en' }));
  finder.add('http://s.example/?from=mail', facts({ title, lang: 'en', canonical: 'http://s.example/' }));
  finder.add('http://s.example/search', facts({ title, lang: 'en', noindex: true }));
  finder.add('http://s.example/de', facts({ title, lang: 'de' }));
  finder.add('http://s.example/news', facts({ title: 'News' }));
  finder.add('http://s.example/news?theme=dark', facts({ title: 'News' }));
  finder.add('http://s.example/en/license', facts({ title: 'License', lang: 'en' }));
  finder.add('http://s.example/de/license', facts({ title: 'License', lang: 'en' }));
  finder.add('http://s.example/x', facts({}));
  finder.add('http://s.example/y', facts({}));
  expect([...finder.findings().keys()]).toEqual([]);
});

test('one canonical address on another host among many is found, and a divided site is left alone', () => {
  const pages = Array.from({ length: 12 }, (_, index) => `http://s.example/${index}`);
  const mostly = createHostComparison();
  for (const [index, url] of pages.entries())
    mostly.add(
      url,
      facts({ canonical: index === 3 ? 'https://staging.example/3' : `https://s.example/${index}` }),
    );
  expect([...mostly.findings()]).toMatchObject([
    ['http://s.example/3', [{ issueType: 'canonical-other-host', url: 'https://staging.example/3' }]],
  ]);
  const divided = createHostComparison();
  for (const [index, url] of pages.entries())
    divided.add(url, facts({ canonical: `https://${index % 2}.example/` }));
  expect(divided.findings().size).toBe(0);
});

test('the facts of a page have the addresses that it is the first to name', () => {
  const seen = new Set<string>();
  const pageOf = (path: string, html: string) =>
    extractLinks(html, `http://s.example${path}`, { rendered: false });
  const first = factsOf(
    pageOf('/', '<title> A  b </title><a href=/1#x>1</a><a href=/2>2</a><a href=/>0</a>'),
    seen,
  );
  expect(first).toMatchObject({ title: 'A b', linked: ['/1', '/2'] });
  const second = factsOf(
    pageOf('/1', '<a href=/2>2</a><a href=/3?q=1>3</a><a href=//o.example/4>4</a>'),
    seen,
  );
  expect(second?.linked).toEqual(['/3?q=1']);
  expect(readFacts(JSON.parse(JSON.stringify(second)))).toEqual(second);
  expect(keyOnSite('https://s.example/2#top')).toBe('/2');
});
