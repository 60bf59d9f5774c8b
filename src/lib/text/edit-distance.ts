/**
 * Damerau–Levenshtein distance of two texts. Packages such as fastest-levenshtein count a swap of neighbors, the most
 * common typo, as two changes.
 */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwap && row > 1 && column > 1 ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length]!;
}

/** The nearest of some texts with its distance; undefined if none is within its allowed distance. */
export function nearestTo(
  text: string,
  texts: readonly string[],
  maxDistanceOf: (candidate: string) => number,
): { text: string; distance: number } | undefined {
  return texts
    .filter((candidate) => Math.abs(candidate.length - text.length) <= maxDistanceOf(candidate))
    .map((candidate) => ({ text: candidate, distance: editDistance(text, candidate) }))
    .filter(({ text: candidate, distance }) => distance <= maxDistanceOf(candidate))
    .sort((a, b) => a.distance - b.distance)[0];
}
