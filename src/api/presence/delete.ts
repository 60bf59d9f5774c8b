import { z } from 'zod';
import { authorize } from '../../access/authorize.ts';
import { requireOwnIds } from '../../access/own-presence.ts';
import { write } from '../../http/endpoint.ts';
import { MAX_BATCH } from '../../shapes/batch.ts';
import { documentId, organizationId, userId } from '../../shapes/id-fields.ts';
import { done } from '../../shapes/presence.ts';
import { lockDocument } from '../../store/documents/documents.ts';
import { deletePresence } from '../../store/live/presence-rows.ts';

export default write({
  path: '/v2/presence/delete',
  auth: 'apiKeyOrUser',
  availableWhenFull: true,
  summary: 'Remove users from the presence list of a document.',
  description: 'Users only remove themselves.',
  data: z
    .object({ organizationId, documentId, userIds: z.array(userId).min(1).max(MAX_BATCH) })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', userIds: ['eve'] }] }),
  result: done,
  message: 'Presence deleted successfully.',
  failures: {
    NOT_FOUND: 'The document does not exist.',
    PERMISSION_DENIED: 'The user has no access to the document, or names another user.',
  },

  async handle({ userIds, ...place }, { tx, caller }) {
    await authorize(tx, caller, place, 'viewer');
    requireOwnIds(caller.user, userIds);
    await lockDocument(tx, caller, place, { create: false });
    await deletePresence(tx, caller, place, userIds);
    return { success: true as const };
  },
});
