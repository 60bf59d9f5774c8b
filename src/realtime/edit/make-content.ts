import * as Y from 'yjs';
import { type Branch, isBranch, type Piece, plain, type SharedType, type Tree } from './value-tree.ts';

/** Creates a value that Yjs accepts in a map or an attribute. */
export function makeEntry(tree: Tree): unknown {
  if (isBranch(tree)) return makeType(tree);
  if (tree.sort === 'subdocument') return copyDocument(tree.document);
  const { value } = tree;
  // Yjs recognizes values by their `constructor`, and fails on an object with a key of that name.
  return isRecord(value) && Object.hasOwn(value, 'constructor')
    ? new Y.Map(Object.entries(value).map(([key, inner]) => [key, makeEntry(plain(inner))]))
    : value;
}

/** Creates a list item that Yjs accepts; lists accept fewer kinds of values than maps. */
export function makeItem(tree: Tree): unknown {
  const made = makeEntry(tree);
  if (typeof made === 'bigint') return made.toString();
  return made === undefined ? null : made;
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array) && !Array.isArray(value);

/** Another reference to a subdocument; its content is stored elsewhere, under its guid. */
const copyDocument = ({ guid, gc, meta, autoLoad }: Y.Doc) => new Y.Doc({ guid, gc, meta, autoLoad });

export interface Insertion {
  insert: string | object;
  attributes: Record<string, unknown>;
}

/** A piece as Yjs accepts it; none for an embedded value that is neither object nor type, on which Yjs fails. */
export function makePiece({ text, embed, marks }: Piece): Insertion[] {
  const attributes = Object.fromEntries(marks ?? []);
  if (!embed) return text ? [{ insert: text, attributes }] : [];
  const made = isBranch(embed) ? makeType(embed) : embed.sort === 'plain' ? embed.value : null;
  return typeof made === 'object' && made !== null ? [{ insert: made, attributes }] : [];
}

function makeType(branch: Branch): SharedType {
  switch (branch.sort) {
    case 'map':
      return fillMap(new Y.Map(), branch);
    case 'hook':
      return fillMap(new Y.XmlHook(branch.name), branch);
    case 'array':
      return Y.Array.from(branch.items.map(makeItem) as object[]);
    case 'text':
      return fillText(new Y.Text(), branch);
    case 'xmltext':
      return fillText(new Y.XmlText(), branch);
    case 'fragment':
      return fillFragment(new Y.XmlFragment(), branch);
    case 'element': {
      const element = new Y.XmlElement<Record<string, object>>(branch.name);
      for (const [key, value] of branch.entries) element.setAttribute(key, makeEntry(value) as object);
      return fillFragment(element, branch);
    }
  }
}

function fillMap(map: Y.Map<unknown>, branch: Branch): Y.Map<unknown> {
  for (const [key, value] of branch.entries) map.set(key, makeEntry(value));
  return map;
}

function fillText(text: Y.Text, branch: Branch): Y.Text {
  text.applyDelta(branch.pieces.flatMap(makePiece));
  for (const [key, value] of branch.entries) text.setAttribute(key, makeEntry(value));
  return text;
}

function fillFragment(fragment: Y.XmlFragment, branch: Branch): Y.XmlFragment {
  fragment.insert(0, branch.items.map(makeItem) as Y.XmlElement[]);
  return fragment;
}
