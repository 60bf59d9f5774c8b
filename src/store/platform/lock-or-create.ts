const MAX_ROUNDS = 5;

/**
 * Locks a parent row, or creates it if `create` is given. Returns undefined if the row does not exist and was not
 * created. `create` returns undefined if a concurrent transaction inserted the row first.
 */
export async function lockOrCreate<Row>(
  lock: () => Promise<Row | undefined>,
  create: (() => Promise<Row | undefined>) | undefined,
): Promise<Row | undefined> {
  // Another transaction may insert or delete the row in between; each round sees a newer state.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const row = (await lock()) ?? (await create?.());
    if (row !== undefined || !create) return row;
  }
  return undefined;
}
