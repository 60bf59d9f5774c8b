import { expect, test } from 'vitest';
import { listData, readReviewsSearch, writeReviewsSearch } from '../pages/reviews/reviews-search.ts';
import { EMPTY_FORM, problemsOf, requestOf } from './review-form.ts';
import { addressOf, placeOf, projectNameOf } from './trial.ts';

test('an address that is typed without a scheme is https, and http on the same machine', () => {
  const typed: Record<string, string | undefined> = {
    'example.com': 'https://example.com/',
    ' example.com/a?b=1 ': 'https://example.com/a?b=1',
    'http://example.com': 'http://example.com/',
    'localhost:3000/x': 'http://localhost:3000/x',
    '127.0.0.1': 'http://127.0.0.1/',
    '[::1]:8080': 'http://[::1]:8080/',
    'app.localhost:5173': 'http://app.localhost:5173/',
    'localhost.example.com': 'https://localhost.example.com/',
    'HTTPS://Example.com': 'https://example.com/',
    'example.com:8080': 'https://example.com:8080/',
    'two words': undefined,
    hello: undefined,
    'ftp://example.com': undefined,
    'javascript:alert(1)': undefined,
    '': undefined,
  };
  for (const [text, address] of Object.entries(typed)) expect(addressOf(text), text).toBe(address);
});

test('the document of an address is named after its host and path', () => {
  expect(placeOf('https://www.example.com/')).toEqual({
    organizationId: 'www.example.com',
    documentId: 'home',
  });
  expect(placeOf('http://127.0.0.1:18090/Über uns/?a=1')).toEqual({
    organizationId: '127.0.0.1-18090',
    documentId: 'c3-9cber-20uns-a-1',
  });
  expect(projectNameOf('https://www.example.com/pricing/')).toBe('www.example.com/pricing');
});

test('the form of a new review says what is missing', () => {
  expect(problemsOf(EMPTY_FORM)).toEqual({ urls: 'Write at least one address.' });
  expect(
    problemsOf({ ...EMPTY_FORM, urls: 'a.example\nnot one', by: 'agents', isWholeSite: true, maxUrls: 'x' }),
  ).toEqual({
    urls: '“not one” is no address of a page.',
    agents: 'Choose at least one agent.',
    maxUrls: 'Write a whole number from 1.',
  });
  expect(problemsOf({ ...EMPTY_FORM, urls: 'a.example', organizationId: 'acme' })).toEqual({
    documentId: 'Choose a document, or no organization.',
  });
});

test('the form becomes a request without what does not apply', () => {
  expect(requestOf({ ...EMPTY_FORM, urls: 'a.example\n\n b.example/x', globs: '/a/**' })).toEqual({
    urls: ['https://a.example/', 'https://b.example/x'],
    preset: 'launch',
  });
  expect(
    requestOf({
      ...EMPTY_FORM,
      urls: 'a.example',
      by: 'agents',
      agents: ['broken-links'],
      isWholeSite: true,
      maxUrls: '20',
      hasSitemap: true,
      globs: '/docs/**\n/blog/*',
      deviceType: 'mobile',
      organizationId: 'acme',
      documentId: 'website',
    }),
  ).toEqual({
    urls: ['https://a.example/'],
    agents: ['broken-links'],
    crossPageExecute: true,
    maxUrlsToProcess: 20,
    sitemap: true,
    pages: ['/docs/**', '/blog/*'],
    deviceType: 'mobile',
    organizationId: 'acme',
    documentId: 'website',
  });
});

test('filters of the list of reviews', () => {
  const search = readReviewsSearch({ status: 'running', period: 'day', new: 1 });
  expect(readReviewsSearch(writeReviewsSearch(search))).toEqual(search);
  expect(listData(search, 86_400_000 + 61_000)).toEqual({
    status: 'running',
    startedAfter: 60_000,
    pageSize: 30,
  });
  expect(listData(readReviewsSearch({ status: 'odd', period: 3 }), 0)).toEqual({ pageSize: 30 });
});
