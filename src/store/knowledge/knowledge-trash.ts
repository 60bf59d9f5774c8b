import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

type Key = Pick<Scope, 'apiKeyId'>;

/** Marks files without references for deletion at a moment in epoch milliseconds. */
export async function markForDeletion(
  db: Db,
  { apiKeyId }: Key,
  blobKeys: readonly string[],
  dueAt: number,
): Promise<void> {
  if (blobKeys.length === 0) return;
  await db
    .insertInto('knowledgeTrash')
    .values(blobKeys.map((blobKey) => ({ apiKeyId, blobKey, dueAt })))
    .onConflict((conflict) => conflict.columns(['apiKeyId', 'blobKey']).doUpdateSet({ dueAt }))
    .execute();
}

/** Removes the mark: the file is referred to, or was deleted. */
export async function unmarkForDeletion(db: Db, { apiKeyId }: Key, blobKey: string): Promise<void> {
  await db
    .deleteFrom('knowledgeTrash')
    .where('apiKeyId', '=', apiKeyId)
    .where('blobKey', '=', blobKey)
    .execute();
}

/** Marked files that are due. */
export const listTrash = (
  db: Db,
  now: number,
  limit: number,
): Promise<{ apiKeyId: string; blobKey: string }[]> =>
  db
    .selectFrom('knowledgeTrash')
    .select(['apiKeyId', 'blobKey'])
    .where('dueAt', '<=', now)
    .orderBy('apiKeyId')
    .limit(limit)
    .execute();
