/** A part of a text that stays, is removed or is added. */
export interface Part {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Texts with more differences are shown whole, since comparing them would take too long. */
const MOST_EDITS = 4_000;

/** Words, spaces and punctuation, in languages without spaces too. */
const tokensOf = (text: string): string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].map(({ segment }) => segment);

const whole = (before: string, after: string): Part[] =>
  [
    { kind: 'removed' as const, text: before },
    { kind: 'added' as const, text: after },
  ].filter(({ text }) => text !== '');

/** The differences of two texts by words. The code that finds them is loaded when it is first needed. */
export async function diffWords(before: string, after: string): Promise<Part[]> {
  if (before === '' || after === '') return whole(before, after);
  const { diffArrays } = await import('diff/lib/diff/array.js');
  const changes = diffArrays(tokensOf(before), tokensOf(after), { maxEditLength: MOST_EDITS });
  if (!changes) return whole(before, after);
  const parts = changes.map(
    ({ added, removed, value }): Part => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value.join(''),
    }),
  );
  return joinBrokenWords(parts);
}

/** Only spaces between two changes are no anchor for a reader, so they become a part of both. */
function joinBrokenWords(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  let removed = '';
  let added = '';
  const close = () => {
    joined.push(...whole(removed, added));
    removed = '';
    added = '';
  };
  for (const [at, { kind, text }] of parts.entries()) {
    const isBetween = kind === 'same' && /^[^\S\n]+$/.test(text) && parts[at + 1] !== undefined;
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else if (isBetween && removed !== '' && added !== '') {
      removed += text;
      added += text;
    } else {
      close();
      joined.push({ kind, text });
    }
  }
  close();
  return joined;
}
