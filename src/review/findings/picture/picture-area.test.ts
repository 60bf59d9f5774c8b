import { expect, test } from 'vitest';
import { type Area, layoutsOf, MAX_PICTURE_PX, shownOf, tilePartsOf } from './picture-area.ts';

const page = { width: 1_280, height: 9_000, viewport: { width: 1_280, height: 800 } };
const at = (x: number, y: number, width: number, height: number): Area => ({ x, y, width, height });
const on = (position: Area | undefined, more: object = {}) => ({ isPageLevel: false, position, ...more });
const largest = (position: Area, scale = 1, captured = page) =>
  layoutsOf(shownOf(on(position), captured), scale)[0]!;

test('a small element is shown in the middle of what is around it', () => {
  expect(shownOf(on(at(600, 1_000, 80, 20)), page)).toEqual({
    area: at(320, 810, 640, 400),
    element: at(600, 1_000, 80, 20),
  });
});

test('what is shown stays within the captured part of the page', () => {
  expect(shownOf(on(at(0, 0, 10, 10)), page).area).toEqual(at(0, 0, 640, 400));
  expect(shownOf(on(at(1_270, 8_990, 10, 10)), page).area).toEqual(at(640, 8_600, 640, 400));
  const narrow = { width: 320, height: 200, viewport: { width: 320, height: 640 } };
  expect(shownOf(on(at(10, 10, 10, 10)), narrow).area).toEqual(at(0, 0, 320, 200));
});

test('an element that reaches beyond the captured part is shown as far as it is in it', () => {
  expect(shownOf(on(at(-40, 8_900, 100, 500)), page)).toEqual({
    area: at(0, 8_600, 640, 400),
    element: at(0, 8_900, 60, 100),
  });
});

test('a large element is shown whole with a margin, and a very large one from its top', () => {
  expect(shownOf(on(at(100, 1_000, 1_000, 900)), page).area).toEqual(at(52, 952, 1_096, 996));
  expect(shownOf(on(at(0, 1_000, 1_280, 6_000)), page)).toEqual({
    area: at(0, 952, 1_280, 2_048),
    element: at(0, 1_000, 1_280, 2_000),
  });
});

test('an empty element has a box of its own', () => {
  const { area, element } = shownOf(on(at(0, 50.5, 0, 0)), page);
  expect(element).toEqual(at(0, 50.5, 1, 1));
  expect(layoutsOf({ area, element }, 1)[0]!.box).toEqual(at(0, 50, 1, 2));
});

test('a finding without a place in the picture shows the top of the page, without a box', () => {
  const top = { area: at(0, 0, 1_280, 800) };
  const somewhere = at(10, 10, 10, 10);
  expect(shownOf(on(undefined), page)).toEqual(top);
  expect(shownOf(on(somewhere, { isPageLevel: true }), page)).toEqual(top);
  expect(shownOf(on(somewhere, { outsideScreenshot: true }), page)).toEqual(top);
  expect(shownOf(on(at(0, 9_000, 10, 10)), page)).toEqual(top);
  expect(layoutsOf(top, 1)[0]).toEqual({ width: 1_024, height: 640, scale: 0.8 });
  const short = { width: 1_280, height: 300, viewport: page.viewport };
  expect(shownOf(on(undefined), short)).toEqual({ area: at(0, 0, 1_280, 300) });
});

test('a picture has the pixels of the screenshot, up to its largest side', () => {
  expect(largest(at(600, 1_000, 80, 20))).toEqual({
    width: 640,
    height: 400,
    scale: 1,
    box: at(280, 190, 80, 20),
  });
  expect(largest(at(600, 1_000, 80, 20), 2)).toEqual({
    width: 1_024,
    height: 640,
    scale: 1.6,
    box: at(448, 304, 128, 32),
  });
  expect(largest(at(0, 1_000, 1_280, 6_000))).toMatchObject({ width: 640, height: 1_024, scale: 0.5 });
});

test('each layout is smaller than the one before, with the box at the same place', () => {
  const layouts = layoutsOf(shownOf(on(at(600, 1_000, 80, 20)), page), 2);
  expect(layouts.length).toBeGreaterThan(2);
  for (const [index, { width, box }] of layouts.entries()) {
    if (index > 0) expect(width).toBeLessThan(layouts[index - 1]!.width);
    expect(box!.x / width).toBeCloseTo(280 / 640, 2);
  }
});

test('no layout and no box leaves the limits, wherever the element is', () => {
  const sizes = [0, 0.4, 33, 700, 1_280, 5_000];
  const places = [-300, -0.5, 0, 12.3, 639, 1_279.9, 4_095, 8_999];
  for (const x of places)
    for (const y of places)
      for (const size of sizes)
        for (const scale of [1, 1.25, 2]) {
          const { area, element } = shownOf(on(at(x, y, size, size / 2)), page);
          expect(area.x + area.width).toBeLessThanOrEqual(page.width);
          expect(area.y + area.height).toBeLessThanOrEqual(page.height);
          for (const { width, height, box } of layoutsOf({ area, element }, scale)) {
            expect(Math.max(width, height)).toBeLessThanOrEqual(MAX_PICTURE_PX);
            if (!box) continue;
            expect(Math.min(box.x, box.y, box.width - 1, box.height - 1)).toBeGreaterThanOrEqual(0);
            expect(box.x + box.width).toBeLessThanOrEqual(width);
            expect(box.y + box.height).toBeLessThanOrEqual(height);
          }
        }
});

const tiles = [0, 4_096, 8_192].map((y, index) => ({
  artifactId: `tile-${index}`,
  ...at(0, y, 1_280, Math.min(4_096, 9_000 - y)),
}));

test('an area is made of the tiles that it touches', () => {
  expect(tilePartsOf(at(320, 1_024, 640, 512), tiles)).toEqual([
    { artifactId: 'tile-0', share: at(0.25, 0.25, 0.5, 0.125) },
  ]);
  expect(tilePartsOf(at(0, 3_072, 1_280, 2_048), tiles)).toEqual([
    { artifactId: 'tile-0', share: at(0, 0.75, 1, 0.25) },
    { artifactId: 'tile-1', share: at(0, 0, 1, 0.25) },
  ]);
  expect(tilePartsOf(at(0, 4_096, 1_280, 100), tiles)).toHaveLength(1);
});
