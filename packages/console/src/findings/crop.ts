export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

const MIN = { width: 480, height: 120 };
const MAX_HEIGHT = 420;
const MARGIN = 24;

const within = (start: number, size: number, limit: number): number =>
  Math.max(0, Math.min(start, limit - size));

/** The part of a picture that shows an element and some of what is around it; undefined if the element is not in it. */
export function cropOf(element: Area, picture: { width: number; height: number }): Area | undefined {
  const isInside =
    element.x < picture.width &&
    element.y < picture.height &&
    element.x + element.width >= 0 &&
    element.y + element.height >= 0;
  if (!isInside) return undefined;
  const width = Math.min(picture.width, Math.max(MIN.width, element.width + 2 * MARGIN));
  const height = Math.min(
    picture.height,
    MAX_HEIGHT,
    Math.max(MIN.height, element.height + 2 * MARGIN, width / 5),
  );
  // A tall element is shown from its top.
  const isTall = element.height + 2 * MARGIN > height;
  const y = isTall ? element.y - MARGIN : element.y + element.height / 2 - height / 2;
  return {
    x: within(element.x + element.width / 2 - width / 2, width, picture.width),
    y: within(y, height, picture.height),
    width,
    height,
  };
}
