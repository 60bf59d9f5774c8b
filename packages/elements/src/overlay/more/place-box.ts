const GAP = 12;
const EDGE = 8;
/** Narrower windows have boxes at their lower edge. */
const NARROW = 560;

/** Opens a box above everything on the page, which may have dialogs. */
export function showOnTop(box: HTMLElement): void {
  if (!box.matches(':popover-open')) box.showPopover();
}

/** Places a box beside what it is about, within the window. */
export function placeBeside(box: HTMLElement, about: DOMRect | undefined): void {
  const { offsetWidth: width, offsetHeight: height } = box;
  const [right, bottom] = [document.documentElement.clientWidth, innerHeight];
  if (right < NARROW) {
    box.style.translate = `${(right - width) / 2}px ${bottom - height - EDGE}px`;
    return;
  }
  const clamp = (value: number, most: number) => Math.max(EDGE, Math.min(value, most));
  if (!about) {
    box.style.translate = `${(right - width) / 2}px ${clamp((bottom - height) / 3, bottom)}px`;
    return;
  }
  const after = about.right + GAP;
  const before = about.left - GAP - width;
  const below = about.bottom + GAP;
  const left =
    after + width <= right ? after : before >= EDGE ? before : clamp(about.left, right - width - EDGE);
  const isBeside = after + width <= right || before >= EDGE;
  const isBelow = below + height <= bottom;
  const top = isBeside ? about.top : isBelow ? below : about.top - GAP - height;
  box.style.translate = `${Math.round(left)}px ${Math.round(clamp(top, bottom - height - EDGE))}px`;
}
