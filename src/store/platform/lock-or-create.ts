const ROUNDS = 5;

/**
 * Holds a row for what is about to be written under it, or makes a missing one where `make` is given; undefined
 * where there is none in the end. `make` answers undefined where another transaction was quicker.
 */
export async function holdOrMake<Row>(
  hold: () => Promise<Row | undefined>,
  make: (() => Promise<Row | undefined>) | undefined,
): Promise<Row | undefined> {
  // Between two looks another transaction may add or delete it; each round sees a newer state.
  for (let round = 0; round < ROUNDS; round++) {
    const row = (await hold()) ?? (await make?.());
    if (row !== undefined || !make) return row;
  }
  return undefined;
}
