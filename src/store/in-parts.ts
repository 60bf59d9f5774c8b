import { type RawBuilder, sql } from 'kysely';
import { json } from '../db/json.ts';

/** How many rows one statement changes, so that between two of them the process gets to do other things. */
const AT_ONCE = 1_000;

/** Changes rows by their ids, so many at a time; each time `change` gets some ids as a list for `in (…)`. */
export async function inParts(
  ids: string[],
  change: (part: RawBuilder<unknown>) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    await change(sql`select jsonb_array_elements_text(${json(ids.slice(from, from + AT_ONCE))})`);
  }
}
