import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { DocumentTables } from '../../db/tables/document-tables.ts';
import type { Tx } from '../../db/tables.ts';
import { emit, emitAll } from '../../events/emit.ts';
import { ApiError, invalidArgument } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { MAX_BATCH } from '../../shapes/batch.ts';
import { ROOT_FOLDER } from '../../shapes/folder.ts';
import { lockOrCreate } from '../platform/lock-or-create.ts';
import { clearAfterDocuments } from './documents.ts';
import { lockStructure } from './organizations.ts';

export type FolderRow = DocumentTables['folders'];

export const folderMissing = () => new ApiError('NOT_FOUND', 'Folder not found.', { code: 'not-found' });

/** The parent that a `folderId` of the wire names; null is the top. */
export const insideOf = (folderId: string): string | null => (folderId === ROOT_FOLDER ? null : folderId);

/** Locks the folder against deletion until the transaction ends. With `create`, a missing one is made at the top. */
export async function lockFolder(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  folderId: string,
  { create }: { create: boolean },
): Promise<void> {
  const { apiKeyId } = scope;
  const lock = () =>
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
  if (!(await lockOrCreate(lock, create ? make : undefined))) throw folderMissing();
}

const deletedRow = z.object({ folderId: z.string() });

/** Deletes a folder with all folders and documents in it. */
export async function deleteFolder(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  folderId: string,
): Promise<void> {
  const { apiKeyId } = scope;
  await lockStructure(tx, scope, organizationId);
  // The locks keep others from adding to these folders; the next statement sees all that was added before.
  const folders = await rowsOf(
    tx,
    deletedRow,
    sql`
    with recursive tree as (
      select folder_id from folders where api_key_id = ${apiKeyId} and organization_id = ${organizationId}
        and folder_id = ${folderId}
      union all
      select below.folder_id from tree join folders as below on below.api_key_id = ${apiKeyId}
        and below.organization_id = ${organizationId} and below.parent_id = tree.folder_id)
    select folder_id from folders where api_key_id = ${apiKeyId} and organization_id = ${organizationId}
      and folder_id in (select folder_id from tree) order by folder_id for update`,
  );
  if (folders.length === 0) throw folderMissing();
  // As one parameter: a tree may have more folders than a statement may have parameters.
  const ids = sql<string>`(select jsonb_array_elements_text(${json(folders.map((row) => row.folderId))}))`;
  const documents = await tx
    .deleteFrom('documents')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('folderId', 'in', ids)
    .returning('documentId')
    .execute();
  await clearAfterDocuments(
    tx,
    scope,
    organizationId,
    documents.map((row) => row.documentId),
  );
  await tx
    .deleteFrom('grants')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('resourceType', '=', 'folder')
    .where('resourceId', 'in', ids)
    .execute();
  await tx
    .deleteFrom('tokenContacts')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('resourceType', '=', 'folder')
    .where('resourceId', 'in', ids)
    .execute();
  await tx
    .deleteFrom('folders')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('folderId', '=', folderId)
    .execute();
  for (let from = 0; from < folders.length; from += MAX_BATCH) {
    const chunk = folders.slice(from, from + MAX_BATCH);
    await emitAll(
      tx,
      scope,
      'folder.delete',
      chunk.map((row) => ({ organizationId, folderId: row.folderId })),
    );
  }
}
