/** Replaces `drop` code units of the old text at a position. */
export interface TextChange {
  at: number;
  drop: number;
  add: string;
}

/** Distance within which a better position is searched. */
const SEARCH_DISTANCE = 1_000;

/**
 * Moves pure deletions and insertions to the beginning of a line or word if the result is the same text: deleting the
 * first line of "- one\n- two\n" removes "- one\n" and not "one\n- ", which would also remove a cursor in the "- " of the
 * second line.
 */
export function alignToBoundaries(changes: TextChange[], before: string): TextChange[] {
  return changes.map((change, index) => {
    const { at, drop, add } = change;
    if (drop > 0 && add) return change;
    const previous = changes[index - 1];
    const start = Math.max(previous ? previous.at + previous.drop : 0, at - SEARCH_DISTANCE);
    const end = Math.min(changes[index + 1]?.at ?? before.length, at + drop + SEARCH_DISTANCE);
    const around = before.slice(start, at) + add + before.slice(at, end);
    const length = drop + add.length;
    const place = bestPlace(around, at - start, length, start === 0);
    return { at: start + place, drop, add: add && around.slice(place, place + length) };
  });
}

/** The best of the positions at which a part can be removed with the same result. */
function bestPlace(text: string, at: number, length: number, isWhole: boolean): number {
  let best = { place: at, rank: boundaryRank(text, at, isWhole) };
  const consider = (place: number) => {
    const rank = boundaryRank(text, place, isWhole);
    const isSplit = splitsPair(text, place) || splitsPair(text, place + length);
    if (rank > best.rank && !isSplit) best = { place, rank };
  };
  for (let place = at - 1; place >= 0 && text[place] === text[place + length]; place--) consider(place);
  for (let place = at + 1; place + length <= text.length; place++) {
    if (text[place - 1] !== text[place - 1 + length]) break;
    consider(place);
  }
  return best.place;
}

function boundaryRank(text: string, place: number, isWhole: boolean): number {
  const previous = text[place - 1];
  if (previous === '\n' || (place === 0 && isWhole)) return 2;
  return previous !== undefined && /\s/.test(previous) ? 1 : 0;
}

/** True if a position is inside a surrogate pair. */
export const splitsPair = (text: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1));
