/** Lengths at which the words next to a place are compared, with what full agreement over that length is worth. */
const NEAR = [
  { chars: 16, worth: 0.75 },
  { chars: 32, worth: 0.9 },
];

let previous = new Uint16Array(512);
let current = new Uint16Array(512);

/** For each length of the beginning of `one`, the fewest edits to the beginning of `other` that is most like it. */
function editsOfBeginnings(one: string, other: string): number[] {
  const columns = other.length + 1;
  if (previous.length < columns) {
    previous = new Uint16Array(2 * columns);
    current = new Uint16Array(2 * columns);
  }
  for (let column = 0; column < columns; column++) previous[column] = column;
  const fewest = [0];
  for (let row = 1; row <= one.length; row++) {
    current[0] = row;
    let least = row;
    const letter = one.charCodeAt(row - 1);
    for (let column = 1; column < columns; column++) {
      const change = previous[column - 1]! + (letter === other.charCodeAt(column - 1) ? 0 : 1);
      const edits = Math.min(previous[column]! + 1, current[column - 1]! + 1, change);
      current[column] = edits;
      if (edits < least) least = edits;
    }
    fewest.push(least);
    [previous, current] = [current, previous];
  }
  return fewest;
}

/** From 0 to 1, by the share of characters that differ. */
export function likenessOf(one: string, other: string): number {
  if (one === other) return 1;
  const longest = Math.max(one.length, other.length);
  const difference = Math.abs(one.length - other.length);
  if (longest === 0 || difference / longest > 0.6) return 0;
  editsOfBeginnings(one, other);
  return 1 - previous[other.length]! / longest;
}

/**
 * How much the words after a place are like those that were kept, from 0 to 1. What is nearer counts more, since a
 * neighboring paragraph may be another one by now.
 */
export function likenessAfter(kept: string, now: string): number {
  const wanted = kept.trimStart();
  if (wanted === '') return now.trim() === '' ? 1 : 0;
  const fewest = editsOfBeginnings(wanted, now.trimStart().slice(0, Math.ceil(wanted.length * 1.2)));
  const at = (chars: number) => 1 - fewest[chars]! / chars;
  const near = NEAR.filter(({ chars }) => chars < wanted.length).map(({ chars, worth }) => worth * at(chars));
  return Math.max(0, at(wanted.length), ...near);
}

const reversed = (text: string): string => text.split('').reverse().join('');

/** Like `likenessAfter`, for the words before a place. */
export const likenessBefore = (kept: string, now: string): number =>
  likenessAfter(reversed(kept), reversed(now));
