import type { Db, Tx } from '../../db/tables.ts';
import type { RunRef } from './execution-leases.ts';

/** Stores what a run's crawl shows about the words of the site. */
export async function saveSiteWords(tx: Tx, { apiKeyId, executionId }: RunRef, words: string): Promise<void> {
  await tx
    .insertInto('executionSiteWords')
    .values({ apiKeyId, executionId, words })
    .onConflict((conflict) => conflict.columns(['apiKeyId', 'executionId']).doUpdateSet({ words }))
    .execute();
}

/** The words that `saveSiteWords` stored; empty if the run collected none. */
export async function siteWordsOf(db: Db, { apiKeyId, executionId }: RunRef): Promise<string> {
  const row = await db
    .selectFrom('executionSiteWords')
    .select('words')
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .executeTakeFirst();
  return row?.words ?? '';
}
