import { sql } from 'kysely';
import { z } from 'zod';
import { prepared } from '../../db/prepared.ts';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { DocumentTables } from '../../db/tables/document-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import { notFound } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { MAX_BATCH } from '../../shapes/batch.ts';
import type { AccessType, NewDocument } from '../../shapes/document.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { deleteGrants } from '../access/grants.ts';
import { releaseOnDocuments } from '../attachments/release-attachments.ts';
import { deleteKnowledgeOf } from '../knowledge/delete-knowledge.ts';
import { deleteJudgmentsOf } from '../memory/judgments.ts';
import { lockOrCreate } from '../platform/lock-or-create.ts';

/** Fields of the record itself, which metadata must not hide. */
const OWN_FIELDS = [
  'id',
  'documentId',
  'documentName',
  'organizationId',
  'disabled',
  'accessType',
  'folderId',
  'apiKey',
];

interface DocumentItem {
  documentId: string;
  name: string | null;
  accessType: AccessType | null;
  metadata: Fields;
}

/** Merges the fields of documents that were sent twice; the later ones win. Sorted by id, against deadlocks. */
export function itemsOf(documents: NewDocument[]): DocumentItem[] {
  const items = new Map<string, DocumentItem>();
  for (const { documentId, documentName, accessType, ...custom } of documents) {
    const earlier = items.get(documentId);
    const metadata = Object.fromEntries(Object.entries(custom).filter(([key]) => !OWN_FIELDS.includes(key)));
    items.set(documentId, {
      documentId,
      name: documentName ?? earlier?.name ?? null,
      accessType: accessType ?? earlier?.accessType ?? null,
      metadata: { ...earlier?.metadata, ...metadata },
    });
  }
  return [...items.values()].sort((a, b) => (a.documentId < b.documentId ? -1 : 1));
}

const recordset = (items: DocumentItem[]) => sql`jsonb_to_recordset(${json(items)})
  as item("documentId" text, name text, "accessType" text, metadata jsonb)`;

const addedRow = z.object({ documentId: z.string(), name: z.string() });

/** Adds documents to an existing organization, into a locked folder. Returns the ids of the new ones. */
export async function addDocuments(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  folderId: string | null,
  documents: NewDocument[],
): Promise<Set<string>> {
  const now = Date.now();
  const rows = await rowsOf(
    tx,
    addedRow,
    sql`
    insert into documents (api_key_id, organization_id, document_id, name, folder_id, access_type, disabled,
      metadata, next_annotation_number, created_at, updated_at)
    select ${scope.apiKeyId}, ${organizationId}, item."documentId", coalesce(item.name, item."documentId"),
      ${folderId}, item."accessType", false, item.metadata, 1, cast(${now} as bigint), cast(${now} as bigint)
    from ${recordset(itemsOf(documents))}
    on conflict do nothing
    returning document_id, name`,
  );
  await emitAll(
    tx,
    scope,
    'document.add',
    rows.map(({ documentId, name }) => ({ organizationId, documentId, documentName: name })),
  );
  return new Set(rows.map((row) => row.documentId));
}

const updatedRow = z.object({ documentId: z.string(), name: z.string(), disabled: z.boolean() });

/** Changes names and access types of documents and adds to their metadata. Returns the ids of those that exist. */
export async function updateDocuments(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  documents: NewDocument[],
): Promise<Set<string>> {
  const rows = await rowsOf(
    tx,
    updatedRow,
    sql`
    update documents set name = coalesce(item.name, documents.name),
      access_type = coalesce(item."accessType", documents.access_type),
      metadata = documents.metadata || item.metadata, updated_at = cast(${Date.now()} as bigint)
    from ${recordset(itemsOf(documents))}
    where documents.api_key_id = ${scope.apiKeyId} and documents.organization_id = ${organizationId}
      and documents.document_id = item."documentId"
    returning documents.document_id, documents.name, documents.disabled`,
  );
  return await emitUpdates(tx, scope, organizationId, rows);
}

