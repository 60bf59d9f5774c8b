import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { json } from '../../db/sql-fragments.ts';
import type { DocumentTables } from '../../db/tables/document-tables.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AccessType, Document, DocumentFilter } from '../../shapes/document.ts';
import { type Reader, readableDocument } from '../access/visibility-sql.ts';

export interface DocumentPosition {
  createdAt: number;
  documentId: string;
}

interface DocumentListing {
  organizationId: string;
  documentIds?: string[] | undefined;
  /** Null lists documents in no folder. */
  folderId?: string | null | undefined;
  /** Only documents that this user may read. */
  reader?: Reader | undefined;
  after?: DocumentPosition | undefined;
  limit: number;
}

/** One keyset page, oldest first. */
export async function listDocuments(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentIds, folderId, reader, after, limit }: DocumentListing,
): Promise<(DocumentPosition & { record: Document })[]> {
  if (documentIds && folderId === undefined && after === undefined && !reader) {
    const named = await selectNamed(db, { apiKeyId, organizationId, documentIds });
    return named.map(listed);
  }
  let query = selectDocuments(db, apiKeyId, organizationId);
  if (documentIds) query = query.where('documentId', 'in', documentIds);
  if (folderId === null) query = query.where('folderId', 'is', null);
  else if (folderId !== undefined) query = query.where('folderId', '=', folderId);
  if (after) {
    const { createdAt, documentId } = after;
    query = query.where((eb) =>
      eb(eb.refTuple('createdAt', 'documentId'), '>', eb.tuple(createdAt, documentId)),
    );
  }
  // That a public document exists is only shown to people who know its id, or are granted it.
  if (reader) {
    const openToAll = documentIds !== undefined;
    query = query.where(readableDocument(reader, 'documents', { openToAll }));
  }
  // For `folder_id is null`, the planner uses the index only if the order names the column.
  if (folderId !== undefined) query = query.orderBy('folderId');
  const rows = await query.orderBy('createdAt').orderBy('documentId').limit(limit).execute();
  return rows.map(listed);
}

const selectDocuments = (db: Db, apiKeyId: string, organizationId: string) =>
  db
    .selectFrom('documents')
    .selectAll()
    .select(accessTypeIn(apiKeyId).as('effective'))
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId);

/** Prepared: looking up documents by their ids takes less time than planning it. */
const selectNamed = prepared((db, key: { apiKeyId: string; organizationId: string; documentIds: string[] }) =>
  selectDocuments(db, key.apiKeyId, key.organizationId).where(
    'documentId',
    '=',
    sql<string>`any(cast(${key.documentIds} as text[]))`,
  ),
);

const listed = (
  row: DocumentTables['documents'] & { effective: AccessType },
): DocumentPosition & { record: Document } => ({
  createdAt: row.createdAt,
  documentId: row.documentId,
  record: {
    ...row.metadata,
    id: row.documentId,
    documentName: row.name,
    disabled: row.disabled,
    accessType: row.effective,
    ...(row.folderId !== null && { folderId: row.folderId }),
  },
});

/** A document's own access type, otherwise its folder's, otherwise the API key's default. */
const accessTypeIn = (apiKeyId: string) =>
  sql<AccessType>`coalesce(documents.access_type,
    (select effective_access_type from folders where folders.api_key_id = documents.api_key_id
      and folders.organization_id = documents.organization_id and folders.folder_id = documents.folder_id),
    (select config ->> 'defaultDocumentAccessType' from api_keys where api_key_id = ${apiKeyId}), 'public')`;

/** Counts documents of an organization or one of its folders (null: in no folder) that match all filters. */
export async function countDocuments(
  db: Db,
  { apiKeyId }: Scope,
  {
    organizationId,
    folderId,
    filters,
  }: {
    organizationId: string;
    folderId?: string | null | undefined;
    filters: DocumentFilter[];
  },
): Promise<number> {
  let query = db
    .selectFrom('documents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId);
  if (folderId === null) query = query.where('folderId', 'is', null);
  else if (folderId !== undefined) query = query.where('folderId', '=', folderId);
  for (const filter of filters) query = query.where(matches(fieldOf(apiKeyId, filter.key), filter));
  return (await query.executeTakeFirstOrThrow()).count;
}

/** A field of the record or of the metadata, as jsonb. */
function fieldOf(apiKeyId: string, key: string): RawBuilder<unknown> {
  switch (key) {
    case 'id':
    case 'documentId':
      return sql`to_jsonb(documents.document_id)`;
    case 'documentName':
      return sql`to_jsonb(documents.name)`;
    case 'folderId':
      return sql`to_jsonb(documents.folder_id)`;
    case 'disabled':
      return sql`to_jsonb(documents.disabled)`;
    case 'accessType':
      return sql`to_jsonb(${accessTypeIn(apiKeyId)})`;
    default:
      return sql`(documents.metadata -> ${key})`;
  }
}

/** True if the field passes the filter; a missing field passes none. */
function matches(field: RawBuilder<unknown>, { operator, value }: DocumentFilter): RawBuilder<boolean> {
  const wanted = json(value);
  const elements = sql`select jsonb_array_elements(case jsonb_typeof(${field}) when 'array' then ${field}
    else '[]'::jsonb end)`;
  switch (operator) {
    case 'in':
      return sql`${field} in (select jsonb_array_elements(${wanted}))`;
    case 'not-in':
      return sql`${field} not in (select jsonb_array_elements(${wanted}))`;
    case 'array-contains':
      return sql`${wanted} in (${elements})`;
    case 'array-contains-any':
      return sql`exists (${elements} intersect select jsonb_array_elements(${wanted}))`;
    case '==':
      return sql`${field} = ${wanted}`;
    case '!=':
      return sql`${field} <> ${wanted}`;
    default:
      return sql`(jsonb_typeof(${field}) = jsonb_typeof(${wanted}) and ${field} ${sql.raw(operator)} ${wanted})`;
  }
}
