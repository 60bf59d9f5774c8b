import { z } from 'zod';
import { authorize } from '../../../access/authorize.ts';
import { readingUser, readingUserId, requireOwnViews } from '../../../access/reading-user.ts';
import { write } from '../../../http/endpoint.ts';
import { documentId, organizationId } from '../../../shapes/id-fields.ts';
import { markAllRead } from '../../../store/annotation-lists/unread-counts.ts';
import { lockDocument } from '../../../store/documents/documents.ts';

export default write({
  path: '/v2/commentannotations/unread/clear',
  auth: 'apiKeyOrUser',
  role: 'viewer',
  scope: 'none',
  isHeavy: true,
  summary: 'Mark all annotations of a document as read by a user.',
  description: 'Viewers may do this too, for themselves. Annotations that the user may not see are left out.',
  data: z
    .object({ organizationId, documentId, userId: readingUserId })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', userId: 'eve' }] }),
  result: z.object({ marked: z.number().int().describe('Number of annotations that were unread.') }),
  message: 'Annotations marked as read successfully.',
  failures: { NOT_FOUND: 'The document does not exist.' },

  async handle({ userId, ...place }, { tx, caller }) {
    requireOwnViews(caller, userId);
    await authorize(tx, caller, place, 'viewer');
    const reader = await readingUser(tx, caller, place.organizationId, userId);
    await lockDocument(tx, caller, place, { create: false });
    return { marked: await markAllRead(tx, caller, place, reader) };
  },
});
