export interface SelectorStyles {
  /** As the agent wrote it. */
  selector: string;
  /** Why it could not be asked for. */
  error?: string;
  /** How many elements match, of which only the first are told. */
  count: number;
  elements: {
    /** Finds this element alone; for one in a shadow root, the element that holds it. */
    selector: string;
    /** The beginning of its text. */
    text: string;
    /** Value by property, those that a browser does not know left out. */
    styles: Record<string, string>;
  }[];
}

/**
 * Runs in the page, so it must not refer to anything outside itself. A pseudo-element at the end of a selector
 * is looked at on each element that the rest of the selector matches.
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

  // A field of a form can take the name of any property of it, so what must be right is asked past the form.
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
