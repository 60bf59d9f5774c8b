import { expect, test } from 'vitest';
import { expectKnownRules } from '../../../../test/reviews/known-rules.ts';
import type { SafeFetch } from '../../../outside/net/outbound-fetch.ts';
import { createChecker } from '../link-checker.ts';
import { headFindings } from './head-findings.ts';
import { codeFault } from './hreflang-code.ts';

type Answer = string | { status: number; location: string };

/** Findings on a page of a site of such pages, as issue type and address. */
async function findingsOn(path: string, pages: Record<string, Answer>) {
  const fetch: SafeFetch = async (url) => {
    const answer = pages[url] ?? pages[new URL(url).pathname];
    const { status, location } =
      typeof answer === 'object' ? answer : { status: answer === undefined ? 404 : 200, location: '' };
    const headers = { 'content-type': 'text/html', ...(location && { location }) };
    const body = Buffer.from(typeof answer === 'string' ? answer : '');
    return { url, status, headers, body, truncated: false, redirects: [] };
  };
  const checker = createChecker({ fetch });
  const { final } = await checker.read(`https://s.example.org${path}`);
  const options = { checker, signal: new AbortController().signal, isWanted: () => true };
  const findings = await headFindings(final.page!, options);
  await expectKnownRules('broken-links', findings);
  return findings.map(({ issueType, title }) => `${issueType}: ${title}`);
}

const canonical = (href: string) => `<link rel=canonical href="${href}">`;
const alternate = (code: string, href: string) => `<link rel=alternate hreflang="${code}" href="${href}">`;

test.each(['en', 'de-AT', 'zh-Hant-TW', 'es-419', 'fil', 'x-default', 'en-us', 'sr-Latn'])(
  '%s is a language code',
  (code) => {
    expect(codeFault(code)).toBeUndefined();
  },
);

test.each(['', 'en_US', 'en-UK', 'jp', 'english', 'en-EN', 'zh-CHS', 'de-', 'xx', 'x-foo'])(
  '“%s” is no language code',
  (code) => {
    expect(codeFault(code)).toBeDefined();
  },
);

test('pages that agree on their addresses and languages have no findings', async () => {
  const languages = alternate('en', '/en') + alternate('de', '/de') + alternate('x-default', '/en');
  const pages = {
    '/en': canonical('/en') + languages,
    '/de': canonical('http://s.example.org/de') + languages,
    '/copy?x=1': canonical('/en'),
    '/feed': '<link rel=alternate type=application/rss+xml hreflang=jp href=/rss>',
  };
  expect(await findingsOn('/en', pages)).toEqual([]);
  expect(await findingsOn('/de', pages)).toEqual([]);
  expect(await findingsOn('/feed', pages)).toEqual([]);
});

test('a canonical address that redirects, names another or must not be listed is found', async () => {
  const pages = {
    '/moved': canonical('/old'),
    '/old': { status: 301, location: '/new' },
    '/new': 'new',
    '/chain': canonical('/middle'),
    '/middle': canonical('/end'),
    '/end': 'end',
    '/unlisted': canonical('/secret'),
    '/secret': '<meta name=robots content="noindex, follow">',
  };
  expect(await findingsOn('/moved', pages)).toEqual(['canonical-redirect: Canonical address redirects']);
  expect(await findingsOn('/chain', pages)).toEqual(['canonical-chain: Canonical address names another one']);
  expect(await findingsOn('/unlisted', pages)).toEqual([
    'canonical-contradiction: Canonical address has noindex',
  ]);
});

test('a canonical address that contradicts the page itself is found', async () => {
  const pages = {
    '/noindex': `${canonical('/a')}<meta name=robots content=noindex>`,
    '/two': canonical('/a') + canonical('/b'),
    '/same': canonical('/a') + canonical('/a'),
    '/local': canonical('http://localhost:3000/local'),
    '/language': canonical('/a') + alternate('de', '/language'),
    '/a': 'a',
  };
  expect(await findingsOn('/noindex', pages)).toEqual([
    'canonical-contradiction: Canonical address on a page with noindex',
  ]);
  expect(await findingsOn('/two', pages)).toEqual(['canonical-contradiction: Several canonical addresses']);
  expect(await findingsOn('/same', pages)).toEqual([]);
  expect(await findingsOn('/local', pages)).toEqual([
    'canonical-host: Canonical address on an internal host',
  ]);
  expect(await findingsOn('/language', pages)).toEqual([
    'canonical-contradiction: Canonical address and languages contradict one another',
  ]);
});

test('languages that do not refer back, or to another page, are found', async () => {
  const pages = {
    '/en': alternate('en', '/en') + alternate('de', '/de') + alternate('fr', '/fr') + alternate('jp', '/ja'),
    '/de': alternate('de', '/de'),
    '/fr': canonical('/en') + alternate('en', '/en'),
  };
  expect(await findingsOn('/en', pages)).toEqual([
    'hreflang-no-return: No return link from the version for de',
    'hreflang-contradiction: The version for fr names another canonical address',
    'invalid-hreflang: Invalid language code: jp',
  ]);
});
