import { expect, test } from 'vitest';
import { createKeyring } from './crypto.ts';
import { openCursor, sealCursor } from './cursor.ts';

const old = createKeyring([Buffer.alloc(32, 1)]);
const rotated = createKeyring([Buffer.alloc(32, 2), Buffer.alloc(32, 1)]);

test('a sealed value opens only with the binding it was sealed with', () => {
  const sealed = old.seal('secret', ['table', 'row1']);
  expect(old.open(sealed, ['table', 'row1'])).toBe('secret');
  expect(() => old.open(sealed, ['table', 'row2'])).toThrow();
  const changed = sealed.slice(0, -8) + (sealed.at(-8) === 'A' ? 'B' : 'A') + sealed.slice(-7);
  expect(() => old.open(changed, ['table', 'row1'])).toThrow();
});

test('after a rotation old values still open, and new values use the new key', () => {
  const sealed = old.seal('secret', ['a']);
  expect(rotated.open(sealed, ['a'])).toBe('secret');
  expect([rotated.isCurrent(sealed), rotated.isCurrent(rotated.seal('x', ['a']))]).toEqual([false, true]);
  expect(() => createKeyring([Buffer.alloc(32, 2)]).open(sealed, ['a'])).toThrow(/No master key/);
});

test('a page token is valid only for its own list', () => {
  const token = sealCursor(old, ['executions', 'k1'], ['exec_1']);
  expect(openCursor(old, ['executions', 'k1'], token)).toEqual(['exec_1']);
  expect(() => openCursor(old, ['executions', 'k2'], token)).toThrow(/pageToken/);
  expect(() => openCursor(old, ['executions', 'k1'], 'garbage')).toThrow(/pageToken/);
});
