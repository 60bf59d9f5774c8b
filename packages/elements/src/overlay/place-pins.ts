import type { Anchor, Found } from '../anchor/anchor.ts';

/** Half of the size of a pin. */
const HALF = 13;

/** Where a pin is in the window; undefined while its place is not shown. */
export interface Spot {
  x: number;
  y: number;
  box: DOMRect;
}

/** The first line of a range, or the box of an element. */
function boxOf({ range, element }: Found): DOMRect | undefined {
  const box = range ? range.getClientRects()[0] : element.getBoundingClientRect();
  return box && (box.width > 0 || box.height > 0) ? box : undefined;
}

/** Only places that readers see have pins: not those in closed menus. */
export function spotOf(found: Found, anchor: Anchor | undefined): Spot | undefined {
  if (!found.element.isConnected) return undefined;
  const box = boxOf(found);
  if (!box || !found.element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    return undefined;
  // Before the words, so that their first letter can be read.
  if (found.range) return { x: box.left - 8, y: box.top - 5, box };
  const { x, y } = anchor?.point ?? { x: 1, y: 0 };
  return { x: box.left + x * box.width, y: box.top + y * box.height, box };
}

/** In the order in which people read. */
export const byReading = (one: Spot, other: Spot): number =>
  Math.abs(one.y - other.y) > HALF ? one.y - other.y : one.x - other.x;

/**
 * Places a pin in a layer that scrolls with the page, so that scrolling needs no script. Pins keep within the width of the
 * page, which would otherwise become wider.
 */
export function putAt(pin: HTMLElement, spot: Spot | undefined, layer: DOMRect, pageWidth: number): void {
  pin.hidden = spot === undefined;
  if (!spot) return;
  const widest = pageWidth - 2 * HALF - 2;
  const left = Math.max(2, Math.min(spot.x - HALF, widest)) - layer.left;
  const top = Math.max(2, spot.y - HALF - layer.top);
  pin.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
}
