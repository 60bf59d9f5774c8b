import { sql } from 'kysely';
import { json } from '../db/json.ts';
import { prepared } from '../db/prepared.ts';
import type { DocumentTables } from '../db/tables/documents.ts';
import type { Db, Tx } from '../db/tables.ts';
import { emitAll } from '../events/emit.ts';
import { notFound } from '../lib/errors.ts';
import type { Scope } from '../lib/scope.ts';
import type { AccessType, Document, NewDocument } from '../shapes/document.ts';

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

/** Adds documents to an organization that exists; answers the ids of those that are new. */
export async function addDocuments(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  folderId: string | undefined,
  documents: NewDocument[],
): Promise<Set<string>> {
  // In the order of their ids, so that two batches at once cannot wait for each other's rows crosswise.
  const items = documents
    .map(({ documentId, documentName, accessType, ...custom }) => ({
      documentId,
      name: documentName ?? documentId,
      accessType: accessType ?? null,
      metadata: Object.fromEntries(Object.entries(custom).filter(([key]) => !OWN_FIELDS.includes(key))),
    }))
    .sort((a, b) => (a.documentId < b.documentId ? -1 : 1));
  const now = Date.now();
  const { rows } = await sql<{ documentId: string; name: string }>`
    insert into documents (api_key_id, organization_id, document_id, name, folder_id, access_type, disabled,
      metadata, next_annotation_number, created_at, updated_at)
    select ${scope.apiKeyId}, ${organizationId}, item."documentId", item.name, ${folderId ?? null}, item."accessType",
      false, item.metadata, 1, cast(${now} as bigint), cast(${now} as bigint)
    from jsonb_to_recordset(${json(items)})
      as item("documentId" text, name text, "accessType" text, metadata jsonb)
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

export interface DocumentRef {
  organizationId: string;
  documentId: string;
}

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
  // Between two looks another transaction may add or delete it; each round sees a newer state.
  for (let round = 0; round < 5; round++) {
    const [held] = await selectHeldDocument(tx, { apiKeyId: scope.apiKeyId, organizationId, documentId });
    if (held) return held;
    if (!create) break;
    const added = await addDocuments(tx, scope, organizationId, undefined, [{ documentId }]);
    if (added.size === 1) {
      return { name: documentId, folderId: null, accessType: null, disabled: false, metadata: {} };
    }
  }
  throw documentMissing();
}

export const documentMissing = () => notFound('Document does not exist');

export interface DocumentPosition {
  createdAt: number;
  documentId: string;
}

interface DocumentFilter {
  organizationId: string;
  documentIds?: string[] | undefined;
  folderId?: string | undefined;
  after?: DocumentPosition | undefined;
  limit: number;
}

/** One page, the oldest first, strictly after the given position where there is one. */
export async function listDocuments(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentIds, folderId, after, limit }: DocumentFilter,
): Promise<(DocumentPosition & { record: Document })[]> {
  let query = db
    .selectFrom('documents')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('apiKeys')
        .select(sql<AccessType | null>`config ->> 'defaultDocumentAccessType'`.as('byDefault'))
        .where('apiKeys.apiKeyId', '=', apiKeyId)
        .as('defaultAccessType'),
    )
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId);
  if (documentIds) query = query.where('documentId', 'in', documentIds);
  if (folderId !== undefined) query = query.where('folderId', '=', folderId);
  if (after) {
    query = query.where(
      sql<boolean>`(created_at, document_id) > (cast(${after.createdAt} as bigint), ${after.documentId})`,
    );
  }
  const rows = await query.orderBy('createdAt').orderBy('documentId').limit(limit).execute();
  return rows.map((row) => ({
    createdAt: row.createdAt,
    documentId: row.documentId,
    record: {
      ...row.metadata,
      id: row.documentId,
      documentName: row.name,
      disabled: row.disabled,
      accessType: (row.accessType as AccessType | null) ?? row.defaultAccessType ?? 'public',
      ...(row.folderId !== null && { folderId: row.folderId }),
    },
  }));
}

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
  await emitAll(
    tx,
    scope,
    'document.delete',
    rows.map(({ documentId }) => ({ organizationId, documentId })),
  );
  return new Set(rows.map((row) => row.documentId));
}
