import { json } from '../db/json.ts';
import type { DocumentTables } from '../db/tables/documents.ts';
import type { Tx } from '../db/tables.ts';
import { emit } from '../events/emit.ts';
import { notFound } from '../lib/errors.ts';
import type { Scope } from '../lib/scope.ts';

export type FolderRow = DocumentTables['folders'];

export const folderMissing = () => notFound('Folder not found.');

/** Holds the folder for what is about to be put into it; makes a missing one, at the top, where told to. */
export async function holdFolder(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  folderId: string,
  { create }: { create: boolean },
): Promise<void> {
  const { apiKeyId } = scope;
  // Between two looks another transaction may add or delete it; each round sees a newer state.
  for (let round = 0; round < 5; round++) {
    const held = await tx
      .selectFrom('folders')
      .select('folderId')
      .where('apiKeyId', '=', apiKeyId)
      .where('organizationId', '=', organizationId)
      .where('folderId', '=', folderId)
      .forKeyShare()
      .executeTakeFirst();
    if (held) return;
    if (!create) break;
    const now = Date.now();
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('folders')
      .values({
        apiKeyId,
        organizationId,
        folderId,
        name: folderId,
        parentId: null,
        ancestors: [],
        accessType: null,
        effectiveAccessType: null,
        metadata: json({}),
        createdAt: now,
        updatedAt: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) {
      await emit(tx, scope, 'folder.add', { organizationId, folderId, folderName: folderId });
      return;
    }
  }
  throw folderMissing();
}
