import { storable } from '../../lib/text/cut-text.ts';
import { jsonOf } from './plain-json.ts';
import { type Branch, isBranch, isText, newBranch, type Piece, plain, type Tree } from './value-tree.ts';

const START =
  ':A-Z_a-z\\u{c0}-\\u{d6}\\u{d8}-\\u{f6}\\u{f8}-\\u{2ff}\\u{370}-\\u{37d}\\u{37f}-\\u{1fff}\\u{200c}\\u{200d}' +
  '\\u{2070}-\\u{218f}\\u{2c00}-\\u{2fef}\\u{3001}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{fffd}\\u{10000}-\\u{effff}';
const PART = `${START}\\-.0-9\\u{b7}\\u{300}-\\u{36f}\\u{203f}\\u{2040}`;

/** A pattern of XML names. */
export const XML_NAME = `[${START}][${PART}]*`;

const SIMPLE_NAME = /^[a-z](?:[a-z0-9-]|_(?!x))*$/i;
const FOREIGN = new RegExp(`^[^${START}]|[^${PART}]|_(?=x[0-9A-F]{4,6}_)`, 'gu');
/** y-prosemirror adds a hash to the name of a mark that may occur several times on one text. */
const HASHED = /^(.+)--[a-zA-Z0-9+/=]{8}$/s;
const ESCAPE = /_x([0-9A-F]{4,6})_/g;

/** Escapes characters that XML names cannot have as `_x0020_` and the like, reversibly. */
export const writtenName = (name: string): string =>
  SIMPLE_NAME.test(name) ? name : storable(name).replace(FOREIGN, escapeCharacter) || '_x0000_';

const escapeCharacter = (found: string) =>
  `_x${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}_`;

/** Reverses `writtenName`; other names stay as they are. */
export function nameWrittenAs(written: string): string {
  const name = written.replace(ESCAPE, (_, code: string) => {
    const point = Number.parseInt(code, 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
  });
  return writtenName(name) === written ? name : written;
}

/** An attribute's value in XML; undefined if it is not written. */
export function writtenValue(tree: Tree): string | undefined {
  if (isText(tree)) return storable(tree.pieces.map((piece) => piece.text).join(''));
  if (tree.sort !== 'plain') return '';
  const { value } = tree;
  if (value === undefined) return undefined;
  if (typeof value === 'string') return storable(value);
  return typeof value === 'object' ? JSON.stringify(jsonOf(value)) : String(value);
}

const escapeText = (text: string) =>
  storable(text).replace(/[&<>\r]/g, (found) => ENTITIES[found] ?? `&#${found.charCodeAt(0)};`);

const escapeValue = (text: string) =>
  text.replace(/[&<>"\t\n\r]/g, (found) => ENTITIES[found] ?? `&#${found.charCodeAt(0)};`);

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Written names and values of attributes, sorted by name. */
const writtenAttributes = (entries: Iterable<[string, Tree]>): [string, string][] =>
  [...entries]
    .flatMap(([name, tree]): [string, string][] => {
      const value = writtenValue(tree);
      return value === undefined ? [] : [[writtenName(name), value]];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));

export interface Tag {
  name: string;
  open: string;
}

export const tagOf = (name: string, attributes: [string, string][]): Tag => ({
  name,
  open: `<${[name, ...attributes.map(([key, value]) => `${key}="${escapeValue(value)}"`)].join(' ')}>`,
});

/** The name of a mark without the hash of y-prosemirror. */
export const markName = (key: string): string => HASHED.exec(key)?.[1] ?? key;

/** The attributes of a mark's tag: those of its value, or the value itself if it is not an object. */
export function markAttributes(value: unknown): [string, Tree][] {
  if (value === true) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Uint8Array) {
    return [['value', plain(value)]];
  }
  return Object.entries(value).map(([name, inner]) => [name, plain(inner)]);
}

export const markTag = (key: string, value: unknown): Tag =>
  tagOf(writtenName(markName(key)), writtenAttributes(markAttributes(value)));

/** The tag of an element, in lower case as Yjs writes it. */
export const elementTag = ({ name, entries }: Branch): Tag =>
  tagOf(writtenName(name.toLowerCase()), writtenAttributes(entries));

export interface TextRun {
  tags: Tag[];
  text: string;
}

/** Text as it is written: pieces with the same tags are merged, and embedded values are skipped. */
function runsOf(texts: Branch[]): TextRun[] {
  const runs: (TextRun & { look: string })[] = [];
  for (const { text, embed, marks } of texts.flatMap((each) => each.pieces)) {
    if (embed || !text) continue;
    const tags = [...(marks ?? [])].map(([key, value]) => markTag(key, value)).sort(byName);
    const look = tags.map((tag) => tag.open).join('');
    const last = runs.at(-1);
    if (last?.look === look) last.text += text;
    else runs.push({ tags, text, look });
  }
  return runs;
}

const byName = (a: Tag, b: Tag) =>
  a.name === b.name ? (a.open < b.open ? -1 : 1) : a.name < b.name ? -1 : 1;

const writtenRun = ({ tags, text }: TextRun) =>
  [
    ...tags.map((tag) => tag.open),
    escapeText(text),
    ...tags.toReversed().map((tag) => `</${tag.name}>`),
  ].join('');

export const writtenTexts = (texts: Branch[]): string => runsOf(texts).map(writtenRun).join('');

/** Groups adjacent texts, which are one text in XML. */
export function groupTexts(items: Tree[]): Tree[][] {
  const groups: Tree[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && isPlainText(item) && isPlainText(last[0]!)) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

/** Some editors store their elements as texts that have attributes and inner texts. */
export const isPlainText = (tree: Tree): tree is Branch & { sort: 'xmltext' } =>
  tree.sort === 'xmltext' && tree.entries.size === 0 && tree.pieces.every((piece) => piece.embed === null);

/** The XML of a shared type, as Yjs writes it but properly escaped. */
export function xmlOf(tree: Tree): string {
  if (!isBranch(tree)) return tree.sort === 'plain' ? escapeText(writtenPlain(tree.value)) : '';
  switch (tree.sort) {
    case 'fragment':
      return writtenItems(tree.items);
    case 'element':
    case 'hook': {
      const { name, open } = elementTag(tree);
      return `${open}${writtenItems(tree.items)}</${name}>`;
    }
    case 'xmltext': {
      if (isPlainText(tree)) return writtenTexts([tree]);
      const { name, open } = elementTag({ ...tree, name: 'text' });
      return `${open}${writtenPieces(tree.pieces)}</${name}>`;
    }
    case 'text':
      return writtenPieces(tree.pieces);
    default:
      return '';
  }
}

const writtenPlain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const writtenItems = (items: Tree[]): string =>
  groupTexts(items)
    .map(([first, ...more]) => (more.length > 0 ? writtenTexts([first, ...more] as Branch[]) : xmlOf(first!)))
    .join('');

const writtenPieces = (pieces: Piece[]): string =>
  pieces
    .map((piece) =>
      piece.embed && isBranch(piece.embed)
        ? xmlOf(piece.embed)
        : writtenTexts([newBranch('xmltext', { pieces: [piece] })]),
    )
    .join('');
