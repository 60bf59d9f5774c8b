import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { decimalId } from '../../../lib/ids.ts';
import { batchResult, type ItemResult } from '../../../shapes/batch.ts';
import { newDocuments } from '../../../shapes/document.ts';
import { folderId, organizationId } from '../../../shapes/id-fields.ts';
import { addDocuments } from '../../../store/documents/documents.ts';
import { insideOf, lockFolder } from '../../../store/documents/folders.ts';
import { lockOrganization } from '../../../store/documents/organizations.ts';

export default write({
  path: ['/v2/organizations/documents/add', '/v1/organizations/documents/add'],
  auth: 'apiKey',
  summary: 'Add documents to an organization; those that exist stay as they are.',
  data: z
    .object({
      organizationId,
      documents: newDocuments,
      folderId: folderId.optional().describe('The folder to put them into; by default none.'),
      createOrganization: z
        .boolean()
        .default(true)
        .describe('Whether to make the organization where it is missing.'),
      createFolder: z.boolean().default(true).describe('Whether to make the folder where it is missing.'),
    })
    .meta({
      examples: [
        { organizationId: 'acme', documents: [{ documentId: 'website', documentName: 'Our website' }] },
      ],
    }),
  result: batchResult.describe('By documentId.'),
  message: 'Document(s) added successfully.',
  failures: { NOT_FOUND: 'There is no such organization or folder, and it is not to be made.' },

  async handle({ organizationId, documents, folderId, createOrganization, createFolder }, { tx, caller }) {
    await lockOrganization(tx, caller, organizationId, { create: createOrganization });
    const inside = folderId === undefined ? null : insideOf(folderId);
    if (inside !== null) await lockFolder(tx, caller, organizationId, inside, { create: createFolder });
    const added = await addDocuments(tx, caller, organizationId, inside, documents);
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
  },
});
