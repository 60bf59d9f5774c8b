/** A finding's place as the finding describes it. */
export interface Target {
  selector: string;
  xpath: string;
  text: string;
  occurrence: number;
  /** True if the finding is about the words rather than the element around them. */
  isText: boolean;
}

/** Box in CSS pixels from the top left of the document. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Boxes of the targets in their order, null for targets that are not on the page. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: One function, because the browser runs its source, which must not refer to anything outside.
export function locateInPage(targets: Target[]): (Box | null)[] {
  interface Words {
    text: string;
    /** The text node and offset that each character of the text came from. */
    nodes: Text[];
    offsets: number[];
  }

  const boxOf = ({ left, top, width, height }: DOMRect): Box | null => {
    const round = (value: number) => Math.round(value * 100) / 100;
    if (width === 0 && height === 0) return null;
    return { x: round(left + scrollX), y: round(top + scrollY), width: round(width), height: round(height) };
  };

  const boxOfElement = (element: Element): Box | null => {
    const own = boxOf(element.getBoundingClientRect());
    if (own) return own;
    // An element without a box of its own is located by its content.
    const range = document.createRange();
    range.selectNodeContents(element);
    return boxOf(range.getBoundingClientRect());
  };

  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*'))
      if (element.shadowRoot instanceof ShadowRoot) roots.push(element.shadowRoot);
  }

  const select = (selector: string): Element[] => {
    if (selector.trim() === '') return [];
    try {
      for (const root of roots) {
        const found = root.querySelectorAll(selector);
        if (found.length > 0) return [...found];
      }
    } catch {
      // Models invent invalid selectors.
    }
    return [];
  };

  const follow = (xpath: string): Element | null => {
    if (xpath.trim() === '') return null;
    try {
      const node = document.evaluate(
        xpath,
        document,
        null,
        XPathResult.FIRST_ORDERED_NODE_TYPE,
        null,
      ).singleNodeValue;
      if (node instanceof Attr) return node.ownerElement;
      return node instanceof Element ? node : (node?.parentElement ?? null);
    } catch {
      return null;
    }
  };

  const read = (root: Node): Words => {
    const words: Words = { text: '', nodes: [], offsets: [] };
    const chars: string[] = [];
    const blocks = new Map<Element, Element | null>();
    const blockOf = (element: Element | null): Element | null => {
      if (!element) return null;
      const known = blocks.get(element);
      if (known !== undefined) return known;
      const { display } = getComputedStyle(element);
      const block = /^(inline$|contents)/.test(display) ? blockOf(element.parentElement) : element;
      blocks.set(element, block);
      return block;
    };
    const add = (char: string, node: Text, offset: number) => {
      const isSpace = /\s/.test(char);
      if (isSpace && (chars.length === 0 || chars.at(-1) === ' ')) return;
      chars.push(isSpace ? ' ' : char);
      words.nodes.push(node);
      words.offsets.push(offset);
    };
    const visit = (from: Node) => {
      const walker = document.createTreeWalker(from, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
      let block: Element | null = null;
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node instanceof Element) {
          if (node.shadowRoot instanceof ShadowRoot) visit(node.shadowRoot);
          continue;
        }
        const text = node as Text;
        const parent = text.parentElement;
        if (parent && !parent.checkVisibility({ visibilityProperty: true })) continue;
        const ownBlock = blockOf(parent);
        if (ownBlock !== block) add(' ', text, 0);
        block = ownBlock;
        for (let at = 0; at < text.data.length; at++) add(text.data[at]!, text, at);
      }
    };
    visit(root);
    words.text = chars.join('');
    return words;
  };

  const occurrencesIn = (text: string, target: string): number[] => {
    const starts: number[] = [];
    for (let at = text.indexOf(target); at >= 0; at = text.indexOf(target, at + target.length))
      starts.push(at);
    return starts;
  };

  const boxOfText = (words: Words, target: string, occurrence: number, ignoreCase: boolean): Box | null => {
    const single = target.replace(/\s+/g, ' ').trim();
    if (single === '') return null;
    const lower = ignoreCase ? words.text.toLowerCase() : words.text;
    if (lower.length !== words.text.length) return null;
    const starts = occurrencesIn(lower, ignoreCase ? single.toLowerCase() : single);
    const start = starts[occurrence - 1] ?? starts.at(-1);
    if (start === undefined) return null;
    const end = start + single.length - 1;
    const range = document.createRange();
    range.setStart(words.nodes[start]!, words.offsets[start]!);
    range.setEnd(words.nodes[end]!, words.offsets[end]! + 1);
    return boxOf(range.getBoundingClientRect());
  };

  let wholePage: Words | undefined;
  const onPage = ({ text, occurrence }: Target, ignoreCase: boolean): Box | null => {
    if (text.trim() === '') return null;
    wholePage ??= read(document.body ?? document.documentElement);
    return boxOfText(wholePage, text, occurrence, ignoreCase);
  };

  return targets.map((target) => {
    const candidates = select(target.selector);
    const bare = (value: string) => value.replace(/\s+/g, ' ').trim();
    const element =
      candidates.find(
        (candidate) => target.text !== '' && bare(candidate.textContent ?? '').includes(bare(target.text)),
      ) ??
      candidates[0] ??
      follow(target.xpath);
    const words = target.isText && element ? read(element) : null;
    // The spelling exactly as quoted wins over another letter case, wherever it is.
    for (const ignoreCase of target.isText ? [false, true] : []) {
      const inElement = words ? boxOfText(words, target.text, 1, ignoreCase) : null;
      const box = inElement ?? onPage(target, ignoreCase);
      if (box) return box;
    }
    return (element ? boxOfElement(element) : null) ?? onPage(target, false) ?? onPage(target, true);
  });
}
