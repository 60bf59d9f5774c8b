import { expect, test } from 'vitest';
import { createKeyring } from './crypto.ts';
import { openCursor, sealCursor } from './cursor.ts';

const keyring = createKeyring([Buffer.alloc(32, 1)]);
const list = ['executions', 'key_1'];
const token = sealCursor(keyring, list, [7, 'b']);

test('a page token restores the position it was made from', () => {
  expect(openCursor(keyring, list, token)).toEqual([7, 'b']);
});

test.each([
  ['an empty text', ''],
  ['garbage', 'garbage'],
  ['a truncated token', token.slice(0, -4)],
  ['a token with a trailing character', `${token}x`],
  ['a token with a leading space', ` ${token}`],
  ['a token of another tenant', sealCursor(keyring, ['executions', 'key_2'], [7, 'b'])],
  ['a token of another list', sealCursor(keyring, ['api keys', 'key_1'], [7, 'b'])],
  ['a token of another master key', sealCursor(createKeyring([Buffer.alloc(32, 2)]), list, [7, 'b'])],
])('%s is an invalid page token', (_name, text) => {
  expect(() => openCursor(keyring, list, text)).toThrow('pageToken is not valid.');
});
