import { type Fields, isObject } from './json.ts';

/**
 * Merges a change into a value: objects are merged by key; everything else, including lists, is replaced. The package
 * deepmerge concatenates lists by default.
 */
export function deepMerge(before: Fields, change: Fields): Fields {
  const merged = { ...before };
  for (const [key, value] of Object.entries(change)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    merged[key] = isObject(old) && isObject(value) ? deepMerge(old, value) : value;
  }
  return merged;
}
