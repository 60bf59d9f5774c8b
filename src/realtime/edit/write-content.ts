import type { Doc } from 'yjs';
import { invalidArgument } from '../../lib/errors.ts';
import type { Patience } from './compare-lists.ts';
import { becomeJson, newJsonManner } from './json-codec.ts';
import { jsonOf } from './plain-json.ts';
import { type Plan, planChange } from './plan-change.ts';
import { type ContentType, couldBe, filledKeys, inferType, ROOT_SORTS } from './read-content.ts';
import { isBranch, MAX_LEVELS, readTree, type Tree, tooDeep } from './value-tree.ts';
import { becomeXml, newXmlManner } from './xml-codec.ts';
import { xmlOf } from './xml-form.ts';

const KINDS: Record<ContentType, string> = {
  text: 'a string',
  map: 'an object',
  array: 'an array',
  xml: 'a string',
};

/** Comparing more than that would keep everybody else waiting for seconds. */
const MAX_TAGS = 40_000;
const MAX_VALUES = 200_000;

/** Throws INVALID_ARGUMENT where data is not of the kind that belongs to a type, is nested too deep or is too much. */
export function checkData(type: ContentType, data: unknown): void {
  if (kindOf(data) !== KINDS[type]) throw invalidArgument(`Data must be ${KINDS[type]} for type ${type}.`);
  if (levelsOf(data) > MAX_LEVELS) throw tooDeep('Data');
  if (type === 'xml' && tagsIn(data as string) > MAX_TAGS) {
    throw invalidArgument(`Data of type xml may hold at most ${MAX_TAGS} tags.`);
  }
  if (type !== 'xml' && valuesIn(data, MAX_VALUES) > MAX_VALUES) {
    throw invalidArgument(`Data of type ${type} may hold at most ${MAX_VALUES} values.`);
  }
}

function tagsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) count += 1;
  return count;
}

/** How many values lie within one, counted no further than a limit. */
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

/** How many levels lie within a value, counted no further than is allowed. */
function levelsOf(value: unknown, level = 0): number {
  if (typeof value !== 'object' || value === null || level > MAX_LEVELS) return level;
  let most = level;
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) most = Math.max(most, levelsOf(inner, level + 1));
  }
  return most;
}

/** What is deeper was not read, and must not be lost with what is. */
function levelsOfTree(tree: Tree, level = 0): number {
  if (!isBranch(tree)) return tree.sort === 'plain' ? levelsOf(tree.value, level) : level;
  let most = level;
  for (const inner of tree.sort === 'array' ? tree.items : tree.entries.values()) {
    const isNested = isBranch(inner) || (inner.sort === 'plain' && typeof inner.value === 'object');
    if (isNested) most = Math.max(most, levelsOfTree(inner, level + 1));
  }
  return most;
}

/**
 * Makes the content under a key equal to data by as small a change as can be found, in one transaction: what others
 * write meanwhile in parts that stay the same stays, as do their cursors. Where nothing differs, nothing happens.
 * Whatever is wrong with the data throws INVALID_ARGUMENT before anything has changed. With `short` patience, a change
 * that takes long to find throws TooMuchWork, likewise.
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
  if (type !== 'xml' && levelsOfTree(before) > MAX_LEVELS) throw tooDeep('This content');
  const plan: Plan = [];
  if (type === 'xml') {
    // Even what could not be written may be given back as it was read.
    if (xmlOf(before) === data) return;
    planChange(before, becomeXml(before, data as string, contentKey), newXmlManner(doc, patience), plan);
  } else {
    const after = becomeJson(before, jsonOf(data));
    if (!after) throw invalidArgument(`The content under contentKey "${contentKey}" is more than ${type}.`);
    planChange(before, after, newJsonManner(doc, patience), plan);
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
  // One that was emptied is still the editor's.
  if (root && (root._start !== null || root._map.size > 0)) return;
  const keys = filledKeys(doc);
  if (keys.length === 0) return;
  const list = keys.map((key) => `"${key}"`).join(', ');
  throw invalidArgument(
    `There is nothing under contentKey "${contentKey}": this editor keeps its content under ${list}.`,
  );
}
