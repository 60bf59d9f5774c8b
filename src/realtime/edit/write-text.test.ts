import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomText } from './fixtures/random-content.ts';
import { documentWith, replicaOf } from './fixtures/replicas.ts';
import { bytes, read, write } from './fixtures/writing.ts';

test('text survives a round trip, in one update, or in none if it is equal', () => {
  const format = fc.tuple(
    fc.nat(20),
    fc.nat(6),
    fc.constantFrom({ bold: true }, { italic: {} }, { bold: null }, { link: { href: 'a' } }),
  );
  fc.assert(
    fc.property(randomText, randomText, fc.array(format, { maxLength: 4 }), (before, after, formats) => {
      const made = documentWith((doc) => {
        const text = doc.getText('content');
        text.insert(0, before);
        for (const [at, length, attributes] of formats) {
          if (at < text.length) text.format(at, Math.min(length, text.length - at), attributes);
        }
        text.insertEmbed(Math.floor(text.length / 2), { image: 'a' });
      });
      const doc = replicaOf(made);
      const original = read(doc, 'text');
      expect(write(doc, 'text', original)).toEqual([]);
      expect(write(doc, 'text', after)).toHaveLength(original === after ? 0 : 1);
      expect(read(doc, 'text')).toBe(after);
      const copy = replicaOf(doc).getText('content');
      expect(copy.toString()).toBe(after);
      expect(
        copy.toDelta().filter((run: { insert: unknown }) => typeof run.insert === 'object'),
      ).toHaveLength(1);
    }),
  );
});

test('text that stays keeps its formatting, and new text has that of the text it replaces or follows', () => {
  const doc = documentWith((made) =>
    made
      .getText('content')
      .applyDelta([{ insert: 'one ' }, { insert: 'two', attributes: { bold: true } }, { insert: ' three' }]),
  );
  write(doc, 'text', 'one too, four three');
  expect(doc.getText('content').toDelta()).toEqual([
    { insert: 'one ' },
    { insert: 'too, four', attributes: { bold: true } },
    { insert: ' three' },
  ]);
});

test('a small change of a large text is a small update, at any position', () => {
  const words = Array.from({ length: 20_000 }, (_, index) => `word${index} `);
  const doc = documentWith((made) => made.getText('content').insert(0, words.join('')));
  const changed = [...words];
  for (const at of [3, 4_000, 9_999, 19_000]) changed[at] = `${words[at]}and more `;
  const updates = write(doc, 'text', changed.join(''));
  expect(read(doc, 'text')).toBe(changed.join(''));
  expect(bytes(updates)).toBeLessThan(200);
});

test('surrogate pairs are never split, and lone surrogates are replaced', () => {
  const doc = documentWith((made) => made.getText('content').insert(0, 'a😀b'));
  // The first pair shares its high surrogate, the second its low surrogate.
  write(doc, 'text', 'a😁b');
  expect(replicaOf(doc).getText('content').toString()).toBe('a😁b');
  write(doc, 'text', 'a𝘁b'.replace('𝘁', String.fromCodePoint(0x1da01)));
  expect(replicaOf(doc).getText('content').toString()).toBe(`a${String.fromCodePoint(0x1da01)}b`);
  write(doc, 'text', 'a\ud83db');
  expect(replicaOf(doc).getText('content').toString()).toBe('a\ufffdb');
});

test('texts of a million characters are written even if they have nothing in common', () => {
  const letters = (from: string) =>
    Array.from({ length: 1_000_000 }, (_, at) => from[(at * at) % 23]).join('');
  const [before, after] = [letters('abcdefg hijkl\nmnopqrstu'), letters('ABCDEFG HIJKL\nMNOPQRSTU')];
  const doc = documentWith((made) => made.getText('content').insert(0, before));
  write(doc, 'text', after);
  expect(read(doc, 'text') === after).toBe(true);
});
