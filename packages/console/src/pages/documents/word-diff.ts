export interface DiffPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Longer texts are shown as removed and added as a whole: the comparison would take too long. */
const MOST_WORDS = 2_000;

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];

/** What one text becomes in the other, word by word. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  if (old.length > MOST_WORDS || fresh.length > MOST_WORDS)
    return joined([
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]);
  const shared = longestShared(old, fresh);
  const parts: DiffPart[] = [];
  let [at, to] = [0, 0];
  const take = (untilOld: number, untilFresh: number): void => {
    parts.push({ kind: 'removed', text: old.slice(at, untilOld).join('') });
    parts.push({ kind: 'added', text: fresh.slice(to, untilFresh).join('') });
  };
  for (const [inOld, inFresh] of shared) {
    take(inOld, inFresh);
    parts.push({ kind: 'same', text: old[inOld]! });
    [at, to] = [inOld + 1, inFresh + 1];
  }
  take(old.length, fresh.length);
  return joined(parts);
}

/** Positions of the longest common subsequence, in both lists. */
function longestShared(old: readonly string[], fresh: readonly string[]): [number, number][] {
  const width = fresh.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === fresh[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const shared: [number, number][] = [];
  for (let i = 0, j = 0; i < old.length && j < fresh.length; ) {
    if (old[i] === fresh[j]) shared.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return shared;
}

/** Neighbors of one kind become one part; white space between changes belongs to them, so that phrases stay whole. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const found: DiffPart[] = [];
  let removed = '';
  let added = '';
  const flush = (): void => {
    if (removed !== '') found.push({ kind: 'removed', text: removed });
    if (added !== '') found.push({ kind: 'added', text: added });
    removed = added = '';
  };
  parts.forEach(({ kind, text }, index) => {
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else if (/^\s+$/.test(text) && (removed !== '' || added !== '') && changesAfter(parts, index)) {
      removed += text;
      added += text;
    } else {
      flush();
      const last = found.at(-1);
      if (last?.kind === 'same') last.text += text;
      else found.push({ kind: 'same', text });
    }
  });
  flush();
  return found;
}

/** True if the next part with text is a change. */
function changesAfter(parts: readonly DiffPart[], index: number): boolean {
  const next = parts.slice(index + 1).find(({ text }) => text !== '');
  return next !== undefined && next.kind !== 'same';
}
