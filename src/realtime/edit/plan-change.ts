import * as Y from 'yjs';
import { alignLists, type ListSlot } from './align-lists.ts';
import { changeList, type ListChange } from './change-list.ts';
import { makeEntry, makeItem } from './make-content.ts';
import { changesText, lengthOf, splitSteps, type TextRules, textDelta, yjsSteps } from './text-delta.ts';
import { type Branch, isBranch, isText, type SharedType, type Tree } from './value-tree.ts';

/** The rules of a content type: which contents are equal, and how one can become another. */
export interface Codec extends TextRules {
  /** Groups items of a list that count as one. */
  group: (items: Tree[]) => Tree[][];
  /** True if a group is invisible in this format, so that it may stay. */
  isInvisible: (group: Tree[]) => boolean;
  /** Items of the same shape can be turned into each other; null if an item can only be replaced. */
  shape: (item: Tree) => string | null;
  /** The content that an existing type takes on; undefined if it can only be replaced. */
  become: (before: Branch, after: Tree) => Branch | undefined;
}

/**
 * Steps that change a document. All of them are planned before the first is applied, so that errors are thrown before
 * anything has changed: Yjs cannot roll back a transaction.
 */
export type EditPlan = (() => void)[];

/** Plans the smallest changes found that make one shared type equal to another. */
export function planChange(before: Branch, after: Branch, codec: Codec, plan: EditPlan): void {
  planEntries(before, after, codec, plan);
  if (isText(before)) planTexts([before], after, codec, plan);
  else planItems(before, after, codec, plan);
}

// Methods are borrowed from the classes: a root that arrived by updates has no class yet, and giving it one would be
// final.

function planEntries(before: Branch, after: Branch, codec: Codec, plan: EditPlan): void {
  const type = before.type as Y.Map<unknown>;
  for (const key of before.entries.keys()) {
    if (!after.entries.has(key)) plan.push(() => Y.Map.prototype.delete.call(type, key));
  }
  for (const [key, wanted] of after.entries) {
    const old = before.entries.get(key);
    if (old && (old === wanted || codec.idOfTree(old) === codec.idOfTree(wanted))) continue;
    const next = old && isBranch(old) ? codec.become(old, wanted) : undefined;
    if (next) planChange(old as Branch, next, codec, plan);
    else plan.push(() => Y.Map.prototype.set.call(type, key, makeEntry(wanted)));
  }
}

function planTexts(before: Branch[], after: Branch, codec: Codec, plan: EditPlan): void {
  const steps = textDelta(
    before.flatMap((text) => text.pieces),
    after.pieces,
    codec,
  );
  if (!changesText(steps)) return;
  codec.budget.places -= steps.filter((step) => step.kind !== 'retain').length;
  const lengths = before.map((text) => text.pieces.reduce((sum, piece) => sum + lengthOf(piece), 0));
  for (const [index, part] of splitSteps(steps, lengths).entries()) {
    const type = before[index]!.type as Y.Text;
    if (changesText(part)) plan.push(() => Y.Text.prototype.applyDelta.call(type, yjsSteps(part)));
  }
}

/** Yjs keeps plain values that were written together in one array, and copies it at each cut. */
const MAX_COPIED = 100_000_000;

interface GroupSlot extends ListSlot {
  group: Tree[];
  at: number;
  isInvisible: boolean;
}

