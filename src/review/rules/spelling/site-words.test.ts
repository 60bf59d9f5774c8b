import { parse } from 'parse5';
import { expect, test } from 'vitest';
import { collectSiteWords, namesIn, readSiteWords } from './site-words.ts';

test('words in code are kept, those in signatures and sentences apart from those in samples', () => {
  const { add, store } = collectSiteWords();
  add(
    parse(`<p>Set <code>xdev</code> first.</p><dl><dt class="sig sig-object"><span class="sig-name">recvfrm</span></dt></dl>
      <div class="highlight"><pre><span>frobnic</span>ate <code>inpre</code></pre></div><script>hidden</script>`),
  );
  const words = readSiteWords(store());
  expect(words.get('xdev')).toEqual({ pages: 0, contexts: 0, code: 'inline' });
  expect(words.get('recvfrm')?.code).toBe('inline');
  expect(words.get('frobnic')?.code).toBe('block');
  expect(words.get('inpre')?.code).toBe('block');
  expect([words.get('first'), words.get('hidden')]).toEqual([undefined, undefined]);
});

test('pages and contexts of running text are counted', () => {
  const { add, store, words } = collectSiteWords();
  for (const word of ['one', 'two', 'three', 'four'])
    add(parse(`<p>The gizmo ${word}.</p><footer>Made by Acmee</footer>`));
  expect(words.get('gizmo')).toMatchObject({ pages: 4, contexts: 3 });
  expect(words.get('acmee')).toMatchObject({ pages: 4, contexts: 1 });
  const kept = readSiteWords(store());
  expect(kept.get('gizmo')).toEqual({ pages: 4, contexts: 3 });
  expect(kept.get('three')).toBeUndefined();
});

test('names are split into their parts', () => {
  expect([...namesIn('getUserAgent(x1, foo_bar)')]).toEqual([
    'getuseragent',
    'get',
    'user',
    'agent',
    'foo',
    'bar',
  ]);
});

test('the number of words is limited', () => {
  const { add, store } = collectSiteWords();
  const letters = 'abcdefghijklmnopqrst';
  const word = (number: number) =>
    number.toString(20).replace(/./g, (digit) => letters[Number.parseInt(digit, 20)]!);
  const many = Array.from({ length: 120_000 }, (_, index) => `x${word(index + 8_000)}`).join(' ');
  add(parse(`<pre>${many}</pre>`));
  add(parse(`<pre>${many.replaceAll('x', 'y')}</pre>`));
  const stored = store();
  expect(stored.split('\n').length).toBeLessThanOrEqual(200_000);
  expect(stored.length).toBeLessThanOrEqual(2_000_000);
});

test('a deeply nested document is read', () => {
  const { add, words } = collectSiteWords();
  add(parse(`${'<div>'.repeat(20_000)}<code>deepname</code>`));
  expect(words.get('deepname')?.code).toBe('inline');
});
