/**
 * Whether a value of JSON has more than so many objects and lists within one another. What is nested without end can be
 * read, but not written again.
 */
export function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
