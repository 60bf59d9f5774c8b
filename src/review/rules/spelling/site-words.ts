import type { DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

/** Distinct words that are counted. */
const MAX_WORDS = 200_000;
const MAX_STORED_CHARS = 2_000_000;
const MAX_PAGE_CHARS = 2_000_000;
const MAX_WORD = 40;
/** Number of different neighbors after which a word counts as used on purpose. */
const MANY_CONTEXTS = 3;
const MANY_PAGES = 3;

const CODE = new Set(['code', 'pre', 'kbd', 'samp', 'tt', 'var', 'xmp']);
const BLOCK_CODE = new Set(['pre', 'xmp']);
/** Classes that generators of documentation give to signatures and names in code. */
const CODE_CLASS =
  /(?:^|\s)(?:sig|sig-name|sig-prename|sig-param|descname|descclassname|literal|xref|n|nc|nf|command|filename|option|parameter|function|type|varname|structname|classname|methodname|constant|envar|package|userinput|computeroutput|replaceable|property|guilabel|member-name|identifier|symbol|keyword)(?:\s|$)/;
const UNSEEN = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head']);
const BLOCKS =
  /^(?:address|article|aside|blockquote|body|dd|div|dl|dt|figcaption|footer|form|h[1-6]|header|li|main|nav|ol|p|section|table|td|th|tr|ul)$/;

/** The use of a word, in lower case, on a site. */
export interface WordUse {
  /** Number of pages on which it occurs in running text. */
  pages: number;
  /** Number of different neighbors there, up to `MANY_CONTEXTS`. */
  contexts: number;
  /** `inline`: it is a name in the code of a sentence or a signature; `block`: it occurs only in samples of code. */
  code?: 'inline' | 'block';
}

/** Evidence of a site about its words. */
export interface SiteWords {
  get(word: string): WordUse | undefined;
}

export interface SiteWordsCollector {
  add(document: Node): void;
  /** The words in code, and those of several pages, as a text of limited length for `readSiteWords`. */
  store(): string;
  words: SiteWords;
}

interface Counted extends WordUse {
  lastPage: number;
  neighbors: number[];
}

/** Collects the words of pages in limited memory: words in code, and in how many places others occur. */
export function collectSiteWords(): SiteWordsCollector {
  const counted = new Map<string, Counted>();
  let page = 0;
  const useOf = (word: string): Counted | undefined => {
    const known = counted.get(word);
    if (known || counted.size >= MAX_WORDS) return known;
    const fresh: Counted = { pages: 0, contexts: 0, lastPage: 0, neighbors: [] };
    counted.set(word, fresh);
    return fresh;
  };
  return {
    add(document) {
      page += 1;
      visitText(document, {
        code: (text, kind) => {
          for (const word of namesIn(text)) {
            const use = useOf(word);
            if (use && use.code !== 'inline') use.code = kind;
          }
        },
        prose: (text) => {
          const words = wordsIn(text);
          for (const [index, word] of words.entries()) {
            const use = useOf(word);
            if (!use) continue;
            if (use.lastPage !== page) use.pages += 1;
            use.lastPage = page;
            if (use.contexts >= MANY_CONTEXTS) continue;
            const neighbors = hash(`${words[index - 1] ?? ''} ${words[index + 1] ?? ''}`);
            if (use.neighbors.includes(neighbors)) continue;
            use.neighbors.push(neighbors);
            use.contexts += 1;
          }
        },
      });
    },
    store: () => storeWords(counted),
    words: counted,
  };
}

function storeWords(counted: ReadonlyMap<string, WordUse>): string {
  const useful = [...counted].filter(([, { code, pages }]) => code !== undefined || pages >= MANY_PAGES);
  // Names in code say most, then frequent words.
  const weight = ({ code, pages }: WordUse) => (code === 'inline' ? 2e9 : code === 'block' ? 1e9 : 0) + pages;
  useful.sort(([, one], [, other]) => weight(other) - weight(one));
  const lines: string[] = [];
  let length = 0;
  for (const [word, { code, pages, contexts }] of useful) {
    const line = `${word} ${pages} ${contexts}${code === undefined ? '' : ` ${code[0]}`}`;
    length += line.length + 1;
    if (length > MAX_STORED_CHARS) break;
    lines.push(line);
  }
  return lines.join('\n');
}

/** Reads what `store` returned. */
export function readSiteWords(stored: string): SiteWords {
  const words = new Map<string, WordUse>();
  for (const line of stored.split('\n')) {
    const [word, pages, contexts, code] = line.split(' ');
    if (word === undefined || word === '') continue;
    words.set(word, {
      ...{ pages: Number(pages), contexts: Number(contexts) },
      ...(code !== undefined && { code: code === 'i' ? 'inline' : 'block' }),
    });
  }
  return words;
}

/** True for a word that the site uses in several places, so that it is no slip. */
export const isOftenUsed = ({ pages, contexts }: WordUse): boolean =>
  pages >= MANY_PAGES && contexts >= MANY_CONTEXTS;

/** The names in a piece of code and their parts, in lower case: `getUserAgent` has user, agent and itself. */
export function namesIn(code: string): Set<string> {
  const names = new Set<string>();
  for (const [name] of code.matchAll(/\p{L}[\p{L}\p{M}]{2,}/gu)) {
    const parts = name.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').split(' ');
    for (const part of [name, ...parts])
      if (part.length > 2 && part.length <= MAX_WORD) names.add(part.toLowerCase());
  }
  return names;
}

const wordsIn = (text: string): string[] =>
  Array.from(text.matchAll(/[\p{L}\p{M}]+/gu), ([word]) => word.toLowerCase()).filter(
    (word) => word.length > 2 && word.length <= MAX_WORD,
  );

function hash(text: string): number {
  let value = 0;
  for (let at = 0; at < text.length; at += 1) value = (value * 31 + text.charCodeAt(at)) | 0;
  return value;
}

interface TextListener {
  code(text: string, kind: 'inline' | 'block'): void;
  prose(text: string): void;
}

/** Passes on the text of a document, that of a block in one piece. Iterative, since documents may nest deeply. */
function visitText(document: Node, listener: TextListener): void {
  interface Step {
    node: Node;
    code?: 'inline' | 'block';
    ends?: boolean;
  }
  const stack: Step[] = [{ node: document }];
  let prose: string[] = [];
  let left = MAX_PAGE_CHARS;
  const flush = () => {
    if (prose.length > 0) listener.prose(prose.join(''));
    prose = [];
  };
  for (let step = stack.pop(); step && left > 0; step = stack.pop()) {
    const { node, code } = step;
    if (step.ends) flush();
    else if (node.nodeName === '#text' && 'value' in node) {
      left -= node.value.length;
      if (code === undefined) prose.push(node.value);
      else {
        listener.code(node.value, code);
        prose.push(' \u2026 ');
      }
    } else if ('childNodes' in node && !UNSEEN.has(node.nodeName)) {
      const isBlock = BLOCKS.test(node.nodeName) || node.nodeName === 'br';
      if (isBlock) {
        flush();
        stack.push({ node, ends: true });
      }
      const inner = code === 'block' ? code : (codeOf(node) ?? code);
      for (let index = node.childNodes.length - 1; index >= 0; index -= 1)
        stack.push({ node: node.childNodes[index]!, ...(inner && { code: inner }) });
    }
  }
  flush();
}

function codeOf(node: Node): 'inline' | 'block' | undefined {
  if (!('tagName' in node)) return undefined;
  if (BLOCK_CODE.has(node.tagName)) return 'block';
  if (CODE.has(node.tagName)) return 'inline';
  const names = node.attrs.find(({ name }) => name === 'class')?.value;
  return names !== undefined && CODE_CLASS.test(names) ? 'inline' : undefined;
}
