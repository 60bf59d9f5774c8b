import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { decimalId } from '../../../lib/ids.ts';
import { batchResult, MAX_BATCH } from '../../../shapes/batch.ts';
import { documentId, organizationId } from '../../../shapes/id-fields.ts';
import { documentStates } from '../../../store/audit/states-before.ts';
import { deleteDocuments } from '../../../store/documents/documents.ts';

export default write({
  path: ['/v2/organizations/documents/delete', '/v1/organizations/documents/delete'],
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Delete documents with everything on them: annotations, notifications and grants.',
  description:
    'The deletion is complete when the answer arrives, and cannot be undone. It includes live content with its snapshots, activities, judgments and knowledge of the documents. Repeating it is harmless. Raises `document.delete` for each document that existed.',
  data: z
    .object({ organizationId, documentIds: z.array(documentId).min(1).max(MAX_BATCH) })
    .meta({ examples: [{ organizationId: 'acme', documentIds: ['website'] }] }),
  result: batchResult.describe('Keyed by documentId. A document that does not exist counts as deleted.'),
  message: 'Document(s) deleted successfully.',
  audit: {
    action: 'document.deleted',
    before: ({ organizationId, documentIds }, { db, caller }) =>
      documentStates(db, caller, organizationId, documentIds),
    of: ({ organizationId, documentIds }, _items, _caller, before) =>
      [...new Set(documentIds)]
        .filter((id) => before.has(id))
        .map((id) => ({ id, organizationId, documentId: id })),
  },

  async handle({ organizationId, documentIds }, { tx, caller }) {
    const deleted = await deleteDocuments(tx, caller, organizationId, documentIds);
    return Object.fromEntries(
      documentIds.map((documentId) => [
        documentId,
        {
          success: true,
          id: decimalId(caller.apiKeyId, organizationId, documentId),
          message: deleted.has(documentId) ? 'Deleted Successfully' : 'Document does not exist',
        },
      ]),
    );
  },
});
