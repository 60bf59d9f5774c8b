import { expect, test } from 'vitest';
import { JsonScan } from './json-scan.ts';

function scanOf(text: string): JsonScan {
  const scan = new JsonScan(Buffer.from(text), { keysPerObject: 10, keys: 10, values: 10 });
  while (!scan.isDone) scan.advance(1);
  return scan;
}

const isPlain = (text: string): boolean => scanOf(text).isPlain;

test.each([
  '"\\u00e9 \\u0041\\u000a"',
  '"\\ud83d\\ude00"',
  '["\\uD83D\\uDE00\\uDBFF\\uDFFF!","\\ud800\\udc00"]',
  '"\\\\u0000 \\\\ud83d"',
])('escapes of whole characters are plain: %s', (text) => {
  expect(isPlain(text)).toBe(true);
});

test.each(['{"a\\"b":1,"\\u00e9":2}', '[5.1e-7,-1E3,1e308,12345678901234567890]'])(
  'keys and numbers that can be stored are plain: %s',
  (text) => expect(isPlain(text)).toBe(true),
);

test.each([
  '{"constructor":1}',
  '{"\\u0063onstructor":1}',
  '{"a\\u0000":1}',
  '[1e999]',
  '[-2E309]',
  `[${'9'.repeat(310)}]`,
])('forbidden keys and numbers that are too large are not plain: %s', (text) =>
  expect(isPlain(text)).toBe(false),
);

test.each([
  '"\\u0000"',
  '"\\ud83d"',
  '"\\ude00"',
  '"\\uDE00\\uD83D"',
  '"\\ud83d\\ud83d\\ude00"',
  '"\\ud83d\\ude00\\ude00"',
  '"\\ud83d \\ude00"',
  '"\\ud83d\\n"',
  '"\\\\ud83d\\ude00"',
  '["\\ud83d","\\ude00"]',
])('NUL and lone surrogates are not plain: %s', (text) => {
  expect(isPlain(text)).toBe(false);
});

test.each(['\\ud83d\\u', '\\ud83d\\ude0', '\\ud83', '\\u'])(
  'a string with an invalid escape still ends at its quote: %s',
  (broken) => {
    expect(scanOf(`{"a":"${broken}","b":1,"b":2}`).issues).toMatchObject([{ path: ['b'] }]);
  },
);