function planItems(before: Branch, after: Branch, codec: Codec, plan: EditPlan): void {
  const olds = placesOf(before.items, codec, true);
  const wanteds = placesOf(after.items, codec, false);
  let changes: (Omit<ListChange, 'add'> & { add: Tree[] })[] = [];
  const change = (at: number, remove: number, add: Tree[]) => {
    const last = changes.at(-1);
    if (last && last.at + last.remove === at) {
      last.remove += remove;
      for (const tree of add) last.add.push(tree);
    } else changes.push({ at, remove, add: [...add] });
  };
  let [oldAt, newAt] = [0, 0];
  const pairs = alignLists(olds, wanteds, codec.budget);
  for (const [oldEnd, newEnd] of [...pairs, [olds.length, wanteds.length] as const]) {
    const added = wanteds.slice(newAt, newEnd).flatMap((place) => place.group);
    if (added.length > 0) change(olds[oldAt]?.at ?? before.items.length, 0, added);
    for (const { at, group, isInvisible } of olds.slice(oldAt, oldEnd))
      if (!isInvisible) change(at, group.length, []);
    const [old, wanted] = [olds[oldEnd], wanteds[newEnd]];
    if (old && wanted && !becomes(old, wanted, codec, plan)) change(old.at, old.group.length, wanted.group);
    [oldAt, newAt] = [oldEnd + 1, newEnd + 1];
  }
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return;
  const cuts = changes.length;
  const isTooMuch = cuts > codec.budget.places || cuts * before.items.length > MAX_COPIED;
  if (isTooMuch && !before.items.some(isBranch)) {
    const end = last.at + last.remove;
    const add = after.items.slice(first.at, after.items.length - (before.items.length - end));
    changes = [{ at: first.at, remove: end - first.at, add }];
  }
  const type = before.type as SharedType;
  plan.push(() =>
    changeList(
      type,
      changes.map((each) => ({ ...each, add: each.add.map(makeItem) })),
    ),
  );
}

/** Plans to turn one item into another; false if it must be replaced. */
function becomes(old: GroupSlot, wanted: GroupSlot, codec: Codec, plan: EditPlan): boolean {
  if (old.id === wanted.id) return true;
  const [first] = old.group;
  const next =
    first && isBranch(first) && codec.budget.places > 0 ? codec.become(first, wanted.group[0]!) : undefined;
  if (!next) return false;
  if (isText(next)) {
    planEntries(first as Branch, next, codec, plan);
    planTexts(old.group as Branch[], next, codec, plan);
  } else planChange(first as Branch, next, codec, plan);
  return true;
}

function placesOf(items: Tree[], codec: Codec, isExisting: boolean): GroupSlot[] {
  let at = 0;
  return codec.group(items).map((group) => {
    const first = group[0]!;
    const place: GroupSlot = {
      group,
      at,
      id: codec.idOfTree(group.length > 1 ? joinTexts(group as Branch[]) : first),
      shape: isExisting && !isBranch(first) ? null : codec.shape(first),
      isInvisible: codec.isInvisible(group),
      features: memoize(() => featuresOf(group)),
    };
    at += group.length;
    return place;
  });
}

const joinTexts = (texts: Branch[]): Branch => ({
  ...texts[0]!,
  pieces: texts.flatMap((text) => text.pieces),
});

const memoize = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** Enough to distinguish elements. */
const MAX_FEATURES = 200;

/** The features of content by which similarity is measured: pairs of adjacent characters, and values with their keys. */
function featuresOf(trees: Tree[]): ReadonlySet<string> {
  const features = new Set<string>();
  const addText = (text: string) => {
    for (let at = 0; at < text.length && features.size < MAX_FEATURES; at++)
      features.add(text.slice(at, at + 2));
  };
  const visit = (value: unknown, key: string): void => {
    if (features.size >= MAX_FEATURES) return;
    if (typeof value === 'string' && !key) addText(value);
    else if (Array.isArray(value)) for (const item of value) visit(item, key);
    else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
      for (const [inner, item] of Object.entries(value)) visit(item, inner);
    } else features.add(`${key}=${String(value).slice(0, 100)}`);
  };
  const visitTree = (tree: Tree, key = ''): void => {
    if (features.size >= MAX_FEATURES || tree.sort === 'subdocument') return;
    if (isBranch(tree)) {
      for (const [inner, value] of tree.entries) visitTree(value, inner);
      for (const { text } of tree.pieces) addText(text);
      for (const item of tree.items) visitTree(item);
    } else visit(tree.value, key);
  };
  for (const tree of trees) visitTree(tree);
  return features;
}
