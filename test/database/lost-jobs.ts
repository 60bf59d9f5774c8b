import { sql } from 'kysely';
import type { Db } from '../../src/db/tables.ts';

/** Deletes the jobs with a singleton key from the queue, as if they had been lost. */
export async function loseJobs(db: Db, singletonKey: string): Promise<void> {
  await sql`delete from jobs.job where singleton_key = ${singletonKey}`.execute(db);
}
