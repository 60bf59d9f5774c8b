const CHUNK_SIZE = 1_000;

/** Runs a statement for chunks of a list of ids, one after the other. */
export async function inChunks(ids: string[], change: (chunk: string[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < ids.length; from += CHUNK_SIZE) {
    await change(ids.slice(from, from + CHUNK_SIZE));
  }
}
