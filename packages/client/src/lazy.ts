/** Methods of what is loaded when the first of them is called. What is loaded already is called at once. */
export function lazy<T extends object>(load: () => T | Promise<T>, names: string): T {
  const methods = names.split(' ').map((name) => [
    name,
    async (...given: unknown[]) => {
      const loading = load();
      const loaded = loading instanceof Promise ? await loading : loading;
      return (loaded as Record<string, (...given: unknown[]) => unknown>)[name]!(...given);
    },
  ]);
  return Object.fromEntries(methods) as T;
}
