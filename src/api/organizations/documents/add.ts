import { z } from 'zod';
import { inTransaction } from '../../../db/prepared.ts';
import { statement } from '../../../http/endpoint.ts';
import { decimalId } from '../../../lib/ids.ts';
import { batchResult, type ItemResult } from '../../../shapes/batch.ts';
import { newDocuments } from '../../../shapes/document.ts';
import { folderId, organizationId } from '../../../shapes/id-fields.ts';
import { type AddedDocument, documentAddition } from '../../../store/documents/add-documents.ts';
import { addDocuments } from '../../../store/documents/documents.ts';
import { insideOf, lockFolder } from '../../../store/documents/folders.ts';
import { lockOrganization, organizationMissing } from '../../../store/documents/organizations.ts';

export default statement({
  path: ['/v2/organizations/documents/add', '/v1/organizations/documents/add'],
  auth: 'apiKey',
  summary: 'Add documents to an organization.',
  description: 'Existing ones are not changed.',
  data: z
    .object({
      organizationId,
      documents: newDocuments,
      folderId: folderId.optional().describe('Folder of the documents. Defaults to none.'),
      createOrganization: z
        .boolean()
        .default(true)
        .describe('Creates the organization if it does not exist.'),
      createFolder: z.boolean().default(true).describe('Creates the folder if it does not exist.'),
    })
    .meta({
      examples: [
        { organizationId: 'acme', documents: [{ documentId: 'website', documentName: 'Our website' }] },
      ],
    }),
  result: batchResult.describe('Keyed by documentId.'),
  message: 'Document(s) added successfully.',
  failures: { NOT_FOUND: 'The organization or folder does not exist, and its creation was not requested.' },
  audit: {
    action: 'document.created',
    applies: ({ documents }) => documents.some(({ accessType }) => accessType !== undefined),
    of: ({ organizationId, documents }, items) =>
      documents
        .filter(({ documentId, accessType }) => accessType !== undefined && items[documentId]?.success)
        .map(({ documentId, accessType }) => ({
          id: documentId,
          organizationId,
          documentId,
          after: { accessType },
        })),
  },

  async handle({ organizationId, documents, folderId, createOrganization, createFolder }, { caller }) {
    const inside = folderId === undefined ? null : insideOf(folderId);
    const addition =
      inside === null
        ? documentAddition(caller, organizationId, documents, { create: createOrganization })
        : inTransaction<AddedDocument>(async (tx) => {
            await lockOrganization(tx, caller, organizationId, { create: createOrganization });
            await lockFolder(tx, caller, organizationId, inside, { create: createFolder });
            const added = await addDocuments(tx, caller, organizationId, inside, documents);
            return [...added].map((documentId) => ({ hasOrganization: true, documentId }));
          });
    const result = (rows: AddedDocument[]) => {
      if (rows[0]?.hasOrganization === false) throw organizationMissing();
      const added = new Set(rows.map((row) => row.documentId));
      const items = new Map<string, ItemResult>();
      for (const { documentId } of documents) {
        if (items.has(documentId)) continue;
        const id = decimalId(caller.apiKeyId, organizationId, documentId);
        items.set(
          documentId,
          added.has(documentId)
            ? { success: true, id, message: 'Added Successfully' }
            : { success: false, id, message: 'Document already exists', code: 'already-exists' },
        );
      }
      return Object.fromEntries(items);
    };
    return { statement: addition, result };
  },
});
