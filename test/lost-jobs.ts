import { sql } from 'kysely';
import type { Db } from '../src/db/tables.ts';

/** Takes the jobs of a thing out of the queue, as if they had been lost. */
export async function loseJobs(db: Db, thing: string): Promise<void> {
  await sql`delete from jobs.job where singleton_key = ${thing}`.execute(db);
}
