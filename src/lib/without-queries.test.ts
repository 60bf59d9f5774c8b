import { expect, test } from 'vitest';
import { withoutQueries, withoutQuery } from './without-queries.ts';

test.each([
  ['https://a.test/b', 'https://a.test/b'],
  ['https://a.test/b?token=s#c', 'https://a.test/b'],
  ['https://ada:s@a.test:8080/b@c?d', 'https://a.test:8080/b@c'],
  ['not an address?s', 'not an address'],
])('%s is logged as %s', (url, expected) => {
  expect(withoutQuery(url)).toBe(expected);
});

test.each([
  ['https://a.test/b?token=s: HTTP 404.', 'https://a.test/b: HTTP 404.'],
  ['No answer from redis://:s@127.0.0.1:6379.', 'No answer from redis://127.0.0.1:6379.'],
  ['"https://a.test/?s" and <https://b.test/#s>', '"https://a.test/" and <https://b.test/>'],
  ['What is this? Nothing.', 'What is this? Nothing.'],
])('%s becomes %s', (text, expected) => {
  expect(withoutQueries(text)).toBe(expected);
});
