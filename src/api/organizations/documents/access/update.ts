import { z } from 'zod';
import { succeeded } from '../../../../http/audit-targets.ts';
import { write } from '../../../../http/endpoint.ts';
import { MAX_BATCH } from '../../../../shapes/batch.ts';
import { accessType, documentAccessResult } from '../../../../shapes/document.ts';
import { documentId, organizationId } from '../../../../shapes/id-fields.ts';
import { documentStates } from '../../../../store/audit/states-before.ts';
import { setOnDocuments } from '../../../../store/documents/documents.ts';

export default write({
  path: ['/v1/organizations/documents/access/update', '/v2/organizations/documents/access/update'],
  auth: 'apiKey',
  summary: 'Set the access type of documents.',
  description:
    'A `restricted` document opens only with a grant on it or on a folder around it, except to admins of the organization; a `public` one may be edited by every user of the API key for whom no grant on it, its folders or its organization says otherwise. Documents that do not exist are reported, and all others are changed. Raises `document.update` for each changed document.',
  data: z
    .object({
      organizationId,
      documentIds: z.array(documentId).min(1).max(MAX_BATCH),
      accessType: accessType
        .optional()
        .describe(
          "If absent, the documents inherit the access type of their folder, then the API key's default.",
        ),
    })
    .meta({
      examples: [{ organizationId: 'acme', documentIds: ['website'], accessType: 'organizationPrivate' }],
    }),
  result: documentAccessResult.describe('Keyed by documentId.'),
  message: 'Updated access for documents successfully.',
  audit: {
    action: 'document.access_changed',
    before: ({ organizationId, documentIds }, { db, caller }) =>
      documentStates(db, caller, organizationId, documentIds),
    of: ({ organizationId, accessType = null }, items) =>
      succeeded(items).map((id) => ({ id, organizationId, documentId: id, after: { accessType } })),
  },

  async handle({ organizationId, documentIds, accessType = null }, { tx, caller }) {
    const updated = await setOnDocuments(tx, caller, organizationId, documentIds, { accessType });
    return Object.fromEntries(
      documentIds.map((id) => [
        id,
        updated.has(id)
          ? { success: true, accessType, message: 'Document access type updated.' }
          : { success: false, accessType: null, message: 'Document does not exist', code: 'not-found' },
      ]),
    );
  },
});
