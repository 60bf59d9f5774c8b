/** Marks the place of a frame in the text; a private-use character that is removed from page text. */
export const FRAME_MARK = '\uE0F0';

/**
 * Runs in the page, so it must not refer to anything outside of itself. Text keeps the case of the source where a style
 * draws it in capitals, so that quotes from it can be found in the document.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: One function, because the browser gets its source without the module around it.
export function readVisibleText(): { text: string; frames: Element[] } {
  const FRAME = '\uE0F0';
  const UNSEEN = /^(script|style|noscript|template|head|title|canvas|video|audio|svg|math|datalist|map)$/;
  const pieces: string[] = [];
  const frames: Element[] = [];
  const textStyles = new Map<Element, { isShown: boolean; keepsSpace: boolean }>();
  /** Line breaks due before the next words; adjacent blocks share theirs. */
  let dueBreaks = 0;
  let endsInSpace = true;

  const breakLines = (count: number) => {
    dueBreaks = Math.max(dueBreaks, count);
    endsInSpace = true;
  };
  const append = (text: string, keepsSpace = false) => {
    const plain = text.replaceAll(FRAME, '');
    const collapsed = keepsSpace ? plain : plain.replace(/\s+/g, ' ');
    const words = endsInSpace && !keepsSpace ? collapsed.trimStart() : collapsed;
    if (words === '') return;
    if (dueBreaks > 0 && pieces.length > 0) pieces.push('\n'.repeat(dueBreaks));
    dueBreaks = 0;
    pieces.push(words);
    endsInSpace = /\s$/.test(words);
  };

  const nodesOf = Object.getOwnPropertyDescriptor(Node.prototype, 'childNodes')!.get!;
  const childrenOf = (element: Element): Iterable<Node> => {
    // A form field can shadow any property of its form (DOM clobbering).
    if (element.shadowRoot instanceof ShadowRoot) return element.shadowRoot.childNodes;
    if (element instanceof HTMLSlotElement) {
      const assigned = element.assignedNodes();
      return assigned.length > 0 ? assigned : element.childNodes;
    }
    if (element instanceof HTMLDetailsElement && !element.open) {
      const summary = [...element.children].find((child) => child.localName === 'summary');
      return summary ? [summary] : [];
    }
    return nodesOf.call(element);
  };

  const appendText = (node: Node, parent: Element) => {
    let style = textStyles.get(parent);
    if (!style) {
      const { visibility, whiteSpace } = getComputedStyle(parent);
      style = { isShown: visibility === 'visible', keepsSpace: /^(pre|break-spaces)/.test(whiteSpace) };
      textStyles.set(parent, style);
    }
    if (style.isShown) append(node.nodeValue ?? '', style.keepsSpace);
  };

  /** The text of a form field or picture; undefined for every other element. */
  const ownWords = (element: Element): string | undefined => {
    if (element instanceof HTMLImageElement) return element.alt.trim() ? ` [${element.alt.trim()}] ` : '';
    if (element instanceof HTMLTextAreaElement) return ` ${element.value || element.placeholder} `;
    if (element instanceof HTMLSelectElement) {
      return ` ${[...element.selectedOptions].map((option) => option.label).join(', ')} `;
    }
    if (!(element instanceof HTMLInputElement)) return undefined;
    if (/^(hidden|password|checkbox|radio|color|range|file)$/.test(element.type)) return '';
    if (element.type === 'image') return ` [${element.alt}] `;
    return ` ${element.value || element.placeholder} `;
  };

  const enter = (element: Element): { inside: Iterator<Node>; leave: () => void } | undefined => {
    const tag = element.localName;
    if (tag === 'br') {
      breakLines(0);
      pieces.push('\n');
    }
    if (tag === 'svg') {
      for (const words of element.querySelectorAll('text')) append(` ${words.textContent ?? ''} `);
    }
    if (tag === 'br' || UNSEEN.test(tag)) return undefined;
    const style = getComputedStyle(element);
    if (style.display === 'none' || style.contentVisibility === 'hidden') return undefined;
    const isShown = style.visibility === 'visible';
    if (tag === 'iframe' || tag === 'frame') {
      const { width, height } = element.getBoundingClientRect();
      // Frames of a pixel are trackers.
      if (isShown && width > 2 && height > 2) {
        frames.push(element);
        breakLines(1);
        pieces.push(FRAME);
      }
      return undefined;
    }
    const words = ownWords(element);
    if (words !== undefined) {
      if (isShown) append(words);
      return undefined;
    }
    const isInline = /^(inline|contents|ruby)/.test(style.display);
    const isParagraph = /^(p|h[1-6]|table|ul|ol|blockquote|pre)$/.test(tag);
    const apart = () => {
      if (/^(inline-|table-cell)/.test(style.display)) append(' ');
      else if (!isInline) breakLines(isParagraph ? 2 : 1);
    };
    apart();
    if (style.display === 'list-item' && isShown && tag === 'li' && style.listStyleType !== 'none')
      append('- ');
    return { inside: childrenOf(element)[Symbol.iterator](), leave: apart };
  };

  // Iterative, since a page may nest deeper than the call stack.
  const root = document.documentElement && enter(document.documentElement);
  const open = root ? [{ ...root, element: document.documentElement as Element }] : [];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { value: node, done } = top.inside.next();
    if (done) {
      top.leave();
      open.pop();
    } else if (node.nodeType === Node.TEXT_NODE) {
      appendText(node, node.parentElement ?? top.element);
    } else if (node instanceof Element) {
      const entered = enter(node);
      if (entered) open.push({ ...entered, element: node });
    }
  }
  return { text: pieces.join(''), frames };
}
