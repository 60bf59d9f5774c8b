import { encodeAny, toBase64 } from 'lib0/buffer';
import { digest } from 'lib0/hash/sha256';
import { type Branch, isBranch, type Plain, plain, type Tree } from './value-tree.ts';
import { markAttributes, markName, markTag, nameWrittenAs, tagOf, writtenValue } from './xml-form.ts';

/** The meaning of tags and attributes in a document, learned from its present content. */
export interface Lexicon {
  /** True if a tag is a mark on text and not an element. */
  isMark: (tag: string) => boolean;
  /** An element's name with its capitals, which XML output lacks. */
  elementName: (tag: string) => string;
  elementAttributes: (name: string, attributes: Map<string, string>) => Map<string, Tree>;
  mark: (tag: string, attributes: Map<string, string>) => [key: string, value: unknown];
}

const COMMON_MARKS = new Set([
  ...['bold', 'strong', 'b', 'italic', 'em', 'i', 'underline', 'u', 'strike', 's', 'del', 'ins', 'code'],
  ...['link', 'a', 'highlight', 'mark', 'textStyle', 'sub', 'subscript', 'sup', 'superscript', 'small'],
]);

/** Names of common editors that have capitals. */
const COMMON_ELEMENTS = [
  ...['bulletList', 'orderedList', 'listItem', 'taskList', 'taskItem', 'codeBlock', 'hardBreak'],
  ...['horizontalRule', 'tableRow', 'tableCell', 'tableHeader', 'detailsSummary', 'detailsContent'],
  ...['blockContainer', 'blockGroup', 'bulletListItem', 'numberedListItem', 'checkListItem'],
];

type Kind = 'string' | 'number' | 'boolean' | 'null' | 'object';

const COMMON_KINDS = new Map<string, Kind>([
  ...['level', 'start', 'order', 'colspan', 'rowspan', 'indent'].map((name): [string, Kind] => [
    name,
    'number',
  ]),
  ...['checked', 'open'].map((name): [string, Kind] => [name, 'boolean']),
]);

const VALUE = 'value';

export function learnLexicon(root: Branch): Lexicon {
  const elements = new Map(COMMON_ELEMENTS.map((name) => [name.toLowerCase(), [name]]));
  const usedElements = new Set<string>();
  const kinds = new Map<string, Set<Kind>>();
  /** Known marks by their written tags. */
  const marks = new Map<string, [key: string, value: unknown]>();
  const markSamples = new Map<string, { isHashed: boolean; value: unknown }>();

  const learnKind = (owner: string, name: string, tree: Tree) => {
    const key = `${owner} ${name}`;
    const kind = kindOf(tree);
    if (kind) kinds.set(key, (kinds.get(key) ?? new Set()).add(kind));
  };
  const learn = (branch: Branch) => {
    if (branch.sort === 'element') {
      const plainName = branch.name.toLowerCase();
      // Names of this document take precedence over common ones.
      const names = usedElements.has(plainName) ? (elements.get(plainName) ?? []) : [];
      if (!names.includes(branch.name)) elements.set(plainName, [...names, branch.name]);
      usedElements.add(plainName);
      for (const [name, tree] of branch.entries) learnKind(`<${plainName}>`, name, tree);
    }
    for (const piece of branch.pieces) {
      for (const [key, value] of piece.marks ?? []) {
        const { name, open } = markTag(key, value);
        if (!marks.has(open)) marks.set(open, [key, value]);
        if (!markSamples.has(name)) markSamples.set(name, { isHashed: markName(key) !== key, value });
        for (const [attribute, tree] of markAttributes(value)) learnKind(name, attribute, tree);
      }
    }
    for (const item of branch.items) if (isBranch(item)) learn(item);
  };
  learn(root);

  const typed = (owner: string, name: string, text: string): Plain => {
    const known = kinds.get(`${owner} ${name}`);
    const common = owner.startsWith('<') ? COMMON_KINDS.get(name) : undefined;
    return plain(known || !common ? valueWrittenAs(text, known) : valueWrittenAs(text, new Set([common])));
  };

  return {
    isMark: (tag) => markSamples.has(tag) || (COMMON_MARKS.has(tag) && !usedElements.has(tag.toLowerCase())),
    elementName: (tag) => {
      const given = nameWrittenAs(tag);
      const names = elements.get(given.toLowerCase()) ?? [given];
      return names.includes(given) ? given : (names[0] ?? given);
    },
    elementAttributes: (name, attributes) => {
      const owner = `<${name.toLowerCase()}>`;
      return new Map(
        [...attributes].map(([written, text]) => {
          const attribute = nameWrittenAs(written);
          return [attribute, typed(owner, attribute, text)];
        }),
      );
    },
    mark: (tag, attributes) => {
      const inOrder = [...attributes].sort(([a], [b]) => (a < b ? -1 : 1));
      const known = marks.get(tagOf(tag, inOrder).open);
      if (known) return known;
      const name = nameWrittenAs(tag);
      const sample = markSamples.get(tag);
      const values = Object.fromEntries(
        [...attributes].map(([written, text]) => {
          const attribute = nameWrittenAs(written);
          return [attribute, typed(tag, attribute, text).value];
        }),
      );
      const isValue = attributes.size === 1 && attributes.has(VALUE) && sample && !isAttributes(sample.value);
      return [sample?.isHashed ? `${name}--${hashOf(name, values)}` : name, isValue ? values[VALUE] : values];
    },
  };
}

const isAttributes = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

function kindOf(tree: Tree): Kind | undefined {
  if (tree.sort !== 'plain') return undefined;
  if (tree.value === null) return 'null';
  const kind = typeof tree.value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' || kind === 'object' ? kind : undefined;
}

/** The value of a known kind that is written so; otherwise a string. */
function valueWrittenAs(text: string, kinds: Set<Kind> = new Set()): unknown {
  const candidates: [Kind, () => unknown][] = [
    ['number', () => Number(text)],
    ['boolean', () => text === 'true'],
    ['null', () => null],
    ['object', () => JSON.parse(text)],
  ];
  for (const [kind, make] of candidates) {
    if (!kinds.has(kind)) continue;
    try {
      const value = make();
      if (writtenValue(plain(value)) === text && kindOf(plain(value)) === kind) return value;
    } catch {
      // No JSON.
    }
  }
  return text;
}

/** The hash by which y-prosemirror tells marks of the same name apart. */
function hashOf(type: string, attrs: object): string {
  const hash = digest(encodeAny({ type, attrs }));
  return toBase64(
    hash.slice(0, 6).map((byte, at) => {
      for (let next = at + 6; next < hash.length; next += 6) byte ^= hash[next] ?? 0;
      return byte;
    }),
  );
}
