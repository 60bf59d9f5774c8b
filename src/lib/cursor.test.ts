import { expect, test } from 'vitest';
import { createKeyring } from './crypto.ts';
import { openCursor, sealCursor } from './cursor.ts';

const keyring = createKeyring([Buffer.alloc(32, 1)]);
const list = ['executions', 'key_1'];
const token = sealCursor(keyring, list, [7, 'b']);

test('a page token gives back the position it was made of', () => {
  expect(openCursor(keyring, list, token)).toEqual([7, 'b']);
});

test.each([
  ['nothing', ''],
  ['garbage', 'garbage'],
  ['one cut short', token.slice(0, -4)],
  ['one with more behind it', `${token}x`],
  ['one with a blank before it', ` ${token}`],
  ['one of another tenant', sealCursor(keyring, ['executions', 'key_2'], [7, 'b'])],
  ['one of another list', sealCursor(keyring, ['api keys', 'key_1'], [7, 'b'])],
  ['one of another master key', sealCursor(createKeyring([Buffer.alloc(32, 2)]), list, [7, 'b'])],
])('%s is no page token', (_name, text) => {
  expect(() => openCursor(keyring, list, text)).toThrow('pageToken is not valid.');
});
