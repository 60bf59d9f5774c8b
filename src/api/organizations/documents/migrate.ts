import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { documentId, organizationId } from '../../../shapes/id-fields.ts';
import { startMigration } from '../../../store/documents/document-migrations.ts';

export default write({
  path: '/v2/organizations/documents/migrate',
  auth: 'apiKey',
  summary: 'Give a document another id, with all that is on it.',
  description:
    'Works in the background; migrate/status tells how far it is. A document that has the new id already keeps its name, metadata and access, and gets what is on the old one: annotation numbers go on behind its own, of settings, presence and live states about the same the newer stays, of what a user is granted its own. Calls that write on either document meanwhile wait. Nothing has changed where it fails. Users whose tokens name the old id need new ones.',
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
    NOT_FOUND: 'There is no such document.',
    FAILED_PRECONDITION: 'Another migration of one of these documents is under way.',
  },

  handle: async (move, { tx, caller, jobs }) => ({
    migrationId: await startMigration(tx, jobs, caller, move),
  }),
});
