import { singleSpaced } from '../../anchor/anchor.ts';
import { roleOfElement } from '../../anchor/element-look.ts';
import { sheetOf } from '../styles.ts';

export interface Picked {
  element: Element;
  /** In the window; undefined if it was chosen with the keyboard. */
  x: number | undefined;
  y: number | undefined;
}

const WALKED =
  'h1, h2, h3, h4, h5, h6, p, li, img, button, a[href], input, select, textarea, td, th, figure, pre, blockquote, label, video';

/** The innermost element at a point, also within shadow trees. */
function elementAt(x: number, y: number): Element | undefined {
  let found = document.elementFromPoint(x, y);
  for (let inner = found?.shadowRoot?.elementFromPoint(x, y); inner && inner !== found; ) {
    found = inner;
    inner = inner.shadowRoot?.elementFromPoint(x, y) ?? null;
  }
  return found ?? undefined;
}

const isShown = (element: Element): boolean => {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
};

/** For example `heading: Our prices`, for those who do not see what is aimed at. */
export const describe = (element: Element): { role: string; text: string } => ({
  role: roleOfElement(element),
  text: singleSpaced(element.getAttribute('alt') ?? element.textContent ?? '').slice(0, 80),
});

/** The next element to choose with the arrow keys, from the first in the window on. */
function nextOf(aimed: Element | undefined, step: 1 | -1): Element | undefined {
  const all = [...document.querySelectorAll(WALKED)].filter(isShown);
  if (aimed && all.includes(aimed)) return all[(all.indexOf(aimed) + step + all.length) % all.length];
  return all.find((element) => element.getBoundingClientRect().bottom > 0) ?? all[0];
}

/** Lets a person choose an element. Resolves to undefined if they end it. */
export function pick(
  host: Element,
  aim: (element: Element | undefined, byKey: boolean) => void,
): { picked: Promise<Picked | undefined>; end: () => void } {
  let resolve: (picked: Picked | undefined) => void = () => {};
  const picked = new Promise<Picked | undefined>((settle) => {
    resolve = settle;
  });
  const cursor = sheetOf('*{cursor:crosshair!important}');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, cursor];
  let aimed: Element | undefined;
  const stop = new AbortController();
  const finish = (result: Picked | undefined) => {
    stop.abort();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== cursor);
    aim(undefined, false);
    resolve(result);
  };
  const take = (element: Element | undefined, byKey: boolean) => {
    aimed = element;
    aim(element, byKey);
  };
  // The page must not react to what is meant for the overlay, such as a click on a link.
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const isOwn = ({ target }: Event) => target === host;
  const listen = <K extends keyof WindowEventMap>(name: K, react: (event: WindowEventMap[K]) => void) =>
    addEventListener(name, react, { capture: true, signal: stop.signal });

  listen('pointermove', (event) => {
    if (!isOwn(event)) take(elementAt(event.clientX, event.clientY), false);
  });
  for (const name of ['pointerdown', 'mousedown', 'pointerup', 'mouseup'] as const)
    listen(name, (event) => isOwn(event) || swallow(event));
  listen('click', (event) => {
    if (isOwn(event)) return;
    swallow(event);
    const element = elementAt(event.clientX, event.clientY);
    if (element) finish({ element, x: event.clientX, y: event.clientY });
  });
  listen('keydown', (event) => {
    const step = /^Arrow(Down|Right)$/.test(event.key) ? 1 : /^Arrow(Up|Left)$/.test(event.key) ? -1 : 0;
    if (event.key === 'Escape') {
      swallow(event);
      finish(undefined);
    } else if (step !== 0) {
      swallow(event);
      const element = nextOf(aimed, step);
      element?.scrollIntoView({ block: 'nearest' });
      take(element, true);
    } else if (event.key === 'Enter' && aimed) {
      swallow(event);
      finish({ element: aimed, x: undefined, y: undefined });
    }
  });
  return { picked, end: () => finish(undefined) };
}
