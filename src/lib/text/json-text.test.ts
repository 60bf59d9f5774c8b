import { expect, test } from 'vitest';
import { JsonText, serializeLongLists, writeJson } from './json-text.ts';

const text = (value: unknown) => new JsonText(new TextEncoder().encode(JSON.stringify(value)));

test.each([
  [
    { a: text({ b: [1, 'é'] }), c: 'é', d: [text('x'), text(null)] },
    '{"a":{"b":[1,"é"]},"c":"é","d":["x",null]}',
  ],
  [[text('first'), 'second'], '["first","second"]'],
  [{ a: 1 }, '{"a":1}'],
])('parts that are already JSON are copied into the answer', (value, expected) => {
  expect(writeJson(value).toString()).toBe(expected);
});

test('a part that is already JSON can be written only by writeJson', () => {
  const refused = 'Only writeJson can write a JsonText.';
  expect(() => JSON.stringify({ a: text(1) })).toThrow(refused);
  writeJson(text(1));
  expect(() => writeJson({ a: text(1), b: 1n })).toThrow(TypeError);
  expect(() => JSON.stringify(text(1))).toThrow(refused);
});

test('long lists are written exactly as JSON.stringify writes them', async () => {
  const items = Array.from({ length: 250 }, (_, index) => ({ index, words: 'é"', none: undefined }));
  const answer = { result: { status: 'success', data: { items, few: [undefined, 1] } } };
  const whole = await serializeLongLists(answer);
  expect(writeJson(whole).toString()).toBe(JSON.stringify(answer));
  const deep = { result: { data: [...items, text({ a: 1 })] } };
  expect(JSON.parse(writeJson(await serializeLongLists(deep)).toString()).result.data.at(-1)).toEqual({
    a: 1,
  });
  const long = { result: { data: Array.from({ length: 101 }, (_, index) => [index, 'é'.repeat(2_000)]) } };
  expect(writeJson(await serializeLongLists(long)).toString()).toBe(JSON.stringify(long));
  const short = { result: { data: items.slice(0, 10) } };
  expect(serializeLongLists(short)).toBe(short);
});
