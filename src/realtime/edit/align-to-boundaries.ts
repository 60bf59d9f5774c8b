/** From a place in the old text on, so many of its units go, and others come. */
export interface TextChange {
  at: number;
  drop: number;
  add: string;
}

/** How far around a better place is looked for. */
const REACH = 1_000;

/**
 * Moves what only goes or only comes to the beginning of a line or a word, where that makes the same text: where the
 * first line of "- one\n- two\n" goes, "- one\n" does, and not "one\n- ". Otherwise whoever has their cursor in the
 * "- " of the second line would lose it with the first.
 */
export function slideChanges(changes: TextChange[], before: string): TextChange[] {
  return changes.map((change, index) => {
    const { at, drop, add } = change;
    if (drop > 0 && add) return change;
    const previous = changes[index - 1];
    const start = Math.max(previous ? previous.at + previous.drop : 0, at - REACH);
    const end = Math.min(changes[index + 1]?.at ?? before.length, at + drop + REACH);
    const around = before.slice(start, at) + add + before.slice(at, end);
    const length = drop + add.length;
    const place = bestPlace(around, at - start, length, start === 0);
    return { at: start + place, drop, add: add && around.slice(place, place + length) };
  });
}

/** Where a part of a text may begin so that the text is the same without it. */
function bestPlace(text: string, at: number, length: number, isWhole: boolean): number {
  let best = { place: at, worth: worthOf(text, at, isWhole) };
  const consider = (place: number) => {
    const worth = worthOf(text, place, isWhole);
    const isSplit = splitsPair(text, place) || splitsPair(text, place + length);
    if (worth > best.worth && !isSplit) best = { place, worth };
  };
  for (let place = at - 1; place >= 0 && text[place] === text[place + length]; place--) consider(place);
  for (let place = at + 1; place + length <= text.length; place++) {
    if (text[place - 1] !== text[place - 1 + length]) break;
    consider(place);
  }
  return best.place;
}

function worthOf(text: string, place: number, isWhole: boolean): number {
  const previous = text[place - 1];
  if (previous === '\n' || (place === 0 && isWhole)) return 2;
  return previous !== undefined && /\s/.test(previous) ? 1 : 0;
}

/** Whether a place in a text is within a character of two units. */
export const splitsPair = (text: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1));
