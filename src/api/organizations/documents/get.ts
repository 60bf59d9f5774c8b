import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { openCursor, pageOf, sealCursor } from '../../../lib/cursor.ts';
import { type Document, document, missingDocument } from '../../../shapes/document.ts';
import { documentId, folderId, organizationId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { loadReader } from '../../../store/access/visibility-sql.ts';
import { insideOf } from '../../../store/documents/folders.ts';
import { listDocuments } from '../../../store/documents/list-documents.ts';

export default read({
  path: ['/v2/organizations/documents/get', '/v1/organizations/documents/get'],
  auth: 'apiKeyOrUser',
  summary: 'List the documents of an organization, oldest first.',
  description:
    'A user gets the documents that they may read, without metadata; others are answered like documents that do not exist.',
  data: z
    .object({
      organizationId,
      documentIds: z
        .array(documentId)
        .min(1)
        .max(30)
        .optional()
        .describe('Returns only these documents, in this order.'),
      folderId: folderId
        .optional()
        .describe('Returns only documents directly in this folder; `root`: documents without a folder.'),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', documentIds: ['website'] }] }),
  result: z.array(z.union([document, missingDocument])),
  message: 'Document(s) retrieved successfully.',
  page: 'pageToken',

  async handle({ organizationId, documentIds, folderId, pageSize, pageToken }, { db, caller, keyring }) {
    const inside = folderId === undefined ? undefined : insideOf(folderId);
    const wanted = documentIds && [...new Set(documentIds)];
    const list = [
      ...['documents', caller.apiKeyId, organizationId, folderId ?? '', JSON.stringify(wanted ?? [])],
      ...(caller.user ? [caller.user.userId] : []),
    ];
    const reader = await loadReader(db, caller, organizationId);
    const shown = (record: Document): Document => (caller.user ? withoutMetadata(record) : record);
    if (wanted) {
      const [from = 0] = pageToken === undefined ? [] : openCursor(keyring, list, pageToken).map(Number);
      const asked = wanted.slice(from, from + pageSize);
      const rows = await listDocuments(db, caller, {
        organizationId,
        documentIds: asked,
        folderId: inside,
        reader,
        limit: asked.length,
      });
      const found = new Map(rows.map((row) => [row.documentId, shown(row.record)]));
      return {
        data: asked.map((id) => found.get(id) ?? missing(id)),
        next: from + pageSize < wanted.length ? sealCursor(keyring, list, [from + pageSize]) : undefined,
      };
    }
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      ({ after: position, limit }) => {
        const after = position && { createdAt: Number(position[0]), documentId: String(position[1]) };
        return listDocuments(db, caller, { organizationId, folderId: inside, reader, after, limit });
      },
      (row) => [row.createdAt, row.documentId],
    );
    return { data: rows.map((row) => shown(row.record)), next };
  },
});

const missing = (id: string) => ({
  id,
  success: false as const,
  message: 'Document does not exist' as const,
  code: 'not-found' as const,
});

/** Metadata are fields of the backend, which may be meant for itself alone. */
const withoutMetadata = ({ id, documentName, disabled, accessType, folderId }: Document): Document => ({
  id,
  documentName,
  disabled,
  accessType,
  ...(folderId !== undefined && { folderId }),
});
