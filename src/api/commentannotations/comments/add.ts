import { z } from 'zod';
import { admit } from '../../../access/admit.ts';
import { acceptComments } from '../../../access/writing/accept-comments.ts';
import { statement } from '../../../http/endpoint.ts';
import { ApiError } from '../../../lib/errors.ts';
import { commentId, newComments, onAnnotation } from '../../../shapes/annotations/comment.ts';
import { authorsDenied } from '../../../store/annotations/comments.ts';
import { commentAddition } from '../../../store/annotations/insert-comments.ts';
import { requireAnnotation } from '../../../store/annotations/list-comments.ts';

const REPLACED = 'The annotation was replaced at the same time; nothing was added.';

export default statement({
  path: ['/v2/commentannotations/comments/add', '/v1/commentannotations/comments/add'],
  auth: 'apiKeyOrUser',
  summary: 'Add comments to an annotation.',
  data: z
    .object({
      ...onAnnotation,
      commentData: newComments,
      verifyUserPermissions: z
        .boolean()
        .default(false)
        .describe('Whether to refuse comments of authors who may not write on the document.'),
      createOrganization: z.boolean().optional().describe('Without effect: the annotation must be there.'),
      createDocument: z.boolean().optional().describe('Without effect: the annotation must be there.'),
    })
    .meta({
      examples: [
        {
          organizationId: 'acme',
          documentId: 'website',
          annotationId: 'headline',
          commentData: [
            {
              commentText: 'Shorter, please.',
              from: { userId: 'eve', name: 'Eve', email: 'eve@example.com' },
            },
          ],
        },
      ],
    }),
  result: z.array(commentId).describe('The numbers of the comments, in the order they were sent in.'),
  message: 'Comment(s) added successfully.',
  failures: {
    NOT_FOUND: 'There is no such document, annotation or agent.',
    PERMISSION_DENIED: '`details` tells of each comment; those with `success: true` were written.',
    ALREADY_EXISTS: 'The annotation has a comment with this commentId.',
    ABORTED: REPLACED,
  },

  async handle({ commentData, verifyUserPermissions: verify, ...annotation }, { db, caller, attempt }) {
    await admit(db, caller, annotation, 'editor');
    const { comments, denied } = await acceptComments(db, caller, annotation, commentData, { verify });
    const allowed = comments.filter((_, index) => !denied[index]);
    if (allowed.length === 0) throw authorsDenied(comments, denied, []);
    const byUser = caller.user !== undefined;
    const { commentIds, statement } = await commentAddition(db, caller, annotation, allowed, {
      byUser,
      attempt,
    });
    return {
      statement,
      async result(rows) {
        if (rows.length === 0) {
          await requireAnnotation(db, caller, annotation, undefined);
          throw new ApiError('ABORTED', REPLACED, { retryAfterSeconds: 1 });
        }
        if (allowed.length < comments.length) throw authorsDenied(comments, denied, commentIds);
        return commentIds;
      },
    };
  },
});
