import type { Overlay } from './overlay.ts';
import { CORNERS, type Corner, kept } from './settings.ts';

const LEAST_PX = 6;

export function moveTo(overlay: Overlay, corner: Corner): void {
  kept.set('corner', corner);
  overlay.change({ corner });
}

/** The corner after this one, for those who do not drag. */
export const nextCorner = (corner: Corner): Corner =>
  CORNERS[(CORNERS.indexOf(corner) + 1) % CORNERS.length]!;

/** Follows the pointer, and goes to the nearest corner when it is let go. A short press remains a click. */
export function dragTab(event: PointerEvent, overlay: Overlay): void {
  const tab = event.currentTarget;
  if (!(tab instanceof HTMLElement) || event.button !== 0) return;
  const corner = tab.parentElement!;
  tab.setPointerCapture(event.pointerId);
  const [startX, startY] = [event.clientX, event.clientY];
  let isDragged = false;
  const onMove = ({ clientX, clientY }: PointerEvent) => {
    isDragged ||= Math.hypot(clientX - startX, clientY - startY) > LEAST_PX;
    if (!isDragged) return;
    corner.style.translate = `${clientX - startX}px ${clientY - startY}px`;
  };
  const onEnd = ({ clientX, clientY }: PointerEvent) => {
    for (const name of ['pointermove', 'pointerup', 'pointercancel'] as const)
      tab.removeEventListener(name, name === 'pointermove' ? onMove : onEnd);
    corner.style.translate = '';
    if (!isDragged) return;
    tab.addEventListener('click', (click) => click.stopImmediatePropagation(), { capture: true, once: true });
    const [block, inline] = [
      clientY < innerHeight / 2 ? 'top' : 'bottom',
      clientX < innerWidth / 2 ? 'left' : 'right',
    ];
    moveTo(overlay, CORNERS.find((one) => one === `${block}-${inline}`)!);
  };
  tab.addEventListener('pointermove', onMove);
  tab.addEventListener('pointerup', onEnd);
  tab.addEventListener('pointercancel', onEnd);
}
