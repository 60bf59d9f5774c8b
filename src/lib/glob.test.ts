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
  test('a folder pattern takes the folder itself, with or without its slash, and no namesake', () => {
    expect(matchesAny(['/docs/**'], 'https://example.com/docs')).toBe(true);
    expect(matchesAny(['/docs/**'], 'https://example.com/docs/')).toBe(true);
    expect(matchesAny(['/docs/**'], 'https://example.com/docs-old')).toBe(false);
    expect(matchesAny(['/docs/*'], 'https://example.com/docs/')).toBe(false);
  });

  test('a bare host, a lone star and two stars are what they look like', () => {
    expect(matchesAny(['https://example.com'], 'https://example.com/')).toBe(true);
    expect(matchesAny(['example.com/docs/**'], page)).toBe(true);
    expect(matchesAny(['*.example.com/**'], 'https://www.example.com/a/b')).toBe(true);
    expect(matchesAny(['*'], page)).toBe(true);
    expect(matchesAny(['**'], page)).toBe(true);
    expect(matchesAny([], page)).toBe(false);
    expect(matchesAny([''], page)).toBe(false);
  });

  test('the query counts only where the pattern names it', () => {
    expect(matchesAny(['https://example.com/docs/guide/start'], page)).toBe(true);
    expect(matchesAny(['/docs/guide/start?page=2'], page)).toBe(true);
    expect(matchesAny(['/docs/guide/start?page=3'], page)).toBe(false);
    expect(matchesAny(['/docs/guide/start#top'], page)).toBe(true);
    expect(matchesAny(['/docs/guide/start#end'], page)).toBe(false);
  });

  test('letters outside ASCII are matched as an address writes them', () => {
    expect(matchesAny(['/über uns/*'], 'https://example.com/%C3%BCber%20uns/team')).toBe(true);
    expect(matchesAny(['https://*.münchen.de/**'], 'https://www.münchen.de/rathaus')).toBe(true);
  });

  test('what is no address matches nothing', () => {
    expect(matchesAny(['**'], 'not an address')).toBe(false);
  });
});

describe('matchesGlob', () => {
  test('every other special character of other matchers is an ordinary one', () => {
    expect(matchesGlob('a+(b)[c]{d,e}!.', 'a+(b)[c]{d,e}!.')).toBe(true);
    expect(matchesGlob('[ab]', 'a')).toBe(false);
  });

  test('agrees with a matcher that tries every way', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '**', '?', '/**/', '/**');
    const pattern = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(''));
    const text = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 8 }).map((chars) => chars.join(''));
    fc.assert(
      fc.property(pattern, text, (glob, candidate) => {
        expect(matchesGlob(glob, candidate)).toBe(slow(glob, candidate));
      }),
      { numRuns: 3000 },
    );
  });

  test('patterns made to run away take no longer than others', () => {
    const patterns = Array.from({ length: 200 }, () => `${'a*'.repeat(99)}b`);
    const steps = patterns.filter((pattern) => matchesGlob(pattern, 'a'.repeat(200)));
    expect(steps).toEqual([]);
    expect(matchesGlob(`${'a**'.repeat(60)}b`, `${'a'.repeat(400)}b`)).toBe(true);
  });
});

/** The same rules said by recursion, without regard to cost. */
function slow(pattern: string, text: string, atStart = true): boolean {
  if (pattern === '') return text === '';
  const everyTail = (rest: string) =>
    Array.from({ length: text.length + 1 }, (_, cut) => text.slice(cut)).some((tail) =>
      slow(rest, tail, false),
    );
  if (/^\/\*\*+$/.test(pattern)) return text === '' || text[0] === '/';
  const stars = /^\*+/.exec(pattern)?.[0].length ?? 0;
  if (stars === 1) {
    return (
      slow(pattern.slice(1), text, false) ||
      (text !== '' && text[0] !== '/' && slow(pattern, text.slice(1), false))
    );
  }
  const rest = pattern.slice(stars);
  if (stars > 1) {
    if (atStart && rest.startsWith('/')) {
      return (
        slow(rest.slice(1), text, true) ||
        [...text].some((char, at) => char === '/' && slow(rest.slice(1), text.slice(at + 1), true))
      );
    }
    return everyTail(rest);
  }
  if (text === '') return false;
  const fits = pattern[0] === '?' ? text[0] !== '/' : pattern[0] === text[0];
  return fits && slow(pattern.slice(1), text.slice(1), pattern[0] === '/');
}
