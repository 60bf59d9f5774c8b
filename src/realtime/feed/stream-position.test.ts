import { expect, test } from 'vitest';
import { createKeyring } from '../../lib/crypto.ts';
import { positionIds } from './stream-position.ts';

const keyring = createKeyring([Buffer.alloc(32, 1)]);
const ids = positionIds(keyring, 'key_1');
const position = { seq: 123_456_789, at: 1_767_260_000_000 };

test('a position survives a round trip, and always has the same id', () => {
  for (const one of [position, { seq: 0, at: 0 }, { seq: 2 ** 48 - 1, at: 2 ** 48 - 1 }]) {
    expect(ids.read(ids.idOf(one))).toEqual(one);
  }
  expect(positionIds(keyring, 'key_1').idOf(position)).toBe(ids.idOf(position));
});

test('an id reveals neither number nor order, and is invalid for another API key', () => {
  const others = positionIds(keyring, 'key_2');
  expect(others.read(ids.idOf(position))).toBeUndefined();
  expect(others.idOf(position)).not.toBe(ids.idOf(position));
  const row = Array.from({ length: 50 }, (_, seq) => ids.idOf({ ...position, seq }));
  expect(row.toSorted()).not.toEqual(row);
  expect(new Set(row.map((id) => id.slice(0, 6))).size).toBe(row.length);
});

test('a malformed or foreign id is refused', () => {
  const id = ids.idOf(position);
  const wrong = ['', 'x', `${id}A`, id.slice(1), `${id.slice(0, 10)}!${id.slice(11)}`, 'A'.repeat(22)];
  const touched = [...id.slice(0, -1)].map(
    (sign, at) => `${id.slice(0, at)}${sign === 'A' ? 'B' : 'A'}${id.slice(at + 1)}`,
  );
  for (const one of [...wrong, ...touched]) expect(ids.read(one), one).toBeUndefined();
});

test('an id from before a rotation of the master key is read, and new ids have the new key', () => {
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const changing = createKeyring([first, second]);
  const during = positionIds(changing, 'key_1');
  const before = during.idOf(position);
  expect(before).toBe(ids.idOf(position));
  changing.sealWith(createKeyring([second]).currentKeyId);
  expect(during.idOf(position)).toBe(positionIds(createKeyring([second]), 'key_1').idOf(position));
  expect(during.read(before)).toEqual(position);
  changing.hold([second]);
  expect(during.read(before)).toBeUndefined();
});
