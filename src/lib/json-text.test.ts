import { expect, test } from 'vitest';
import { JsonText, writeJson } from './json-text.ts';

const text = (value: unknown) => new JsonText(new TextEncoder().encode(JSON.stringify(value)));

test.each([
  [
    { a: text({ b: [1, 'é'] }), c: 'é', d: [text('x'), text(null)] },
    '{"a":{"b":[1,"é"]},"c":"é","d":["x",null]}',
  ],
  [[text('first'), 'second'], '["first","second"]'],
  [{ a: 1 }, '{"a":1}'],
])('parts that are JSON already stand in the answer as they are', (value, expected) => {
  expect(writeJson(value).toString()).toBe(expected);
});
