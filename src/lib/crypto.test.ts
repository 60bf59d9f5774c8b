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

test('the keys of a keyring change while it is used', () => {
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const unknown: string[] = [];
  const keyring = createKeyring([first], (keyId) => {
    unknown.push(keyId);
    keyring.hold([second, first]);
  });
  const before = keyring.currentKeyId;
  const other = createKeyring([second]);
  // A value of another process, which has the next key already.
  expect(keyring.open(other.seal('secret', ['a']), ['a'])).toBe('secret');
  expect(unknown).toEqual([other.currentKeyId]);
  // Held keys open, and the current one stays until another is chosen.
  expect([keyring.currentKeyId, keyring.keyIds]).toEqual([before, [other.currentKeyId, before]]);
  expect(keyring.deriveAll('links')).toEqual([keyring.derive('links'), other.derive('links')]);
  keyring.sealWith(other.currentKeyId);
  expect(keyring.seal('x', ['a'])).toContain(other.currentKeyId);
  expect(keyring.derive('links')).toEqual(other.derive('links'));
  expect(() => keyring.hold([first])).toThrow(`The current master key ${other.currentKeyId} is missing.`);
  expect(() => keyring.sealWith('00000000')).toThrow('No master key with the id 00000000.');
});
