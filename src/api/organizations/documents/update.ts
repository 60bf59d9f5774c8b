import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { decimalId } from '../../../lib/ids.ts';
import { batchResult } from '../../../shapes/batch.ts';
import { newDocuments } from '../../../shapes/document.ts';
import { organizationId } from '../../../shapes/id-fields.ts';
import { documentStates } from '../../../store/audit/states-before.ts';
import { updateDocuments } from '../../../store/documents/documents.ts';

export default write({
  path: ['/v2/organizations/documents/update', '/v1/organizations/documents/update'],
  auth: 'apiKey',
  summary: 'Update the names and metadata of documents.',
  description: 'Fields that are not sent keep their values.',
  data: z.object({ organizationId, documents: newDocuments }).meta({
    examples: [
      {
        organizationId: 'acme',
        documents: [{ documentId: 'website', documentName: 'Website of Acme', owner: 'Eve' }],
      },
    ],
  }),
  result: batchResult.describe('Keyed by documentId.'),
  message: 'Document(s) updated successfully.',
  audit: {
    action: 'document.access_changed',
    applies: ({ documents }) => documents.some(({ accessType }) => accessType !== undefined),
    before: ({ organizationId, documents }, { db, caller }) =>
      documentStates(
        db,
        caller,
        organizationId,
        documents.map(({ documentId }) => documentId),
      ),
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

  async handle({ organizationId, documents }, { tx, caller }) {
    const updated = await updateDocuments(tx, caller, organizationId, documents);
    return Object.fromEntries(
      documents.map(({ documentId }) => {
        const id = decimalId(caller.apiKeyId, organizationId, documentId);
        return [
          documentId,
          updated.has(documentId)
            ? { success: true, id, message: 'Updated Successfully' }
            : { success: false, id, message: 'Document does not exist', code: 'not-found' },
        ];
      }),
    );
  },
});
