import type { Overlay } from './overlay.ts';

const isWriting = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/.test(target.localName));

/** `N` and `P` walk through the pins, `C` begins a comment, `Z` undoes a decision, Alt+Shift+R hides and shows the overlay. */
export function watchKeys(overlay: Overlay): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey && event.shiftKey && event.code === 'KeyR') {
      event.preventDefault();
      if (overlay.host.hidden) overlay.show();
      else overlay.hide();
      return;
    }
    const isOff = overlay.host.hidden || overlay.view.access !== 'in';
    if (isOff || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    // Fields of the overlay keep their keys to themselves.
    if (isWriting(event.composedPath()[0])) return;
    const key = event.key.toLowerCase();
    if (key === 'n') void overlay.walk(1);
    else if (key === 'p') void overlay.walk(-1);
    else if (key === 'c') void overlay.more().then((more) => more.begin());
    else if (key === 'z' && overlay.view.decided.length > 0) void overlay.more().then((more) => more.undo());
    else return;
    event.preventDefault();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
