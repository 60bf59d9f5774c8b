interface Named {
  label: string;
  /** Other words that find it. */
  words: string;
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const beginsWord = (text: string, typed: string): boolean => ` ${text}`.includes(` ${typed}`);

/** How well an entry fits what is typed: 0 is best; undefined does not fit. */
function rankOf({ label, words }: Named, typed: string): number | undefined {
  const name = plain(label);
  if (name.startsWith(typed)) return 0;
  if (beginsWord(name, typed)) return 1;
  if (name.includes(typed)) return 2;
  // Only from the beginning of a word: a person who types `age` does not look for `triage`.
  return beginsWord(plain(words), typed) ? 3 : undefined;
}

/** The entries that fit what is typed, those first whose name begins with it; otherwise in their order. */
export function orderFor<T extends Named>(entries: readonly T[], text: string): T[] {
  const typed = plain(text.trim());
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, typed) }))
    .filter((one): one is { entry: T; rank: number } => one.rank !== undefined)
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}
