import { z } from 'zod';
import { succeeded } from '../../../../../http/audit-targets.ts';
import { write } from '../../../../../http/endpoint.ts';
import { MAX_BATCH } from '../../../../../shapes/batch.ts';
import { documentDisabledResult } from '../../../../../shapes/document.ts';
import { documentId, organizationId } from '../../../../../shapes/id-fields.ts';
import { setOnDocuments } from '../../../../../store/documents/documents.ts';

export default write({
  path: [
    '/v2/organizations/documents/access/disablestate/update',
    '/v1/organizations/documents/access/disablestate/update',
  ],
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Disable documents for their users, or enable them again.',
  description: 'A disabled document keeps its data, and API keys can still use it.',
  data: z
    .object({
      organizationId,
      documentIds: z.array(documentId).min(1).max(MAX_BATCH),
      disabled: z.boolean(),
    })
    .meta({ examples: [{ organizationId: 'acme', documentIds: ['website'], disabled: true }] }),
  result: documentDisabledResult.describe('Keyed by documentId.'),
  message: 'Updated disable state for documents successfully.',
  audit: {
    action: 'document.disabled',
    of: ({ organizationId, disabled }, items) =>
      succeeded(items).map((id) => ({
        action: disabled ? 'document.disabled' : 'document.enabled',
        id,
        organizationId,
        documentId: id,
      })),
  },

  async handle({ organizationId, documentIds, disabled }, { tx, caller }) {
    const updated = await setOnDocuments(tx, caller, organizationId, documentIds, { disabled });
    return Object.fromEntries(
      documentIds.map((id) => [
        id,
        updated.has(id)
          ? { success: true, disabled, message: 'Document disabled state updated.' }
          : { success: false, disabled, message: 'Document does not exist', code: 'not-found' },
      ]),
    );
  },
});
