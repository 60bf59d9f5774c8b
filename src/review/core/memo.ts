/** A function that makes each value once, by its key. */
export function createMemo(): <T>(key: string, make: () => T) => T {
  const made = new Map<string, unknown>();
  return <T>(key: string, make: () => T): T => {
    if (!made.has(key)) made.set(key, make());
    return made.get(key) as T;
  };
}
