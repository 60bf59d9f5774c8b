import type { Box } from './pin.ts';

/** Height of a pin in pixels of the screen, with the space around it. */
export const PIN_HEIGHT = 26;

/** Width of a pin in pixels of the screen. */
export const pinWidth = (number: number): number => Math.max(26, 12 + 8 * String(number).length);

/** Number of places that are tried for a pin; beyond, pins overlap. */
const MAX_TRIES = 120;

/**
 * The top left corners of pins: on the corners of their boxes, or beside, so that no pin covers another. `scale` is the
 * number of pixels of the page for a pixel of the screen, since pins keep their size on the screen.
 */
export function placePins(
  pins: readonly { number: number; box: Box }[],
  area: { width: number; height: number },
  scale: number,
): { x: number; y: number }[] {
  const taken = boxesByCell(PIN_HEIGHT * scale);
  return pins.map(({ number, box }) => {
    const size = { width: pinWidth(number) * scale, height: PIN_HEIGHT * scale };
    const put = (at: { x: number; y: number }): Box => ({
      x: clamp(at.x, area.width - size.width),
      y: clamp(at.y, area.height - size.height),
      ...size,
    });
    let place: Box | undefined;
    let tries = 0;
    for (const candidate of candidates(box, size)) {
      const next = put(candidate);
      place ??= next;
      if (taken.isFree(next)) {
        place = next;
        break;
      }
      if (++tries === MAX_TRIES) break;
    }
    const { x, y } = place ?? put(box);
    taken.add({ x, y, ...size });
    return { x, y };
  });
}

const clamp = (value: number, max: number): number => Math.max(0, Math.min(value, max));

/** Across the corner of the box, along its top, under it, and then in growing rows around its corner. */
function* candidates(
  { x, y, width, height }: Box,
  size: { width: number; height: number },
): Generator<{ x: number; y: number }> {
  const along = Math.min(4, Math.floor(width / size.width));
  const top = y - size.height * 0.7;
  for (let at = 0; at <= along; at++) yield { x: x + at * size.width - size.width * 0.25, y: top };
  yield { x, y: y + height };
  yield { x, y };
  for (let ring = 1; ring < 8; ring++)
    for (let row = -ring; row <= ring; row++)
      for (let column = -ring; column <= ring; column++)
        if (Math.max(Math.abs(row), Math.abs(column)) === ring)
          yield { x: x + column * size.width, y: y + (row - 1) * size.height };
}

/** Remembers boxes by the cells of a grid, so that overlaps among many are found quickly. */
function boxesByCell(step: number) {
  const cells = new Map<string, Box[]>();
  const cellsOf = ({ x, y, width, height }: Box): string[] => {
    const names: string[] = [];
    for (let row = Math.floor(y / step); row <= Math.floor((y + height) / step); row++)
      for (let column = Math.floor(x / step); column <= Math.floor((x + width) / step); column++)
        names.push(`${column} ${row}`);
    return names;
  };
  return {
    isFree: (box: Box): boolean =>
      cellsOf(box).every((cell) => (cells.get(cell) ?? []).every((other) => !overlap(box, other))),
    add(box: Box): void {
      for (const cell of cellsOf(box)) cells.set(cell, [...(cells.get(cell) ?? []), box]);
    },
  };
}

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
