import { alignToBoundaries, splitsPair, type TextChange } from './align-to-boundaries.ts';
import { compareByUnique, compareLists, type DiffBudget, type Stretch } from './compare-lists.ts';

/** One step along the old text, in code units. */
type Edit = { keep: number } | { drop: number } | { add: string };

const CHARACTERS = /./gsu;
const WORDS = /[\p{L}\p{N}\p{M}_]+|\s+|./gsu;
const LINES = /[^\n]*\n|[^\n]+/g;
/** Finest first; coarser ones are for texts that differ too much. */
const GRAINS = [CHARACTERS, WORDS, LINES];
/**
 * Texts that differ in more characters, or in a larger share of them, are compared by words: equal letters of different
 * words are no common text, finding them takes milliseconds for a paragraph, and each one that is kept cuts the text.
 */
const MOST_CHARACTERS = 24;
const MOST_OF_CHARACTERS = 1 / 3;

/**
 * Few, small changes that turn one text into another: by characters, and never splitting one; if many of them differ, by
 * words or lines, then by characters within them. The comparison itself is that of the `diff` package, within the budget
 * that all texts of a change share, which `diff` and `fast-diff` cannot bound by themselves.
 */
export function diffText(before: string, after: string, budget: DiffBudget): TextChange[] {
  const found = changesOf(findEdits(before, after, budget, GRAINS.length));
  const changes = alignToBoundaries(joinChanges(found, before), before);
  const [first, last] = [changes[0], changes.at(-1)];
  // Lone surrogates stand for embedded values, which must not be replaced.
  if (!first || !last || changes.length <= budget.places || !before.isWellFormed()) return changes;
  const end = last.at + last.drop;
  return [
    {
      at: first.at,
      drop: end - first.at,
      add: after.slice(first.at, after.length - (before.length - end)),
    },
  ];
}

function findEdits(before: string, after: string, budget: DiffBudget, grains: number): Edit[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const oldMiddle = before.slice(start, before.length - end);
  const newMiddle = after.slice(start, after.length - end);
  return [{ keep: start }, ...diffMiddle(oldMiddle, newMiddle, budget, grains), { keep: end }];
}

function diffMiddle(before: string, after: string, budget: DiffBudget, grains: number): Edit[] {
  const whole = [{ drop: before.length }, { add: after }];
  if (!before || !after) return whole;
  for (let grain = 0; grain < grains; grain++) {
    const edits = diffByGrain(before, after, budget, grain, compareLists);
    if (edits) return edits;
  }
  return (
    (grains === GRAINS.length && diffByGrain(before, after, budget, grains - 1, compareByUnique)) || whole
  );
}

function diffByGrain(
  before: string,
  after: string,
  budget: DiffBudget,
  grain: number,
  compare: (before: string[], after: string[], budget: DiffBudget, most?: number) => Stretch[] | undefined,
): Edit[] | undefined {
  const pattern = GRAINS[grain]!;
  const oldTokens = before.match(pattern) ?? [];
  const newTokens = after.match(pattern) ?? [];
  const most = Math.min(MOST_CHARACTERS, Math.ceil((before.length + after.length) * MOST_OF_CHARACTERS));
  const stretches = compare(oldTokens, newTokens, budget, grain === 0 ? most : undefined);
  if (!stretches) return undefined;
  const edits: Edit[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const stretch of stretches) {
    const gone = oldTokens.slice(oldAt, oldAt + stretch.before).join('');
    const added = newTokens.slice(newAt, newAt + stretch.after).join('');
    if (stretch.isSame) edits.push({ keep: gone.length });
    else for (const edit of findEdits(gone, added, budget, grain)) edits.push(edit);
    oldAt += stretch.before;
    newAt += stretch.after;
  }
  return edits;
}

/** Merges the deletions and insertions between two kept parts. */
function changesOf(edits: Edit[]): TextChange[] {
  const changes: TextChange[] = [];
  let at = 0;
  for (const edit of edits) {
    const last = changes.at(-1);
    if ('keep' in edit) at += edit.keep;
    else if (last && last.at + last.drop === at) {
      if ('drop' in edit) last.drop += edit.drop;
      else last.add += edit.add;
      at = last.at + last.drop;
    } else {
      const change = { at, drop: 0, add: '', ...edit };
      changes.push(change);
      at += change.drop;
    }
  }
  return changes.filter((change) => stepsOf(change) > 0);
}

/**
 * Joins changes that only a few equal characters separate: each additional cut of a text costs more.
 */
function joinChanges(changes: TextChange[], before: string): TextChange[] {
  const joined: TextChange[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    const between = last ? before.slice(last.at + last.drop, change.at) : '';
    if (last && isTooShort(between, stepsOf(last) + stepsOf(change))) {
      last.drop += between.length + change.drop;
      last.add += between + change.add;
    } else joined.push(change);
  }
  return joined;
}

const stepsOf = ({ drop, add }: TextChange) => (drop > 0 ? 1 : 0) + (add ? 1 : 0);

/**
 * Too short to be kept between two changes. Lone surrogates stand for embedded values, which must be kept.
 */
const isTooShort = (kept: string, steps: number) =>
  kept.length < (steps === 4 ? 4 : steps === 3 ? 2 : 0) && kept.isWellFormed();

function commonStart(before: string, after: string): number {
  const max = Math.min(before.length, after.length);
  let length = 0;
  while (length < max && before.charCodeAt(length) === after.charCodeAt(length)) length++;
  return splitsPair(before, length) || splitsPair(after, length) ? length - 1 : length;
}

function commonEnd(before: string, after: string, start: number): number {
  const max = Math.min(before.length, after.length) - start;
  let length = 0;
  while (
    length < max &&
    before.charCodeAt(before.length - 1 - length) === after.charCodeAt(after.length - 1 - length)
  ) {
    length++;
  }
  const splits = splitsPair(before, before.length - length) || splitsPair(after, after.length - length);
  return splits ? length - 1 : length;
}
