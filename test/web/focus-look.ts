/** Functions that run in the page. They know nothing but what they hold. */

/** Notes how controls look without the focus, so that `lookAtFocus` sees the difference. */
export function noteLooks(): void {
  const shared = globalThis as unknown as FocusLooks;
  shared.lookOf ??= (element) => {
    const label = element.closest('label');
    const parts = [element.parentElement, label, element, ...(label ?? element).querySelectorAll('*')].slice(
      0,
      16,
    );
    return parts
      .map((part) => {
        if (!part) return '';
        const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, borderWidth } =
          getComputedStyle(part);
        const outline =
          outlineStyle === 'none' || outlineWidth === '0px' ? '' : `${outlineWidth} ${outlineColor}`;
        return [outline, boxShadow, borderColor, borderWidth].join(' ');
      })
      .join('; ');
  };
  shared.looks ??= new WeakMap();
  const { lookOf, looks } = shared;
  const note = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) note(element.shadowRoot);
      const isControl = element.matches(
        'a[href], button, input, textarea, select, summary, [tabindex], [contenteditable="true"]',
      );
      if (isControl && !element.matches(':focus, :focus-within')) looks.set(element, lookOf(element));
    }
  };
  note(document);
}

interface FocusLooks {
  lookOf?: (element: Element) => string;
  looks?: WeakMap<Element, string>;
}

/** Says what is wrong with how the focus shows. */
export function lookAtFocus(): string[] {
  const { lookOf, looks } = globalThis as unknown as FocusLooks;
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (!element || element === document.body) return ['Nothing has the focus.'];
  const faults: string[] = [];
  const shown = element.closest('label') ?? element;
  const { left, right, top, bottom } = shown.getBoundingClientRect();
  const isInView = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  if (
    right - left < 2 ||
    bottom - top < 2 ||
    !isInView ||
    !shown.checkVisibility({ visibilityProperty: true })
  )
    faults.push('It is not in view.');
  const before = looks?.get(element);
  if (lookOf && before !== undefined && lookOf(element) === before) faults.push('The focus does not show.');
  return faults;
}
