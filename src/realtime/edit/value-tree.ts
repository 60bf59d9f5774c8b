import * as Y from 'yjs';
import { invalidArgument } from '../../lib/errors.ts';

// biome-ignore lint/suspicious/noExplicitAny: Yjs itself uses `any` for a shared type whose event type is unknown.
export type SharedType = Y.AbstractType<any>;

/** Deepest nesting that is read and written. */
export const MAX_LEVELS = 100;

export type Sort = 'text' | 'xmltext' | 'array' | 'map' | 'element' | 'fragment' | 'hook';

/** A value of a Yjs document: JSON, and also `undefined`, bigint and bytes. */
export interface Plain {
  sort: 'plain';
  value: unknown;
}

/** A nested document, whose content is stored elsewhere. */
export interface Subdocument {
  sort: 'subdocument';
  document: Y.Doc;
}

/** Formatting by name. */
export type Marks = ReadonlyMap<string, unknown>;

/** Part of a text: characters, or one embedded value. */
export interface Piece {
  text: string;
  embed: Tree | null;
  /** Null for text without formatting, which takes on that of its surroundings. */
  marks: Marks | null;
}

/** A shared type with its content, existing (`type`) or still to be created. */
export interface Branch {
  sort: Sort;
  /** The name of an element or hook. */
  name: string;
  /** Values of a map; attributes of other types. */
  entries: Map<string, Tree>;
  items: Tree[];
  pieces: Piece[];
  /** A text with items that texts cannot have, written by a broken client. */
  isMixed: boolean;
  type: SharedType | null;
}

export type Tree = Branch | Plain | Subdocument;

export const plain = (value: unknown): Plain => ({ sort: 'plain', value });

export const isBranch = (tree: Tree): tree is Branch => tree.sort !== 'plain' && tree.sort !== 'subdocument';

export const isText = (tree: Tree): tree is Branch & { sort: 'text' | 'xmltext' } =>
  tree.sort === 'text' || tree.sort === 'xmltext';

export const newBranch = (sort: Sort, parts: Partial<Branch> = {}): Branch => ({
  sort,
  name: '',
  entries: new Map(),
  items: [],
  pieces: [],
  isMixed: false,
  type: null,
  ...parts,
});

/** `cut` reads levels beyond MAX_LEVELS as null; `refuse` throws. */
type BeyondMaxLevels = 'cut' | 'refuse';

const NO_MARKS: Marks = new Map();

/**
 * Reads a shared type. The sort is given for types without a class, such as roots that arrived by updates; they are read
 * without assigning a class, which would be final.
 */
export function readTree(type: SharedType, beyondMaxLevels: BeyondMaxLevels, sort?: Sort): Branch {
  return readBranch(type, sort ?? sortOf(type), beyondMaxLevels, 0);
}

function readBranch(type: SharedType, sort: Sort, beyondMaxLevels: BeyondMaxLevels, level: number): Branch {
  const branch = newBranch(sort, { name: nameOf(type), type });
  for (const [key, item] of type._map) {
    const value = item.deleted ? undefined : readContents(item.content, beyondMaxLevels, level).at(-1);
    if (value) branch.entries.set(key, value);
  }
  if (isText(branch)) readPieces(branch, type, beyondMaxLevels, level);
  else {
    for (const { content } of visibleItems(type)) {
      for (const tree of readContents(content, beyondMaxLevels, level)) branch.items.push(tree);
    }
  }
  return branch;
}

function readPieces(branch: Branch, type: SharedType, beyondMaxLevels: BeyondMaxLevels, level: number): void {
  let marks = NO_MARKS;
  let texts: string[] = [];
  const finish = () => {
    if (texts.length > 0) branch.pieces.push({ text: texts.join(''), embed: null, marks });
    texts = [];
  };
  for (let item = type._start; item !== null; item = item.right) {
    const { content } = item;
    if (item.deleted) continue;
    if (content instanceof Y.ContentString) texts.push(content.str);
    else if (content instanceof Y.ContentFormat) {
      finish();
      const changed = new Map(marks);
      if (content.value === null) changed.delete(content.key);
      else changed.set(content.key, content.value);
      marks = changed;
    } else if (item.countable) {
      finish();
      branch.isMixed ||= !(content instanceof Y.ContentEmbed || content instanceof Y.ContentType);
      for (const embed of readContents(content, beyondMaxLevels, level)) {
        branch.pieces.push({ text: '', embed, marks });
      }
    }
  }
  finish();
}

function readContents(content: Y.Item['content'], beyondMaxLevels: BeyondMaxLevels, level: number): Tree[] {
  if (content instanceof Y.ContentDoc) return [{ sort: 'subdocument', document: content.doc }];
  if (!(content instanceof Y.ContentType)) return content.getContent().map(plain);
  const type: SharedType = content.type;
  const sort = sortOf(type);
  // The text of the deepest element counts as part of it.
  if (level < MAX_LEVELS || (sort === 'xmltext' && level === MAX_LEVELS)) {
    return [readBranch(type, sort, beyondMaxLevels, level + 1)];
  }
  if (beyondMaxLevels === 'refuse') throw tooDeep('This content');
  return [plain(null)];
}

/** The items of a list that are not deleted; formatting, which has no length, only if asked for. */
export function* visibleItems(type: SharedType, withFormatting = false): Generator<Y.Item> {
  for (let item = type._start; item !== null; item = item.right) {
    if (!item.deleted && (item.countable || withFormatting)) yield item;
  }
}

/** True if a type has anything that is not deleted. */
export function hasContent(type: SharedType): boolean {
  for (const item of type._map.values()) if (!item.deleted) return true;
  return !visibleItems(type).next().done;
}

export const tooDeep = (what: string) =>
  invalidArgument(`${what} is nested deeper than ${MAX_LEVELS} levels.`);

function sortOf(type: SharedType): Sort {
  if (type instanceof Y.XmlText) return 'xmltext';
  if (type instanceof Y.Text) return 'text';
  if (type instanceof Y.XmlElement) return 'element';
  if (type instanceof Y.XmlFragment) return 'fragment';
  if (type instanceof Y.XmlHook) return 'hook';
  return type instanceof Y.Array ? 'array' : 'map';
}

function nameOf(type: SharedType): string {
  if (type instanceof Y.XmlElement) return type.nodeName;
  return type instanceof Y.XmlHook ? type.hookName : '';
}