/** Sets the same value on several documents. Returns the ids of those that exist. */
export async function setOnDocuments(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  documentIds: string[],
  values: { accessType: AccessType | null } | { disabled: boolean } | { folderId: string | null },
): Promise<Set<string>> {
  const rows = await tx
    .updateTable('documents')
    .set({ ...values, updatedAt: Date.now() })
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', 'in', documentIds)
    .returning(['documentId', 'name', 'disabled'])
    .execute();
  return await emitUpdates(tx, scope, organizationId, rows);
}

interface DocumentState {
  documentId: string;
  name: string;
  disabled: boolean;
}

async function emitUpdates(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  rows: DocumentState[],
): Promise<Set<string>> {
  await emitAll(
    tx,
    scope,
    'document.update',
    rows.map(({ documentId, name, disabled }) => ({
      organizationId,
      documentId,
      documentName: name,
      disabled,
    })),
  );
  return new Set(rows.map((row) => row.documentId));
}

export const documentExists = async (
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
): Promise<boolean> =>
  (await db
    .selectFrom('documents')
    .select('documentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .executeTakeFirst()) !== undefined;

/** The fields that `lockDocument` returns. */
export type LockedDocument = Pick<
  DocumentTables['documents'],
  'name' | 'folderId' | 'accessType' | 'disabled' | 'metadata'
>;

const selectForLock = prepared((db, key: { apiKeyId: string; organizationId: string; documentId: string }) =>
  db
    .selectFrom('documents')
    .select(['name', 'folderId', 'accessType', 'disabled', 'metadata'])
    .where('apiKeyId', '=', key.apiKeyId)
    .where('organizationId', '=', key.organizationId)
    .where('documentId', '=', key.documentId)
    .forKeyShare(),
);

/** Does the same as `lockDocument`, but returns undefined if the document does not exist. */
export async function lockDocumentIfExists(
  tx: Tx,
  { apiKeyId }: Scope,
  document: DocumentRef,
): Promise<LockedDocument | undefined> {
  const [locked] = await selectForLock(tx, { apiKeyId, ...document });
  return locked;
}

/**
 * Locks the document against deletion and a change of its id until the transaction ends, for writes on it. With
 * `create`, a missing one is added; its organization must be locked already. Otherwise throws NOT_FOUND.
 */
export async function lockDocument(
  tx: Tx,
  scope: Scope,
  { organizationId, documentId }: DocumentRef,
  { create }: { create: boolean },
): Promise<LockedDocument> {
  const make = async () => {
    const added = await addDocuments(tx, scope, organizationId, null, [{ documentId }]);
    return added.size === 1
      ? { name: documentId, folderId: null, accessType: null, disabled: false, metadata: {} }
      : undefined;
  };
  const locked = await lockOrCreate<LockedDocument>(
    () => lockDocumentIfExists(tx, scope, { organizationId, documentId }),
    create ? make : undefined,
  );
  if (!locked) throw documentMissing();
  return locked;
}

export const documentMissing = () => notFound('Document does not exist');

/** Deletes documents with all their contents. Returns the ids of those that existed. */
export async function deleteDocuments(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  documentIds: string[],
): Promise<Set<string>> {
  const rows = await tx
    .deleteFrom('documents')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', 'in', documentIds)
    .returning('documentId')
    .execute();
  const deleted = rows.map((row) => row.documentId);
  await clearAfterDocuments(tx, scope, organizationId, deleted);
  return new Set(deleted);
}

/** Deletes or releases rows that name deleted documents without a foreign key, and emits the events of the deletion. */
export async function clearAfterDocuments(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  documentIds: string[],
): Promise<void> {
  for (let from = 0; from < documentIds.length; from += MAX_BATCH) {
    const chunk = documentIds.slice(from, from + MAX_BATCH);
    await deleteGrants(tx, scope, { organizationId, resourceType: 'document', resourceIds: chunk });
    await deleteJudgmentsOf(tx, scope, organizationId, chunk);
    await tx
      .deleteFrom('notificationSettings')
      .where('apiKeyId', '=', scope.apiKeyId)
      .where('organizationId', '=', organizationId)
      .where('documentId', 'in', chunk)
      .execute();
    await releaseOnDocuments(tx, scope, [organizationId], chunk);
    await deleteKnowledgeOf(tx, scope, [organizationId], chunk);
    await emitAll(
      tx,
      scope,
      'document.delete',
      chunk.map((documentId) => ({ organizationId, documentId })),
    );
  }
}
