import * as Y from 'yjs';
import { storable } from '../../lib/text/cut-text.ts';
import { jsonOfTree } from './json-codec.ts';
import type { Json } from './plain-json.ts';
import { hasContent, readTree, type SharedType, type Sort } from './value-tree.ts';
import { xmlOf } from './xml-form.ts';

export type ContentType = 'text' | 'map' | 'array' | 'xml';

/** The kind of root that each content type has. */
export const ROOT_SORTS: Record<ContentType, Sort> = {
  text: 'text',
  map: 'map',
  array: 'array',
  xml: 'fragment',
};

const EMPTY: Record<ContentType, Json> = { text: '', map: {}, array: [], xml: '' };

/**
 * The content of an editor as JSON: a string for text and XML, an object for a map, an array for an array. The type that
 * a caller declared applies if the content can be read as such. Otherwise, and for editors created by live clients, the
 * type is inferred; an empty editor without a type is null. Without a declared key, the content under `content` or
 * `default` is returned, otherwise the only content there is, otherwise all of it by key.
 */
export function readContent(
  doc: Y.Doc,
  { type, contentKey }: { type: ContentType | null; contentKey: string | null },
): unknown {
  const key = contentKey ?? mainKey(doc);
  if (key !== null) return readRoot(doc, key, type);
  const keys = filledKeys(doc);
  if (keys.length === 0) return type && structuredClone(EMPTY[type]);
  return Object.fromEntries(keys.map((name) => [storable(name), readRoot(doc, name, null)]));
}

function readRoot(doc: Y.Doc, key: string, declared: ContentType | null): Json {
  const root = doc.share.get(key);
  const type = root && declared && couldBe(root, declared) ? declared : ((root && typeOf(root)) ?? declared);
  if (!root || !type) return type && structuredClone(EMPTY[type]);
  const tree = readTree(root, 'cut', ROOT_SORTS[type]);
  return type === 'xml' ? xmlOf(tree) : jsonOfTree(tree);
}

/** Infers the type of the content under a key; null if there is none. Without a key, of the content that is read. */
export function inferType(doc: Y.Doc, contentKey: string | null): ContentType | null {
  const key = contentKey ?? mainKey(doc);
  const root = key === null ? undefined : doc.share.get(key);
  return root ? typeOf(root) : null;
}

/** True if the content can be read as a type; empty content can be read as any. */
export function couldBe(root: SharedType, type: ContentType): boolean {
  const found = typeOf(root);
  return found === null || found === type || (type === 'array' && found === 'xml');
}

/** Keys under which there is something. */
export const filledKeys = (doc: Y.Doc): string[] =>
  [...doc.share].filter(([, root]) => hasContent(root)).map(([key]) => key);

function mainKey(doc: Y.Doc): string | null {
  const keys = filledKeys(doc);
  const known = ['content', 'default'].find((key) => keys.includes(key));
  return known ?? (keys.length === 1 ? (keys[0] ?? null) : null);
}

/**
 * Roots that arrived as updates have no class, and the class of another root may be a mistake of its client.
 */
function typeOf(root: SharedType): ContentType | null {
  if (!hasContent(root)) return null;
  let [hasXml, hasText, hasValue] = [false, false, false];
  // No generator: long texts have thousands of items, and are read with every change over REST.
  for (let item = root._start; item !== null; item = item.right) {
    const { content, countable, deleted } = item;
    if (deleted) continue;
    if (!countable || content instanceof Y.ContentString || content instanceof Y.ContentEmbed) hasText = true;
    else if (content instanceof Y.ContentType && isXml(content.type)) hasXml = true;
    else hasValue = true;
  }
  if (hasXml && !hasValue) return 'xml';
  if (hasText) return 'text';
  return hasValue ? 'array' : 'map';
}

const isXml = (type: SharedType): boolean =>
  type instanceof Y.XmlElement || type instanceof Y.XmlText || type instanceof Y.XmlHook;
