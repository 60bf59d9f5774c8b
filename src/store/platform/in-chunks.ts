const AT_ONCE = 1_000;

/** Does something for many ids, so many in one statement. */
export async function inParts(ids: string[], change: (part: string[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    await change(ids.slice(from, from + AT_ONCE));
  }
}
