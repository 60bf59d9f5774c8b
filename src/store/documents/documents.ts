import { sql } from 'kysely';
import { json } from '../../db/json.ts';
import { prepared } from '../../db/prepared.ts';
import type { DocumentTables } from '../../db/tables/document-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import { notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { MAX_BATCH } from '../../shapes/batch.ts';
import type { AccessType, NewDocument } from '../../shapes/document.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { deleteGrants } from '../access/grants.ts';
import { deleteKnowledgeOf } from '../knowledge/delete-knowledge.ts';
import { deleteJudgmentsOf } from '../memory/judgments.ts';
import { holdOrMake } from '../platform/lock-or-create.ts';

/** Metadata must not hide the fields of the record itself. */
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

interface Item {
  documentId: string;
  name: string | null;
  accessType: AccessType | null;
  metadata: Record<string, unknown>;
}

/** Of one id sent twice, the later fields win. In the order of ids, so that two batches cannot lock crosswise. */
function itemsOf(documents: NewDocument[]): Item[] {
  const items = new Map<string, Item>();
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

const recordset = (items: Item[]) => sql`jsonb_to_recordset(${json(items)})
  as item("documentId" text, name text, "accessType" text, metadata jsonb)`;

/** Adds documents to an organization that exists, into a folder that is held; answers the ids of those that are new. */
export async function addDocuments(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  folderId: string | null,
  documents: NewDocument[],
): Promise<Set<string>> {
  const now = Date.now();
  const { rows } = await sql<{ documentId: string; name: string }>`
    insert into documents (api_key_id, organization_id, document_id, name, folder_id, access_type, disabled,
      metadata, next_annotation_number, created_at, updated_at)
    select ${scope.apiKeyId}, ${organizationId}, item."documentId", coalesce(item.name, item."documentId"),
      ${folderId}, item."accessType", false, item.metadata, 1, cast(${now} as bigint), cast(${now} as bigint)
    from ${recordset(itemsOf(documents))}
    on conflict do nothing
    returning document_id, name`.execute(tx);
  await emitAll(
    tx,
    scope,
    'document.add',
    rows.map(({ documentId, name }) => ({ organizationId, documentId, documentName: name })),
  );
  return new Set(rows.map((row) => row.documentId));
}

/** Gives documents other names or access types and adds to their metadata; answers the ids of those that exist. */
export async function updateDocuments(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  documents: NewDocument[],
): Promise<Set<string>> {
  const { rows } = await sql<DocumentState>`
    update documents set name = coalesce(item.name, documents.name),
      access_type = coalesce(item."accessType", documents.access_type),
      metadata = documents.metadata || item.metadata, updated_at = cast(${Date.now()} as bigint)
    from ${recordset(itemsOf(documents))}
    where documents.api_key_id = ${scope.apiKeyId} and documents.organization_id = ${organizationId}
      and documents.document_id = item."documentId"
    returning documents.document_id, documents.name, documents.disabled`.execute(tx);
  return await tellOfUpdates(tx, scope, organizationId, rows);
}

/** Sets the same for several documents; answers the ids of those that exist. */
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
  return await tellOfUpdates(tx, scope, organizationId, rows);
}

interface DocumentState {
  documentId: string;
  name: string;
  disabled: boolean;
}

async function tellOfUpdates(
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

/** What is known of a document that is held. */
export type HeldDocument = Pick<
  DocumentTables['documents'],
  'name' | 'folderId' | 'accessType' | 'disabled' | 'metadata'
>;

const selectHeldDocument = prepared(
  (db, key: { apiKeyId: string; organizationId: string; documentId: string }) =>
    db
      .selectFrom('documents')
      .select(['name', 'folderId', 'accessType', 'disabled', 'metadata'])
      .where('apiKeyId', '=', key.apiKeyId)
      .where('organizationId', '=', key.organizationId)
      .where('documentId', '=', key.documentId)
      .forKeyShare(),
);

/** The same as `holdDocument` for one that may be missing. */
export async function holdIfThere(
  tx: Tx,
  { apiKeyId }: Scope,
  document: DocumentRef,
): Promise<HeldDocument | undefined> {
  const [held] = await selectHeldDocument(tx, { apiKeyId, ...document });
  return held;
}

/**
 * Holds the document for what is about to be written on it: until the transaction ends it can neither go nor
 * get another id. Makes a missing one only where told to, in an organization that is held already.
 */
export async function holdDocument(
  tx: Tx,
  scope: Scope,
  { organizationId, documentId }: DocumentRef,
  { create }: { create: boolean },
): Promise<HeldDocument> {
  const make = async () => {
    const added = await addDocuments(tx, scope, organizationId, null, [{ documentId }]);
    return added.size === 1
      ? { name: documentId, folderId: null, accessType: null, disabled: false, metadata: {} }
      : undefined;
  };
  const held = await holdOrMake<HeldDocument>(
    () => holdIfThere(tx, scope, { organizationId, documentId }),
    create ? make : undefined,
  );
  if (!held) throw documentMissing();
  return held;
}

export const documentMissing = () => notFound('Document does not exist');

/** Deletes documents with all that is on them; answers the ids of those that existed. */
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

/** Deletes what named documents that are gone without referring to them, and tells that they went. */
export async function clearAfterDocuments(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  documentIds: string[],
): Promise<void> {
  for (let from = 0; from < documentIds.length; from += MAX_BATCH) {
    const part = documentIds.slice(from, from + MAX_BATCH);
    await deleteGrants(tx, scope, { organizationId, resourceType: 'document', resourceIds: part });
    await deleteJudgmentsOf(tx, scope, organizationId, part);
    await tx
      .deleteFrom('notificationSettings')
      .where('apiKeyId', '=', scope.apiKeyId)
      .where('organizationId', '=', organizationId)
      .where('documentId', 'in', part)
      .execute();
    await deleteKnowledgeOf(tx, scope, [organizationId], part);
    await emitAll(
      tx,
      scope,
      'document.delete',
      part.map((documentId) => ({ organizationId, documentId })),
    );
  }
}
