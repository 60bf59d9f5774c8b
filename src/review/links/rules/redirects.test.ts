import { expect, test } from 'vitest';
import type { SafeFetch } from '../../../outside/net/outbound-fetch.ts';
import { createChecker } from '../link-checker.ts';
import { extractLinks } from '../page/extract-links.ts';
import { reviewLinks } from '../review-links.ts';
import { redirectFindings } from './redirects.ts';

const redirects: Record<string, [number, string]> = {
  'http://s.example/moved': [301, '/there'],
  'http://s.example/temporary': [302, '/there'],
  'http://s.example/mixed': [308, '/temporary'],
  'http://s.example/moved-and-gone': [301, '/gone'],
  'http://s.example/1': [302, '/2'],
  'http://s.example/2': [302, '/3'],
  'http://s.example/3': [302, '/there'],
  'http://o.example/a': [301, 'https://o.example/a'],
  'http://o.example/b': [301, 'https://o.example/b'],
};

const fetch: SafeFetch = async (url) => {
  const [status, location] = redirects[url] ?? [url.endsWith('/gone') ? 404 : 200, ''];
  const headers = { 'content-type': 'text/html', ...(location && { location }) };
  return { url, status, headers, body: new Uint8Array(), truncated: false, redirects: [] };
};

async function findingsOf(...hrefs: string[]) {
  const html = hrefs.map((href) => `<a href="${href}">x</a>`).join('');
  const page = extractLinks(html, 'http://s.example/', { rendered: false });
  const { working } = await reviewLinks(page, createChecker({ fetch }));
  return redirectFindings(working).map(({ issueType, url, suggestion, cause }) => ({
    issueType,
    url,
    suggestion,
    cause,
  }));
}

test('a link that has moved for good is found, with the address to link to', async () => {
  expect(await findingsOf('/moved', '/temporary', '/mixed', '/moved-and-gone', '/there')).toMatchObject([
    {
      issueType: 'permanent-redirect',
      url: 'http://s.example/moved',
      suggestion: 'Link to http://s.example/there.',
    },
    {
      issueType: 'permanent-redirect',
      url: 'http://s.example/mixed',
      suggestion: 'Link to http://s.example/temporary.',
    },
  ]);
});

test('three redirects are a chain, and two are none', async () => {
  expect(await findingsOf('/1', '/2')).toMatchObject([
    {
      issueType: 'redirect-chain',
      url: 'http://s.example/1',
      suggestion: 'Link straight to http://s.example/there.',
    },
  ]);
});

test('a host that has moved to HTTPS is one cause', async () => {
  const found = await findingsOf('http://o.example/a', 'http://o.example/b');
  expect(found.map(({ cause }) => cause)).toEqual([
    'redirect http://o.example https://o.example',
    'redirect http://o.example https://o.example',
  ]);
});
