import { expect, test } from 'vitest';
import { type Box, inReadingOrder, type PinnedFinding, pinsOf, withinPicture } from './pin.ts';
import { PIN_HEIGHT, pinWidth, placePins } from './place-pins.ts';

const finding = (id: string, more: Partial<PinnedFinding> = {}): PinnedFinding => ({
  id,
  title: id,
  severity: 'high',
  position: { x: 10, y: 20, width: 100, height: 30 },
  ...more,
});

test('findings without a place in the picture have no pin, and the others keep their numbers', () => {
  const { position: _, ...placeless } = finding('b');
  const pins = pinsOf([finding('a'), placeless, finding('c', { outsideScreenshot: true }), finding('d')]);
  expect(pins.map(({ id, number }) => [id, number])).toEqual([
    ['a', 1],
    ['d', 4],
  ]);
  expect(pinsOf([finding('a', { number: 27 })])[0]).toMatchObject({ number: 27, x: 10, height: 30 });
});

test('rejected, resolved and ignored findings are closed', () => {
  const all = [
    finding('a'),
    finding('b', { decision: 'accepted' }),
    finding('c', { decision: 'rejected' }),
    finding('d', { decision: 'resolved' }),
    finding('e', { ignored: 'baseline' }),
  ];
  expect(pinsOf(all).map(({ isClosed }) => isClosed)).toEqual([false, false, true, true, true]);
});

test('pins are read from top to bottom', () => {
  const places = { c: [5, 90], a: [50, 10], b: [5, 40] };
  const pins = pinsOf(
    Object.entries(places).map(([id, [x = 0, y = 0]]) =>
      finding(id, { position: { x, y, width: 1, height: 1 } as never }),
    ),
  );
  expect(inReadingOrder(pins).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test('a box is cut off at the edges of the picture, and outside there is none', () => {
  const picture = { width: 100, height: 100 };
  expect(withinPicture({ x: -10, y: 90, width: 30, height: 30 }, picture)).toEqual({
    x: 0,
    y: 90,
    width: 20,
    height: 10,
  });
  expect(withinPicture({ x: 100, y: 0, width: 10, height: 10 }, picture)).toBeUndefined();
  expect(withinPicture({ x: Number.NaN, y: 0, width: 10, height: 10 }, picture)).toBeUndefined();
});

test('pins on the same element lie side by side, within the picture', () => {
  const box: Box = { x: 990, y: 0, width: 10, height: 10 };
  const picture = { width: 1_000, height: 1_000 };
  const pins = Array.from({ length: 12 }, (_, at) => ({ number: at + 1, box }));
  const places = placePins(pins, picture, 2);
  for (const [at, { x, y }] of places.entries()) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + pinWidth(at + 1) * 2).toBeLessThanOrEqual(1_000);
    for (const other of places.slice(at + 1)) {
      const isApart = Math.abs(other.x - x) >= 52 || Math.abs(other.y - y) >= PIN_HEIGHT * 2;
      expect(isApart, `${at}`).toBe(true);
    }
  }
});
