import * as Y from 'yjs';
import { alignLists, type Slot } from './align-lists.ts';
import { changeList, type ListChange } from './change-list.ts';
import { featuresOf } from './content-features.ts';
import { makeEntry, makeItem } from './make-content.ts';
import { changesText, lengthOf, type Spelling, splitSteps, textDelta, yjsSteps } from './text-delta.ts';
import { type Branch, isBranch, isText, type SharedType, type Tree } from './value-tree.ts';

/** How contents are compared, and what becomes of what differs. */
export interface Manner extends Spelling {
  /** A list's items, with those together that are to be taken as one. */
  group: (items: Tree[]) => Tree[][];
  /** Whether a group counts for nothing where it is. */
  isGhost: (group: Tree[]) => boolean;
  /** What an item must have in common with another to be made that; null where it can only be replaced. */
  shape: (item: Tree) => string | null;
  /** What a type that is there is to become, of its own sort; undefined where it can only be replaced. */
  become: (before: Branch, after: Tree) => Branch | undefined;
}

/**
 * Steps that change a document. They are all found before the first is made, from the content as it is then: what
 * throws must do so before anything has changed, since Yjs cannot take back half a transaction.
 */
export type Plan = (() => void)[];

/** Plans what makes one shared type equal to another, each as small a change as can be found. */
export function planChange(before: Branch, after: Branch, manner: Manner, plan: Plan): void {
  planEntries(before, after, manner, plan);
  if (isText(before)) planTexts([before], after, manner, plan);
  else planItems(before, after, manner, plan);
}

// What follows borrows methods of the classes: a root that came as updates has no class, and would keep for good
// whatever it were given here.

function planEntries(before: Branch, after: Branch, manner: Manner, plan: Plan): void {
  const type = before.type as Y.Map<unknown>;
  for (const key of before.entries.keys()) {
    if (!after.entries.has(key)) plan.push(() => Y.Map.prototype.delete.call(type, key));
  }
  for (const [key, wanted] of after.entries) {
    const old = before.entries.get(key);
    if (old && (old === wanted || manner.sign(old) === manner.sign(wanted))) continue;
    const next = old && isBranch(old) ? manner.become(old, wanted) : undefined;
    if (next) planChange(old as Branch, next, manner, plan);
    else plan.push(() => Y.Map.prototype.set.call(type, key, makeEntry(wanted)));
  }
}

function planTexts(before: Branch[], after: Branch, manner: Manner, plan: Plan): void {
  const steps = textDelta(
    before.flatMap((text) => text.pieces),
    after.pieces,
    manner,
  );
  if (!changesText(steps)) return;
  manner.effort.places -= steps.filter((step) => step.kind !== 'retain').length;
  const lengths = before.map((text) => text.pieces.reduce((sum, piece) => sum + lengthOf(piece), 0));
  for (const [index, part] of splitSteps(steps, lengths).entries()) {
    const type = before[index]!.type as Y.Text;
    if (changesText(part)) plan.push(() => Y.Text.prototype.applyDelta.call(type, yjsSteps(part)));
  }
}

/** Yjs keeps plain values that were written together as one array, and copies that wherever it is cut. */
const MAX_COPIED = 100_000_000;

interface Place extends Slot {
  group: Tree[];
  at: number;
  isGhost: boolean;
}

function planItems(before: Branch, after: Branch, manner: Manner, plan: Plan): void {
  const olds = placesOf(before.items, manner, true);
  const wanteds = placesOf(after.items, manner, false);
  let changes: (Omit<ListChange, 'add'> & { add: Tree[] })[] = [];
  const change = (at: number, remove: number, add: Tree[]) => {
    const last = changes.at(-1);
    if (last && last.at + last.remove === at) {
      last.remove += remove;
      for (const tree of add) last.add.push(tree);
    } else changes.push({ at, remove, add: [...add] });
  };
  let [oldAt, newAt] = [0, 0];
  const pairs = alignLists(olds, wanteds, manner.effort);
  for (const [oldEnd, newEnd] of [...pairs, [olds.length, wanteds.length] as const]) {
    const added = wanteds.slice(newAt, newEnd).flatMap((place) => place.group);
    if (added.length > 0) change(olds[oldAt]?.at ?? before.items.length, 0, added);
    for (const { at, group, isGhost } of olds.slice(oldAt, oldEnd))
      if (!isGhost) change(at, group.length, []);
    const [old, wanted] = [olds[oldEnd], wanteds[newEnd]];
    if (old && wanted && !becomes(old, wanted, manner, plan)) change(old.at, old.group.length, wanted.group);
    [oldAt, newAt] = [oldEnd + 1, newEnd + 1];
  }
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return;
  const cuts = changes.length;
  const isTooMuch = cuts > manner.effort.places || cuts * before.items.length > MAX_COPIED;
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

/** Plans what makes one item another; false where it has to be replaced. */
function becomes(old: Place, wanted: Place, manner: Manner, plan: Plan): boolean {
  if (old.id === wanted.id) return true;
  const [first] = old.group;
  const next =
    first && isBranch(first) && manner.effort.places > 0 ? manner.become(first, wanted.group[0]!) : undefined;
  if (!next) return false;
  if (isText(next)) {
    planEntries(first as Branch, next, manner, plan);
    planTexts(old.group as Branch[], next, manner, plan);
  } else planChange(first as Branch, next, manner, plan);
  return true;
}

function placesOf(items: Tree[], manner: Manner, areThere: boolean): Place[] {
  let at = 0;
  return manner.group(items).map((group) => {
    const first = group[0]!;
    const place: Place = {
      group,
      at,
      id: manner.sign(group.length > 1 ? joinTexts(group as Branch[]) : first),
      shape: areThere && !isBranch(first) ? null : manner.shape(first),
      isGhost: manner.isGhost(group),
      features: onceOnly(() => featuresOf(group)),
    };
    at += group.length;
    return place;
  });
}

const joinTexts = (texts: Branch[]): Branch => ({
  ...texts[0]!,
  pieces: texts.flatMap((text) => text.pieces),
});

const onceOnly = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
