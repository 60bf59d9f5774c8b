/** A count with its noun: `1 page`, `2 pages`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
