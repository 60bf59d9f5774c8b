import { useEffect } from 'react';

const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), select:not(:disabled), summary, [tabindex="0"]';

/** Where a control was: its parents up to the page, each with the place of the child that led to it. */
type Path = readonly { parent: Element; index: number }[];

function pathOf(element: Element, page: Element): Path {
  const path: { parent: Element; index: number }[] = [];
  for (let child = element; child !== page && child.parentElement; child = child.parentElement)
    path.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) });
  return path;
}

function tabbablesIn(element: Element): HTMLElement[] {
  const found = [element, ...element.querySelectorAll(TABBABLE)].filter((one) => one.matches(TABBABLE));
  return (found as HTMLElement[]).filter((one) => one.checkVisibility({ visibilityProperty: true }));
}

/** The control nearest to one that is gone or disabled: the next one among its siblings, or else the previous one. */
function nearest(path: Path): HTMLElement | undefined {
  for (const { parent, index } of path) {
    if (!parent.isConnected) continue;
    const children = [...parent.children];
    const next = children.slice(index).flatMap(tabbablesIn)[0];
    const found = next ?? children.slice(0, index).flatMap(tabbablesIn).at(-1);
    if (found) return found;
  }
  return undefined;
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/**
 * Gives the focus a place when the control that had it goes: with a deleted row, a decided finding, or the page itself.
 * Without it the browser leaves the focus nowhere, and people without a mouse begin again at the top.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: { element: Element; path: Path; address: string } | undefined;
    let frame = 0;
    const page = () => document.getElementById('main');
    const note = ({ target }: FocusEvent): void => {
      const main = page();
      if (main && target instanceof Element && main.contains(target))
        last = { element: target, path: pathOf(target, main), address: location.pathname };
    };
    const mend = (): void => {
      const main = page();
      if (!isLost() || !main || !document.hasFocus()) return;
      const isHere = last?.element.isConnected && !last.element.matches(':disabled');
      if (last?.address === location.pathname && isHere) return;
      const place = last?.address === location.pathname ? nearest(last.path) : undefined;
      (place ?? main).focus({ preventScroll: place === undefined });
    };
    const check = (): void => {
      // What is disabled loses the focus when the browser draws it next.
      if (last === undefined || !(isLost() || last.element.matches(':disabled'))) return;
      cancelAnimationFrame(frame);
      // A dialog that closes gives the focus back by itself in the next frame.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(mend);
      });
    };
    const observer = new MutationObserver(check);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', note);
    // A click beside all controls gives the focus up on purpose.
    const forget = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !page()?.contains(target)) last = undefined;
    };
    document.addEventListener('pointerdown', forget);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('pointerdown', forget);
    };
  }, []);
}
