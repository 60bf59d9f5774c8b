/** `/pricing?plan=pro`, for lists of pages of one site. */
export function pathOf(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  return url.pathname + url.search;
}

export const hostOf = (address: string): string => URL.parse(address)?.host || address;

/** The words around a quote, with the spaces that belong between. */
export function wordsAround(
  targetText: string,
  { before, after }: { before: string; after: string },
  longest: number,
): [before: string, after: string] {
  const tail = before.length < longest ? before : before.slice(-longest).replace(/^\S*\s+/, '…');
  const head = after.length < longest ? after : after.slice(0, longest).replace(/\s+\S*$/, '…');
  // The service keeps the words without the spaces at their ends.
  const isApart = /[\p{L}\p{N}.,:;!?)\]}”’»…%]$/u.test(tail) && /^[\p{L}\p{N}([{“‘«$€#@]/u.test(targetText);
  const isFollowed = /[\p{L}\p{N}.,:;!?)\]}”’»%]$/u.test(targetText) && /^[\p{L}\p{N}([{“‘«$€#@]/u.test(head);
  return [isApart ? `${tail} ` : tail, isFollowed ? ` ${head}` : head];
}

/** `broken-link` as `Broken link`. */
export function labelOf(issueType: string): string {
  const words = issueType.replaceAll(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The texts, each once, those that occur most often first. */
export function byFrequency(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts.map((one) => one.trim())) {
    if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([text]) => text);
}
