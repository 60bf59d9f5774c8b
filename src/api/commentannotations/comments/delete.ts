import { z } from 'zod';
import { authorize } from '../../../access/authorize.ts';
import { write } from '../../../http/endpoint.ts';
import { commentId, commentResult, onAnnotation } from '../../../shapes/annotations/comment.ts';
import { MAX_BATCH } from '../../../shapes/batch.ts';
import { deleteComments } from '../../../store/annotations/change-comments.ts';

export default write({
  path: ['/v2/commentannotations/comments/delete', '/v1/commentannotations/comments/delete'],
  auth: 'apiKeyOrUser',
  availableWhenFull: true,
  summary: 'Delete comments of an annotation.',
  description:
    'The annotation remains, even without comments. Users may delete their own comments, and admins also those of others.',
  data: z
    .object({
      ...onAnnotation,
      commentIds: z.array(commentId).min(1).max(MAX_BATCH).optional().describe('Defaults to all comments.'),
    })
    .meta({
      examples: [
        { organizationId: 'acme', documentId: 'website', annotationId: 'headline', commentIds: [778115] },
      ],
    }),
  result: z.record(z.string(), commentResult).describe('Keyed by commentId.'),
  message: 'Comments(s) deleted successfully.',
  failures: {
    PERMISSION_DENIED: 'The user may not write on the document, or is not the author of the comment.',
  },

  async handle({ commentIds, ...annotation }, { tx, caller }) {
    await authorize(tx, caller, annotation, 'editor');
    const deleted = await deleteComments(tx, caller, annotation, commentIds);
    return Object.fromEntries(
      [...(commentIds ?? deleted)].map((id) => [
        id,
        deleted.has(id)
          ? { success: true, id, message: 'Deleted successfully' }
          : { success: false, id, message: 'Not found' },
      ]),
    );
  },
});
