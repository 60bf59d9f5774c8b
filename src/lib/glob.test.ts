import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesAny, matchesGlob } from './glob.ts';

const page = 'https://example.com/docs/guide/start?page=2#top';

describe('a pattern for a whole address', () => {
  test.each([
    ['https://example.com/docs/**', true],
    ['https://EXAMPLE.com/docs/**', true],
    ['https://example.com/docs/*', false],
    ['https://example.com/docs/*/start', true],
    ['https://example.com/docs/guide/start/', true],
    ['http://example.com/docs/**', false],
    ['*://example.com/**', true],
    ['https://*.com/**', true],
    ['https://other.com/**', false],
    ['https://example.com', false],
  ])('%s is %s for a page two folders down', (pattern, expected) => {
    expect(matchesAny([pattern], page)).toBe(expected);
  });
});

describe('a pattern for a path', () => {
  test.each([
    ['/docs/**', true],
    ['/docs/guide/s?art', true],
    ['/docs/**/start', true],
    ['/docs/guide/**/start', true],
    ['/**', true],
    ['/docs', false],
    ['/Docs/**', false],
  ])('%s is %s on any host', (pattern, expected) => {
    expect(matchesAny([pattern], page)).toBe(expected);
  });
});

describe('matchesAny', () => {
  test('a folder pattern matches the folder itself, with or without a trailing slash, but no folder whose name only begins alike', () => {
    expect(matchesAny(['/docs/**'], 'https://example.com/docs')).toBe(true);
    expect(matchesAny(['/docs/**'], 'https://example.com/docs/')).toBe(true);
    expect(matchesAny(['/docs/**'], 'https://example.com/docs-old')).toBe(false);
    expect(matchesAny(['/docs/*'], 'https://example.com/docs/')).toBe(false);
  });

  test('a bare host and a path without a scheme match, a star matches every address, and an empty pattern none', () => {
    expect(matchesAny(['https://example.com'], 'https://example.com/')).toBe(true);
    expect(matchesAny(['example.com/docs/**'], page)).toBe(true);
    expect(matchesAny(['*.example.com/**'], 'https://www.example.com/a/b')).toBe(true);
    expect(matchesAny(['*'], page)).toBe(true);
    expect(matchesAny(['**'], page)).toBe(true);
    expect(matchesAny([], page)).toBe(false);
    expect(matchesAny([''], page)).toBe(false);
  });

  test('query and fragment count only if the pattern has them', () => {
    expect(matchesAny(['https://example.com/docs/guide/start'], page)).toBe(true);
    expect(matchesAny(['/docs/guide/start?page=2'], page)).toBe(true);
    expect(matchesAny(['/docs/guide/start?page=3'], page)).toBe(false);
    expect(matchesAny(['/docs/guide/start#top'], page)).toBe(true);
    expect(matchesAny(['/docs/guide/start#end'], page)).toBe(false);
  });

  test('patterns with letters outside ASCII match the encoded address', () => {
    expect(matchesAny(['/über uns/*'], 'https://example.com/%C3%BCber%20uns/team')).toBe(true);
    expect(matchesAny(['https://*.münchen.de/**'], 'https://www.münchen.de/rathaus')).toBe(true);
  });

  test('a text that is not an address matches nothing', () => {
    expect(matchesAny(['**'], 'not an address')).toBe(false);
  });
});

describe('matchesGlob', () => {
  test('special characters of other glob dialects are literal', () => {
    expect(matchesGlob('a+(b)[c]{d,e}!.', 'a+(b)[c]{d,e}!.')).toBe(true);
    expect(matchesGlob('[ab]', 'a')).toBe(false);
  });

  test('agrees with a matcher that backtracks over every possibility', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '**', '?', '/**/', '/**');
    const pattern = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(''));
    const text = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 8 }).map((chars) => chars.join(''));
    fc.assert(
      fc.property(pattern, text, (glob, candidate) => {
        expect(matchesGlob(glob, candidate)).toBe(matchesByBacktracking(glob, candidate));
      }),
      { numRuns: 3000 },
    );
  });

  test('patterns that make backtracking explode are matched quickly', () => {
    const patterns = Array.from({ length: 200 }, () => `${'a*'.repeat(99)}b`);
    const matching = patterns.filter((pattern) => matchesGlob(pattern, 'a'.repeat(200)));
    expect(matching).toEqual([]);
    expect(matchesGlob(`${'a**'.repeat(60)}b`, `${'a'.repeat(400)}b`)).toBe(true);
  });
});

/** The same rules as an exponential recursion. */
function matchesByBacktracking(pattern: string, text: string, atStart = true): boolean {
  if (pattern === '') return text === '';
  const everyTail = (rest: string) =>
    Array.from({ length: text.length + 1 }, (_, cut) => text.slice(cut)).some((tail) =>
      matchesByBacktracking(rest, tail, false),
    );
  if (/^\/\*\*+$/.test(pattern)) return text === '' || text[0] === '/';
  const stars = /^\*+/.exec(pattern)?.[0].length ?? 0;
  if (stars === 1) {
    return (
      matchesByBacktracking(pattern.slice(1), text, false) ||
      (text !== '' && text[0] !== '/' && matchesByBacktracking(pattern, text.slice(1), false))
    );
  }
  const rest = pattern.slice(stars);
  if (stars > 1) {
    if (atStart && rest.startsWith('/')) {
      return (
        matchesByBacktracking(rest.slice(1), text, true) ||
        [...text].some(
          (char, at) => char === '/' && matchesByBacktracking(rest.slice(1), text.slice(at + 1), true),
        )
      );
    }
    return everyTail(rest);
  }
  if (text === '') return false;
  const fits = pattern[0] === '?' ? text[0] !== '/' : pattern[0] === text[0];
  return fits && matchesByBacktracking(pattern.slice(1), text.slice(1), pattern[0] === '/');
}
