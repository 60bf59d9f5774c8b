/** `/pricing?plan=pro`, for lists of pages of one site. */
export function pathOf(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  return url.pathname + url.search;
}

export const hostOf = (address: string): string => URL.parse(address)?.host || address;

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
