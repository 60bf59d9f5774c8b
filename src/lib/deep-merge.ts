import { type Fields, isObject } from './json.ts';

/**
 * Lays a change over a value: objects merge key by key, everything else, lists included, is replaced. The package
 * deepmerge joins lists by default.
 */
export function deepMerge(before: Fields, change: Fields): Fields {
  const merged = { ...before };
  for (const [key, value] of Object.entries(change)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    merged[key] = isObject(old) && isObject(value) ? deepMerge(old, value) : value;
  }
  return merged;
}
