import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadModel, type Model } from './local-model.ts';

let model: Model;
beforeAll(async () => {
  model = await loadModel('int8');
}, 60_000);
afterAll(() => model.close());

const END = 102;
const tokenize = (text: string) => model.tokenize(text, 10_000);

// The tokens of stored vectors, which must not change with the version of the tokenizer.
test.each<[string, number[]]>([
  ['', []],
  [' \t\r\n\v\f\u0085\u00a0\u2028 ', []],
  [
    'Fix the button’s contrast (3.1:1)!',
    [8081, 1996, 6462, 1521, 1055, 5688, 1006, 1017, 1012, 1015, 1024, 1015, 1007, 999],
  ],
  [
    '<a href="x">§ 4</a>',
    [1026, 1037, 17850, 12879, 1027, 1000, 1060, 1000, 1028, 1073, 1018, 1026, 1013, 1037, 1028],
  ],
  ['Ünïcödé naïve Straße İstanbul ǅ ﬁ', [27260, 15743, 2358, 27807, 9960, 100, 1984]],
  ['日本語のテキスト', [1864, 1876, 1950, 1671, 30239, 30227, 30233, 30240]],
  ['\ud83d lone \udc00 \0 \u200d\ufeff\ufffd\ue000 🎉', [10459, 100]],
  [`${'a'.repeat(101)} unaffable`, [100, 14477, 20961, 3468]],
  ['a𠀀𠀁b 𪜀', [1037, 100, 100, 1038, 100]],
])("splits %j into the tokens of the model's vocabulary", (text, ids) => {
  expect(tokenize(text)).toEqual(ids);
});

test('text that looks like a special token is split as text', () => {
  expect(tokenize('[SEP] [MASK]')).toEqual([1031, 19802, 1033, 1031, 7308, 1033]);
  expect(tokenize('[SEP]')).not.toContain(END);
});

test('the number of tokens is limited', () => {
  expect(model.tokenize('one two three', 2)).toEqual(model.tokenize('one two', 10));
});
