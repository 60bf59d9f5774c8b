import { expect, test } from 'vitest';
import { cropOf } from './crop.ts';

const picture = { width: 1_280, height: 5_000 };

test('a small element is shown with what is around it, within the picture', () => {
  expect(cropOf({ x: 600, y: 1_000, width: 80, height: 20 }, picture)).toEqual({
    x: 400,
    y: 950,
    width: 480,
    height: 120,
  });
  expect(cropOf({ x: 0, y: 0, width: 10, height: 10 }, picture)).toMatchObject({ x: 0, y: 0 });
  expect(cropOf({ x: 1_270, y: 4_990, width: 10, height: 10 }, picture)).toMatchObject({ x: 800, y: 4_880 });
});

test('a tall element is shown from its top', () => {
  expect(cropOf({ x: 0, y: 500, width: 1_280, height: 3_000 }, picture)).toEqual({
    x: 0,
    y: 476,
    width: 1_280,
    height: 420,
  });
});

test('an element outside of the picture is not shown', () => {
  expect(cropOf({ x: 0, y: 6_000, width: 10, height: 10 }, picture)).toBeUndefined();
  expect(cropOf({ x: -50, y: 0, width: 10, height: 10 }, picture)).toBeUndefined();
});
