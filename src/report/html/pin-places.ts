/** A place in the picture, in CSS pixels of the page. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PinPlace {
  /** The top left corner of the pin. */
  x: number;
  y: number;
  /** The marked element, cut off at the edges of the picture. */
  box: Box;
}

export const PIN_HEIGHT = 24;

/** Width of the pin in pixels of the screen, as the style sheet has it. */
export const pinWidth = (number: number): number => Math.max(24, 10 + 7 * String(number).length);

/** Number of places that are tried for a pin; beyond, pins overlap. */
const MAX_TRIES = 200;

/** The part of the box within the picture; undefined if there is none. */
export function withinPicture(box: Box, picture: { width: number; height: number }): Box | undefined {
  const x = Math.max(0, box.x);
  const y = Math.max(0, box.y);
  const width = Math.min(picture.width, box.x + box.width) - x;
  const height = Math.min(picture.height, box.y + box.height) - y;
  const isVisible = width >= 0 && height >= 0 && x < picture.width && y < picture.height;
  return isVisible && [x, y, width, height].every(Number.isFinite) ? { x, y, width, height } : undefined;
}

/**
 * Places pins as tabs on the top left corners of their boxes, and moves those that would cover another one along the
 * edges of the box or a little away. `scale` is the number of CSS pixels of the page for a pixel of the screen: pins keep
 * their size on the screen.
 */
export function placePins(
  pins: readonly { number: number; box: Box }[],
  picture: { width: number; height: number },
  scale: number,
): Map<number, PinPlace> {
  const taken = boxesByCell(PIN_HEIGHT * scale);
  const places = new Map<number, PinPlace>();
  for (const { number, box } of pins) {
    const size = { width: pinWidth(number) * scale, height: PIN_HEIGHT * scale };
    const put = (at: { x: number; y: number }): Box => ({
      x: clamp(at.x, picture.width - size.width),
      y: clamp(at.y, picture.height - size.height),
      ...size,
    });
    let place = put({ x: box.x, y: box.y - size.height });
    let tries = 0;
    for (const candidate of candidates(box, size)) {
      const next = put(candidate);
      if (taken.isFree(next)) {
        place = next;
        break;
      }
      if (++tries === MAX_TRIES) break;
    }
    taken.add(place);
    places.set(number, { x: place.x, y: place.y, box });
  }
  return places;
}

const clamp = (value: number, max: number): number => Math.max(0, Math.min(value, max));

/** Along the top of the box, under it, and then in growing rows around its corner. */
function* candidates(
  { x, y, width, height }: Box,
  size: { width: number; height: number },
): Generator<{ x: number; y: number }> {
  const along = Math.min(4, Math.floor(width / size.width));
  for (let at = 0; at <= along; at++) yield { x: x + at * size.width, y: y - size.height };
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
