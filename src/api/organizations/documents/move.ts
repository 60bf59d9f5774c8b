import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { documentId, folderId, organizationId } from '../../../shapes/id-fields.ts';
import { documentStates } from '../../../store/audit/states-before.ts';
import { documentMissing, setOnDocuments } from '../../../store/documents/documents.ts';
import { insideOf, lockFolder } from '../../../store/documents/folders.ts';

export default write({
  path: ['/v2/organizations/documents/move', '/v1/organizations/documents/move'],
  auth: 'apiKey',
  summary: 'Move documents into a folder: all of them, or none if one does not exist.',
  description:
    'Documents without an access type of their own take over that of the target folder, and the grants on their new folders apply from then on, in place of those on the former ones. Raises `document.update` for each document.',
  data: z
    .object({
      organizationId,
      documentIds: z.array(documentId).min(1).max(30),
      folderId: folderId.describe('Target folder; `root` removes the documents from their folder.'),
    })
    .meta({ examples: [{ organizationId: 'acme', documentIds: ['website'], folderId: 'handbook' }] }),
  result: z.undefined(),
  message: 'Documents moved successfully.',
  failures: { NOT_FOUND: 'The folder or one of the documents does not exist.' },
  audit: {
    action: 'document.moved',
    before: ({ organizationId, documentIds }, { db, caller }) =>
      documentStates(db, caller, organizationId, documentIds),
    of: ({ organizationId, documentIds, folderId }) =>
      [...new Set(documentIds)].map((id) => ({ id, organizationId, documentId: id, after: { folderId } })),
  },

  async handle({ organizationId, documentIds, folderId }, { tx, caller }) {
    const inside = insideOf(folderId);
    if (inside !== null) await lockFolder(tx, caller, organizationId, inside, { create: false });
    const moved = await setOnDocuments(tx, caller, organizationId, documentIds, { folderId: inside });
    if (documentIds.some((id) => !moved.has(id))) throw documentMissing();
    return undefined;
  },
});
