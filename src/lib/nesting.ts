/**
 * True if objects and lists of a JSON value are nested more deeply than so many levels. Values that are nested without
 * bound can be parsed, and not serialized again.
 */
export function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
