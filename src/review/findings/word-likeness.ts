const MAX_CHARS = 600;

/** A text as it is compared: its words, and how often each stands in it. */
export type Bag = ReadonlyMap<string, number>;

export function bagOf(text: string): Bag {
  const bag = new Map<string, number>();
  for (const [word] of text
    .slice(0, MAX_CHARS)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    bag.set(word, (bag.get(word) ?? 0) + 1);
  }
  return bag;
}

/** How alike two texts are, from 0 to 1 (Dice's coefficient of their words); two empty ones are not alike. */
export function likeness(one: Bag, other: Bag): number {
  let total = 0;
  let shared = 0;
  for (const [word, count] of one) {
    total += count;
    shared += Math.min(count, other.get(word) ?? 0);
  }
  for (const count of other.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}
