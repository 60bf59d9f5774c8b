import type { Doc } from 'yjs';
import { invalidArgument } from '../../lib/errors.ts';
import type { Patience } from './compare-lists.ts';
import { becomeJson, newJsonCodec } from './json-codec.ts';
import { jsonOf } from './plain-json.ts';
import { type EditPlan, planChange } from './plan-change.ts';
import { type ContentType, couldBe, filledKeys, inferType, ROOT_SORTS } from './read-content.ts';
import { isBranch, MAX_LEVELS, readTree, type Tree, tooDeep } from './value-tree.ts';
import { becomeXml, newXmlCodec } from './xml-codec.ts';
import { xmlOf } from './xml-form.ts';

const KINDS: Record<ContentType, string> = {
  text: 'a string',
  map: 'an object',
  array: 'an array',
  xml: 'a string',
};

/** Comparing more tags would block the thread for seconds. */
const MAX_TAGS = 40_000;
const MAX_VALUES = 200_000;

/** Throws INVALID_ARGUMENT if data does not fit the type, is nested too deep or is too large. */
export function checkData(type: ContentType, data: unknown): void {
  if (kindOf(data) !== KINDS[type]) throw invalidArgument(`Data must be ${KINDS[type]} for type ${type}.`);
  if (depthOf(data) > MAX_LEVELS) throw tooDeep('Data');
  if (type === 'xml' && tagsIn(data as string) > MAX_TAGS) {
    throw invalidArgument(`Data of type xml can have at most ${MAX_TAGS} tags.`);
  }
  if (type !== 'xml' && valuesIn(data, MAX_VALUES) > MAX_VALUES) {
    throw invalidArgument(`Data of type ${type} can have at most ${MAX_VALUES} values.`);
  }
}

function tagsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) count += 1;
  return count;
}

/** Number of nested values, counted up to a limit. */
function valuesIn(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  for (const inner of Object.values(value)) {
    count += 1 + valuesIn(inner, limit - count);
    if (count > limit) break;
  }
  return count;
}

function kindOf(data: unknown): string {
  if (typeof data === 'string') return 'a string';
  if (Array.isArray(data)) return 'an array';
  return typeof data === 'object' && data !== null ? 'an object' : 'neither';
}

/** Depth of a value, counted up to the limit. */
function depthOf(value: unknown, level = 0): number {
  if (typeof value !== 'object' || value === null || level > MAX_LEVELS) return level;
  let deepest = level;
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepest = Math.max(deepest, depthOf(inner, level + 1));
  }
  return deepest;
}

/** Depth of a tree. Deeper levels were not read, and must not be overwritten. */
function depthOfTree(tree: Tree, level = 0): number {
  if (!isBranch(tree)) return tree.sort === 'plain' ? depthOf(tree.value, level) : level;
  let deepest = level;
  for (const inner of tree.sort === 'array' ? tree.items : tree.entries.values()) {
    const isNested = isBranch(inner) || (inner.sort === 'plain' && typeof inner.value === 'object');
    if (isNested) deepest = Math.max(deepest, depthOfTree(inner, level + 1));
  }
  return deepest;
}

/**
 * Makes the content under a key equal to data by the smallest change found, in one transaction, so that concurrent edits
 * and cursors in unchanged parts survive. Throws INVALID_ARGUMENT, and with `short` patience TooMuchWork if finding the
 * change takes long, before anything has changed.
 */
export function writeContent(
  doc: Doc,
  { type, contentKey, data }: { type: ContentType; contentKey: string; data: unknown },
  patience?: Patience,
): void {
  checkData(type, data);
  checkRoot(doc, type, contentKey);
  const root = doc.share.get(contentKey) ?? doc.get(contentKey);
  const before = readTree(root, 'refuse', ROOT_SORTS[type]);
  if (type !== 'xml' && depthOfTree(before) > MAX_LEVELS) throw tooDeep('This content');
  const plan: EditPlan = [];
  if (type === 'xml') {
    // Content that could not be written is accepted if it equals what was read.
    if (xmlOf(before) === data) return;
    planChange(before, becomeXml(before, data as string, contentKey), newXmlCodec(doc, patience), plan);
  } else {
    const after = becomeJson(before, jsonOf(data));
    if (!after)
      throw invalidArgument(
        `The content under contentKey "${contentKey}" has parts that type ${type} cannot express.`,
      );
    planChange(before, after, newJsonCodec(doc, patience), plan);
  }
  if (plan.length > 0) {
    doc.transact(() => {
      for (const step of plan) step();
    });
  }
}

function checkRoot(doc: Doc, type: ContentType, contentKey: string): void {
  const root = doc.share.get(contentKey);
  if (root && !couldBe(root, type)) {
    throw invalidArgument(
      `The content under contentKey "${contentKey}" is of type ${inferType(doc, contentKey)}, not ${type}.`,
    );
  }
  // A root that was emptied still belongs to the editor.
  if (root && (root._start !== null || root._map.size > 0)) return;
  const keys = filledKeys(doc);
  if (keys.length === 0) return;
  const list = keys.map((key) => `"${key}"`).join(', ');
  throw invalidArgument(
    `There is nothing under contentKey "${contentKey}": this editor keeps its content under ${list}.`,
  );
}
