import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { documentId, organizationId } from '../../../shapes/id-fields.ts';
import { startMigration } from '../../../store/documents/document-migrations.ts';

export default write({
  path: '/v2/organizations/documents/migrate',
  auth: 'apiKey',
  summary: 'Change the id of a document, keeping everything on it.',
  description:
    'Runs in the background; organizations/documents/migrate/status returns the progress. If a document with the new id exists, the two are merged: it keeps its name, metadata and access type, annotations that are added get the next free numbers, the newer of two settings, presence entries or live states wins, and grants on the new id win over those on the old id. Writes to either document wait meanwhile. A failed migration changes nothing. Users whose tokens name the old id need new tokens.',
  data: z
    .object({ organizationId, documentId, newDocumentId: documentId })
    .refine(({ documentId, newDocumentId }) => documentId !== newDocumentId, {
      path: ['newDocumentId'],
      error: 'newDocumentId must not be the documentId.',
      ...withOtherProblems,
    })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', newDocumentId: 'website-2027' }] }),
  result: z.object({ migrationId: z.string() }),
  message: 'Document migration started successfully.',
  failures: {
    NOT_FOUND: 'The document does not exist.',
    FAILED_PRECONDITION: 'Another migration of one of these documents is in progress.',
  },
  audit: {
    action: 'document.migrated',
    of: ({ organizationId, documentId, newDocumentId }) => ({
      id: documentId,
      organizationId,
      documentId,
      after: { newDocumentId },
    }),
  },

  handle: async (move, { tx, caller, jobs }) => ({
    migrationId: await startMigration(tx, jobs, caller, move),
  }),
});
