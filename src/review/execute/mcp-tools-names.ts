const MAX_LENGTH = 64;

/**
 * What the model calls each tool: its own name where every provider takes it and no other server has it, and with the
 * server's in front where one does. In the order given.
 */
export function toolNames(tools: readonly { server: string; name: string }[]): string[] {
  const owners = new Map<string, Set<string>>();
  for (const { server, name } of tools) {
    const key = keyOf(validName(name));
    owners.set(key, (owners.get(key) ?? new Set()).add(server));
  }
  const taken = new Set<string>();
  return tools.map(({ server, name }) => {
    const plain = validName(name);
    const isShared = (owners.get(keyOf(plain))?.size ?? 0) > 1;
    const wanted = isShared ? validName(`${server}_${name}`) : plain;
    let free = wanted;
    for (let count = 2; taken.has(keyOf(free)); count++) {
      const suffix = `_${count}`;
      free = wanted.slice(0, MAX_LENGTH - suffix.length) + suffix;
    }
    taken.add(keyOf(free));
    return free;
  });
}

/**
 * Of letters, digits, `_` and `-`, and not beginning with a digit, which one provider refuses; nor what every object has
 * by itself, such as `constructor`.
 */
function validName(name: string): string {
  const letters = name.replace(/[^A-Za-z0-9_-]/g, '_');
  return (/^[A-Za-z_]/.test(letters) && !(letters in {}) ? letters : `_${letters}`).slice(0, MAX_LENGTH);
}

/** Names that differ in case alone are one to a reader. */
const keyOf = (name: string): string => name.toLowerCase();
