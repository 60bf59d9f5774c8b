import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { DocumentTables } from '../../db/tables/document-tables.ts';
import type { Tx } from '../../db/tables.ts';
import { emit, emitAll } from '../../events/emit.ts';
import { ApiError, invalidArgument } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { MAX_BATCH } from '../../shapes/batch.ts';
import { ROOT_FOLDER } from '../../shapes/folder.ts';
import { holdOrMake } from '../platform/lock-or-create.ts';
import { clearAfterDocuments } from './documents.ts';
import { lockStructure } from './organizations.ts';

export type FolderRow = DocumentTables['folders'];

export const folderMissing = () => new ApiError('NOT_FOUND', 'Folder not found.', { code: 'not-found' });

/** The folder that a `folderId` of the wire names as a place; null is the top. */
export const insideOf = (folderId: string): string | null => (folderId === ROOT_FOLDER ? null : folderId);

/** Holds the folder for what is about to be put into it; makes a missing one, at the top, where told to. */
export async function holdFolder(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  folderId: string,
  { create }: { create: boolean },
): Promise<void> {
  const { apiKeyId } = scope;
  const hold = () =>
    tx
      .selectFrom('folders')
      .select('folderId')
      .where('apiKeyId', '=', apiKeyId)
      .where('organizationId', '=', organizationId)
      .where('folderId', '=', folderId)
      .forKeyShare()
      .executeTakeFirst();
  const make = async () => {
    if (folderId === ROOT_FOLDER) throw invalidArgument('folderId must not be root, which is the top.');
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
    if (numInsertedOrUpdatedRows !== 1n) return undefined;
    await emit(tx, scope, 'folder.add', { organizationId, folderId, folderName: folderId });
    return { folderId };
  };
  if (!(await holdOrMake(hold, create ? make : undefined))) throw folderMissing();
}

/** Deletes a folder with all folders and documents in it, and what is on those. */
export async function deleteFolder(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  folderId: string,
): Promise<void> {
  const { apiKeyId } = scope;
  await lockStructure(tx, scope, organizationId);
  // Nothing can be put into folders that are held; what was put there until then shows in the next statement.
  const { rows: folders } = await sql<{ folderId: string }>`
    with recursive tree as (
      select folder_id from folders where api_key_id = ${apiKeyId} and organization_id = ${organizationId}
        and folder_id = ${folderId}
      union all
      select below.folder_id from tree join folders as below on below.api_key_id = ${apiKeyId}
        and below.organization_id = ${organizationId} and below.parent_id = tree.folder_id)
    select folder_id from folders where api_key_id = ${apiKeyId} and organization_id = ${organizationId}
      and folder_id in (select folder_id from tree) order by folder_id for update`.execute(tx);
  if (folders.length === 0) throw folderMissing();
  const ids = json(folders.map((row) => row.folderId));
  const { rows: documents } = await sql<{ documentId: string }>`
    delete from documents where api_key_id = ${apiKeyId} and organization_id = ${organizationId}
      and folder_id in (select jsonb_array_elements_text(${ids}))
    returning document_id`.execute(tx);
  await clearAfterDocuments(
    tx,
    scope,
    organizationId,
    documents.map((row) => row.documentId),
  );
  await sql`delete from grants where api_key_id = ${apiKeyId} and organization_id = ${organizationId}
    and resource_type = 'folder' and resource_id in (select jsonb_array_elements_text(${ids}))`.execute(tx);
  await tx
    .deleteFrom('folders')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('folderId', '=', folderId)
    .execute();
  for (let from = 0; from < folders.length; from += MAX_BATCH) {
    const part = folders.slice(from, from + MAX_BATCH);
    await emitAll(
      tx,
      scope,
      'folder.delete',
      part.map((row) => ({ organizationId, folderId: row.folderId })),
    );
  }
}
