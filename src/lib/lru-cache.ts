import { LRUCache } from 'lru-cache';

/**
 * A cache of the most recently used entries. Its memory grows with its entries; the option `max` allocates a megabyte for
 * 50,000 entries at once.
 */
export const createLruCache = <Value extends object | number>(entries: number): LRUCache<string, Value> =>
  new LRUCache({ maxSize: entries, sizeCalculation: () => 1 });
