/**
 * True if a JSON value is nested more deeply than `depth` levels. A very deep value can be parsed, but not serialized
 * again.
 */
export function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
