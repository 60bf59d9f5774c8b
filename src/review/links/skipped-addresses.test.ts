import { expect, test } from 'vitest';
import { matchesAny } from '../../lib/glob.ts';
import { createSkip } from './skipped-addresses.ts';

const globs = [
  '*.example.com/**',
  '/Private/**',
  'https://example.org/a?c',
  'EXAMPLE.net',
  '/äpfel/*',
  '**/print.html',
  '/x?y=*',
];
const urls = [
  'https://www.example.com/a/b',
  'https://www.example.com/',
  'https://s.example/Private',
  'https://s.example/Private/1',
  'https://s.example/private/1',
  'https://example.org/abc',
  'https://example.org/abbc',
  'http://example.net/',
  'http://s.example/%C3%A4pfel/1',
  'http://s.example/a/print.html#top',
  'http://s.example/x?y=1',
  'http://s.example/',
];

test('addresses are skipped exactly if a glob matches them', () => {
  for (const glob of globs) {
    const isSkipped = createSkip([glob]);
    expect(urls.filter(isSkipped), glob).toEqual(urls.filter((url) => matchesAny([glob], url)));
    expect(urls.filter(isSkipped).length, glob).toBeGreaterThan(0);
  }
  expect(urls.filter(createSkip([]))).toEqual([]);
});
