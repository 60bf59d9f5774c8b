export interface SelectorStyles {
  /** The selector as the agent wrote it. */
  selector: string;
  /** Reason why no element could be looked up. */
  error?: string;
  /** Number of elements that match; `elements` has only the first of them. */
  count: number;
  elements: {
    /** Selects only this element, or the host of the shadow root around it. */
    selector: string;
    /** The beginning of its text. */
    text: string;
    /** Value by property, without properties that the browser does not know. */
    styles: Record<string, string>;
  }[];
}

/**
 * Runs in the page, so it must not refer to anything outside of itself. A selector that ends in a pseudo-element yields
 * the styles of that pseudo-element of each match.
 */
export function readComputedStyles(question: {
  selectors: string[];
  names: string[];
  perSelector: number;
  inAll: number;
}): SelectorStyles[] {
  const MAX_TEXT_CHARS = 80;
  const MAX_VALUE_CHARS = 500;
  const PSEUDO =
    /::?(?:before|after|first-line|first-letter)$|::(?:marker|placeholder|selection|backdrop|file-selector-button|cue|details-content)$/;
  let room = question.inAll;

  const roots: { root: Document | ShadowRoot; host?: Element }[] = [{ root: document }];
  for (const { root, host } of roots) {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot instanceof ShadowRoot) {
        roots.push({ root: element.shadowRoot, host: host ?? element });
      }
    }
  }

  // A form field can shadow any property of its form (DOM clobbering), so properties are read from the prototype.
  const isUnique = (selector: string) => document.querySelectorAll(selector).length === 1;
  const reader = <Value>(prototype: Node, name: string): ((of: Element) => Value) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name)!;
    return (of) => get!.call(of);
  };
  const parentOf = reader<Element | null>(Node.prototype, 'parentElement');
  const siblingBefore = reader<Element | null>(Element.prototype, 'previousElementSibling');
  const tagOf = reader<string>(Element.prototype, 'localName');
  const idOf = reader<string>(Element.prototype, 'id');
  const selectorOf = (element: Element): string => {
    const steps: string[] = [];
    for (let at: Element | null = element; at; at = parentOf(at)) {
      const byId = `#${CSS.escape(idOf(at))}`;
      if (byId !== '#' && isUnique(byId)) return [byId, ...steps].join(' > ');
      const tag = tagOf(at);
      let place = 1;
      for (let before = siblingBefore(at); before; before = siblingBefore(before)) {
        if (tagOf(before) === tag) place++;
      }
      steps.unshift(parentOf(at) ? `${CSS.escape(tag)}:nth-of-type(${place})` : tag);
    }
    return steps.join(' > ');
  };

  const stylesOf = (element: Element, pseudo: string | undefined) => {
    const computed = getComputedStyle(element, pseudo);
    const names = pseudo ? ['content', ...question.names] : question.names;
    const values = names.map((name): [string, string] => [
      name,
      computed.getPropertyValue(name).slice(0, MAX_VALUE_CHARS),
    ]);
    return Object.fromEntries(values.filter(([, value]) => value !== ''));
  };

  return question.selectors.map((asked) => {
    const pseudo = PSEUDO.exec(asked)?.[0];
    const selector = pseudo ? asked.slice(0, -pseudo.length).trimEnd() || '*' : asked;
    const found: { element: Element; host: Element | undefined }[] = [];
    try {
      for (const { root, host } of roots) {
        for (const element of root.querySelectorAll(selector)) found.push({ element, host });
      }
    } catch {
      return { selector: asked, error: 'The selector is not valid.', count: 0, elements: [] };
    }
    const shown = found.slice(0, Math.min(question.perSelector, room));
    room -= shown.length;
    return {
      selector: asked,
      count: found.length,
      elements: shown.map(({ element, host }) => ({
        selector: selectorOf(host ?? element),
        text: (element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, MAX_TEXT_CHARS),
        styles: stylesOf(element, pseudo?.replace(/^:(?!:)/, '::')),
      })),
    };
  });
}
